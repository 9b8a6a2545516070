// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_values.h"

#include <algorithm>
#include <cstddef>

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

LongJson& LongJson::Key(std::string_view key) {
  Separate();
  out_ << '"' << key << "\": ";
  is_member_ = true;
  return *this;
}

LongJson& LongJson::Value(const Json& value) {
  Separate();
  // Line ends inside of strings are escaped: these are all between values.
  const std::string line_end = "\n" + std::string(2 * ends_.size(), ' ');
  const std::string text = DumpJson(value, 2);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out_ << (at > 0 ? line_end : "") << std::string_view(text).substr(at, end - at);
    at = end + 1;
  }
  return *this;
}

LongJson& LongJson::Members(const Json& object) {
  for (const auto& [key, value] : object.items()) Key(key).Value(value);
  return *this;
}

LongJson& LongJson::Close() {
  const char end = ends_.back();
  ends_.pop_back();
  if (!is_empty_) out_ << '\n' << std::string(2 * ends_.size(), ' ');
  out_ << end;
  is_empty_ = false;
  return *this;
}

LongJson& LongJson::Open(char begin, char end) {
  Separate();
  out_ << begin;
  ends_ += end;
  is_empty_ = true;
  return *this;
}

void LongJson::Separate() {
  if (!is_member_ && !ends_.empty()) {
    out_ << (is_empty_ ? "\n" : ",\n") << std::string(2 * ends_.size(), ' ');
  }
  is_empty_ = false;
  is_member_ = false;
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
