// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DEFINITION_TEXT_H_
#define PMPROOF_VALIDATOR_DERIVED_DEFINITION_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/core/clause.h"

// "NAME = EXPR" as users write it, and places in it as they read it.

namespace pmproof::validator {

struct DefinitionText {
  std::string_view name;        // without blanks around it
  std::string_view expression;  // without blanks before it
  // Empty: there are a name and an expression.
  std::string_view problem;
  Clause clause;
};

// Views of `text`.
DefinitionText SplitDefinition(std::string_view text);

// The text and below it a caret under `position`, two lines; of a long text what is around it.
// Control characters are shown as blanks.
std::string WithCaret(std::string_view text, std::int64_t position);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DEFINITION_TEXT_H_
