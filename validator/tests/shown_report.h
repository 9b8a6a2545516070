// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_SHOWN_REPORT_H_
#define PMPROOF_VALIDATOR_TESTS_SHOWN_REPORT_H_

#include <string>
#include <vector>

#include "validator/check/report/report.h"

namespace pmproof::validator::testing {

// Everything in a report that a reader sees, as lines.
std::vector<std::string> Shown(const ArchiveReport& report);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_SHOWN_REPORT_H_
