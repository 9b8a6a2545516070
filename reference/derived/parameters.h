// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_PARAMETERS_H_
#define PMPROOF_REFERENCE_DERIVED_PARAMETERS_H_

#include <optional>
#include <string>

#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"
#include "reference/derived/lexer.h"

// The values that parameters, rescale() and anon() take (DER-607..609, 648).

namespace pmproof::derived {

bool IsParameterName(TokenKind kind);
// DER-601: whether a token may stand after the "=" of `name`.
bool IsParameterValue(TokenKind name, TokenKind value, const Dialect& dialect);

// Sets what `name` says; nothing, or the message of DER-648.
std::optional<std::string> SetParameter(TokenKind name, const Token& value, const Dialect& dialect,
                                        Parameters* parameters);

// DER-648: of the text of rescale()'s STRING.
std::optional<std::string> SetUnits(std::string_view text, const Dialect& dialect,
                                    Parameters* parameters);

// DER-609: nothing if T of anon(T) is none.
std::optional<MetricType> AnonymousType(std::string_view name);

// DER-648: "U32", as messages write the six types that a constant can have.
std::string_view ConstantTypeName(MetricType type);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PARAMETERS_H_
