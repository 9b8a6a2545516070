// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/triaged.h"

namespace pmproof::validator {

const char* ToText(Condition condition) {
  switch (condition) {
    case Condition::kUndecided:
      return "undecided";
    case Condition::kLost:
      return "lost";
    case Condition::kOrphan:
      return "orphan";
    case Condition::kDuplicate:
      return "duplicate";
    case Condition::kSalvageable:
      return "salvageable";
    case Condition::kLive:
      return "live";
    case Condition::kSound:
      return "sound";
  }
  return "?";
}

std::optional<Condition> ParseCondition(std::string_view text) {
  for (const Condition condition : kConditions) {
    if (text == ToText(condition)) return condition;
  }
  return std::nullopt;
}

}  // namespace pmproof::validator
