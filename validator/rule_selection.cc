#include "validator/rule_selection.h"

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
  for (const RulePart part : kRuleParts) {
    std::vector<NotChecked> unselected;
    std::vector<NotChecked> off;
    std::size_t rules = 0;
    for (const Rule& rule : catalogue.rules()) {
      if (rule.part != part) continue;
      ++rules;
      if (!selection.Selects(rule)) {
        unselected.push_back({rule.id.ToString(), "left out by --rule or --only"});
      } else if (!rule.In(profile)) {
        off.push_back({rule.id.ToString(), std::string("off in profile ") + ToText(profile)});
      }
    }
    if (rules > 1 && unselected.size() == rules) {
      left_out.push_back({"all " + std::to_string(rules) + " rules about " + ToText(part),
                          "left out by --rule or --only"});
      continue;
    }
    left_out.insert(left_out.end(), unselected.begin(), unselected.end());
    left_out.insert(left_out.end(), off.begin(), off.end());
  }
  return left_out;
}

}  // namespace pmproof::validator
