// SPDX-License-Identifier: Apache-2.0
#include "validator/text/html_data.h"

#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

Json Shown(const Json& json) {
  if (json.is_string()) return Displayable(json.get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  Json shown = json.is_object() ? Json::object() : Json::array();
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) {
      shown[Displayable(key)] = Shown(value);
    } else {
      shown.push_back(Shown(value));
    }
  }
  return shown;
}

}  // namespace

std::string HtmlData(const Json& json) {
  std::string data;
  for (const char c : Shown(json).dump(-1, ' ', /*ensure_ascii=*/true)) {
    if (c == '<') {
      data += "\\u003c";
    } else {
      data += c;
    }
  }
  return data;
}

}  // namespace pmproof::validator
