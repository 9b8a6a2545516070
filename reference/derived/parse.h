// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_PARSE_H_
#define PMPROOF_REFERENCE_DERIVED_PARSE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/core/clause.h"
#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"

namespace pmproof::derived {

// Why a text is not an expression (DER-505, 621, 648).
struct SyntaxError {
  enum class Kind : std::uint8_t {
    kLexical,  // no token begins there (DER-505)
    kGrammar,  // the token cannot stand there (DER-621)
    kValue,    // a parameter, units or a pattern that is none (DER-648)
    kBudget,   // more than ParseLimits allow
  };

  Kind kind = Kind::kGrammar;
  std::int64_t position = 0;  // offset in the text; -1 for the end of an empty text (DER-504)
  std::string message{};      // as PCP words it, at most 255 characters; may be empty (DER-621)
  Clause clause{};
};

// What the library bounds by memory alone (DER-1401). A node takes 20 bytes here, 48 when bound.
struct ParseLimits {
  std::size_t text = std::size_t{1} << 30;
  std::size_t nodes = std::size_t{1} << 27;
};

// Time and memory are linear in the text; nothing is kept from one text to the next (DER-215).
tl::expected<Expression, SyntaxError> Parse(std::string_view text, const Dialect& dialect,
                                            const ParseLimits& limits = {});

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PARSE_H_
