// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_TEXT_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_TEXT_H_

#include <nlohmann/json_fwd.hpp>
#include <string_view>

// The parser of the JSON library, which takes long to compile, compiled once.

namespace pmproof::validator {

// Returns the value of a JSON text; it is_discarded() where the text is not JSON.
nlohmann::json ParseJson(std::string_view text);

// The same, with members in the order of the text.
nlohmann::ordered_json ParseOrderedJson(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_TEXT_H_
