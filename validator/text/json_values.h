// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "reference/core/status.h"

// What the JSON of all commands has in common. For sources that write JSON: slow to compile.

namespace pmproof::validator {

using Json = nlohmann::ordered_json;  // keys in the order they were added

// ASCII alone, which nothing takes for a line break or an escape sequence. Strings and keys may
// hold any bytes and are written as ToJsonString() has them. One line for a negative `indent`.
std::string DumpJson(const Json& json, int indent);

// "archive", "meta", "index", or the number of the volume.
std::string PartText(std::int32_t part);

// {"kind", "file", "offset", "rule", "message"}
Json StatusJson(const Status& status);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_
