// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SHEET_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SHEET_H_

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "reference/replay/rule.h"
#include "validator/text/terminal.h"

// What is peculiar to interpolation profiles: what each of them answers to the same questions. The
// rules themselves are asked, so that any rule can be listed and the list cannot be wrong.

namespace pmproof::validator {

// One question, and what the profiles answer.
struct SheetRow {
  std::string question;
  struct Reply {
    std::string text;           // "10, 10, 20"
    std::vector<Clause> cited;  // each once, ascending
  };
  std::vector<Reply> replies;  // in the order of the profiles
};

std::vector<SheetRow> AskProfiles(const std::vector<replay::Profile>& profiles);

// For each profile: its summary, and the clauses that it cites anywhere.
void WriteProfilesText(const std::vector<replay::Profile>& profiles, const Screen& screen,
                       std::ostream& out);
void WriteProfilesJson(const std::vector<replay::Profile>& profiles, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SHEET_H_
