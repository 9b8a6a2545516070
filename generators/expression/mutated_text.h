// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_MUTATED_TEXT_H_
#define PMPROOF_GENERATORS_EXPRESSION_MUTATED_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"

namespace pmproof::generators {

// Roughly the tokens of DER-502, blanks among them: together they are the text.
std::vector<std::string> RoughTokens(std::string_view text);

// A text that is nearly an expression: one to three tokens or characters are gone, doubled,
// swapped, or others of their kind or of any kind. ASCII without NUL, if `text` is.
std::string MutatedText(Random& random, std::string_view text);

// The text without some of its tokens, most of them first, then without single characters.
std::vector<std::string> SimplerTexts(const std::string& text);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_MUTATED_TEXT_H_
