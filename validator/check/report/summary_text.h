// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_SUMMARY_TEXT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_SUMMARY_TEXT_H_

#include <string>

#include "validator/check/report/report.h"

namespace pmproof::validator {

// "1 fatal, 2 errors, 3 warnings": those that occur; empty if none does.
std::string CountsText(const Counts& counts);

// " (TEXT)", or nothing for an empty text.
std::string InBrackets(const std::string& text);

// "version 3, 3 files, 123.5 kB, 60 records, ..."
std::string SummaryText(const ArchiveReport& archive);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_SUMMARY_TEXT_H_
