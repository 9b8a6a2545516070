// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_text.h"

#include <nlohmann/json.hpp>

namespace pmproof::validator {

nlohmann::json ParseJson(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

nlohmann::ordered_json ParseOrderedJson(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace pmproof::validator
