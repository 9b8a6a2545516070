// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_values.h"

#include "reference/archive/layout.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

const char* KindText(Status::Kind kind) {
  switch (kind) {
    case Status::Kind::kNotFound:
      return "not_found";
    case Status::Kind::kUnreadable:
      return "unreadable";
    case Status::Kind::kNotAnArchive:
      return "not_an_archive";
    case Status::Kind::kDamaged:
      return "damaged";
    case Status::Kind::kUnsupported:
      return "unsupported";
    case Status::Kind::kBudget:
      return "budget";
    case Status::Kind::kUsage:
      return "usage";
  }
  return "?";
}

bool HasOtherBytes(const Json& json) {
  if (json.is_string()) return NeedsJsonString(json.get_ref<const std::string&>());
  if (!json.is_structured()) return false;
  for (const auto& [key, value] : json.items()) {
    if ((json.is_object() && NeedsJsonString(key)) || HasOtherBytes(value)) return true;
  }
  return false;
}

Json WithJsonStrings(const Json& json) {
  if (json.is_string()) return ToJsonString(json.get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  Json changed = json.is_object() ? Json::object() : Json::array();
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) {
      changed[ToJsonString(key)] = WithJsonStrings(value);
    } else {
      changed.push_back(WithJsonStrings(value));
    }
  }
  return changed;
}

}  // namespace

std::string DumpJson(const Json& json, int indent) {
  const auto dump = [&](const Json& clean) {
    return clean.dump(indent, ' ', /*ensure_ascii=*/true, Json::error_handler_t::strict);
  };
  return HasOtherBytes(json) ? dump(WithJsonStrings(json)) : dump(json);
}

std::string PartText(std::int32_t part) {
  switch (part) {
    case archive::kWholeArchive:
      return "archive";
    case archive::kMetaPart:
      return "meta";
    case archive::kIndexPart:
      return "index";
    default:
      return std::to_string(part);
  }
}

Json StatusJson(const Status& status) {
  return {{"kind", KindText(status.kind)},
          {"file", status.file},
          {"offset", status.offset ? Json(*status.offset) : Json(nullptr)},
          {"rule", status.clause.empty() ? Json(nullptr) : Json(status.clause.ToString())},
          {"message", status.message}};
}

}  // namespace pmproof::validator
