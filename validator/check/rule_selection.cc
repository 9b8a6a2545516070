// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rule_selection.h"

#include <algorithm>
#include <string>

namespace pmproof::validator {
namespace {

template <typename T>
bool Contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

bool RuleSelection::Selects(const Rule& rule) const {
  if (Contains(removed, rule.id)) return false;
  if (Contains(added, rule.id)) return true;
  if (only.empty()) return added.empty();
  return rule.part == RulePart::kFiles || Contains(only, rule.part);
}

std::vector<NotChecked> LeftOut(const Catalogue& catalogue, const RuleSelection& selection,
                                Profile profile) {
  std::vector<NotChecked> left_out;
  for (const Rule& rule : catalogue.entries()) {
    if (!selection.Selects(rule)) {
      left_out.push_back({rule.id.ToString(), "left out by --rule or --only"});
    } else if (!rule.In(profile)) {
      left_out.push_back({rule.id.ToString(), std::string("off in profile ") + ToText(profile)});
    }
  }
  return left_out;
}

}  // namespace pmproof::validator
