// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_REPORT_TIME_H_
#define PMPROOF_VALIDATOR_CLI_REPORT_TIME_H_

#include <optional>

#include "reference/core/timestamp.h"

namespace pmproof::validator {

Timestamp Now();

// The time that a document says it was made at: SOURCE_DATE_EPOCH of the environment, else `now`.
// Nothing if that is not a number of seconds up to the year 9999.
std::optional<Timestamp> TimeOfDocument(Timestamp now);

// The same of a page for people: Now() where SOURCE_DATE_EPOCH is not such a number.
Timestamp TimeOfPage();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_REPORT_TIME_H_
