// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_RULE_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_RULE_OPTIONS_H_

#include <string>
#include <vector>

#include "validator/catalogue/catalogue.h"
#include "validator/check/rule_selection.h"

namespace pmproof::validator {

// Adds what --rule was given, "+ARC-1102" or "-ARC-1102", to the selection. Returns what is wrong,
// or "".
std::string SelectRules(const std::vector<std::string>& texts, const Catalogue& catalogue,
                        RuleSelection* selection);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_RULE_OPTIONS_H_
