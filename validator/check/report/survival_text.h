// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_TEXT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_TEXT_H_

#include <string>

#include "validator/check/report/survival.h"

namespace pmproof::validator {

// "10 of 32 records can be read, up to 2023-...; 21 whole ones stand after the first fault, ..."
std::string SurvivesText(const Survival& survival);

// "bad.0 from offset 500 (12 bytes); bad.1 from offset 800 (600 bytes, 1 record)". File names are
// as they are, of any bytes.
std::string LostText(const Survival& survival);

// What to do, one thing after the other.
std::string NextText(const Survival& survival);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_TEXT_H_
