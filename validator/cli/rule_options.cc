// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/rule_options.h"

#include <optional>

#include "validator/cli/identifier.h"

namespace pmproof::validator {

std::string SelectRules(const std::vector<std::string>& texts, const Catalogue& catalogue,
                        RuleSelection* selection) {
  for (const std::string& text : texts) {
    const bool has_sign = text.starts_with('+') || text.starts_with('-');
    const std::string name = has_sign ? text.substr(1) : text;
    const std::optional<Clause> rule = ParseIdentifier(name);
    if (!rule || catalogue.Find(*rule) == nullptr) {
      std::vector<Clause> known;
      for (const Rule& one : catalogue.entries()) known.push_back(one.id);
      return "--rule: there is no rule " + name + NearestHint(name, known);
    }
    (text.starts_with('-') ? selection->removed : selection->added).push_back(*rule);
  }
  return "";
}

}  // namespace pmproof::validator
