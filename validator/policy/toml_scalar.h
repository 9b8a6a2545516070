// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_TOML_SCALAR_H_
#define PMPROOF_VALIDATOR_POLICY_TOML_SCALAR_H_

#include <optional>
#include <string_view>

#include "validator/policy/document.h"

namespace pmproof::validator::policy {

// Returns the node of a value of TOML that has neither quotes nor brackets: an integer, a day as a
// text, and kOther for floats, booleans, times and integers of more than 64 bits. Returns nothing
// where `characters` are no value, or more than 64.
std::optional<Node> TomlScalar(std::string_view characters);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_TOML_SCALAR_H_
