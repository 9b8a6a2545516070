// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_IDENTIFIER_H_
#define PMPROOF_VALIDATOR_CLI_IDENTIFIER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"

namespace pmproof::validator {

// The identifiers of the list that look most like `text`, at most three, nearest first.
std::vector<Clause> Nearest(std::string_view text, const std::vector<Clause>& identifiers);

// "arc-1102" is taken for "ARC-1102".
std::optional<Clause> ParseIdentifier(std::string_view text);

// Returns "; nearest: NAME, NAME" with the names that look most like `text`, at most three, or ""
// where none resembles it. Linear in the names.
std::string NearestHint(std::string_view text, const std::vector<std::string>& names);
std::string NearestHint(std::string_view text, const std::vector<Clause>& identifiers);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_IDENTIFIER_H_
