// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_members.h"

#include <nlohmann/json.hpp>

#include "validator/text/json_string.h"

namespace pmproof::validator {

JsonMembers::JsonMembers(const nlohmann::json& value) : value_(value) {
  if (!value.is_object()) wrong_ = "is not an object";
}

void JsonMembers::Fail(const std::string& member, const std::string& what) {
  if (wrong_.empty()) wrong_ = member + " " + what;
}

std::string JsonMembers::Text(const char* member) {
  const nlohmann::json* found = Find(member);
  if (found != nullptr && found->is_string()) {
    return FromJsonString(found->get_ref<const std::string&>());
  }
  Fail(member, found == nullptr ? "is missing" : "is not a string");
  return "";
}

std::uint64_t JsonMembers::Count(const char* member) {
  const nlohmann::json* found = Find(member);
  if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
  Fail(member, found == nullptr ? "is missing" : "is not a number from 0 to 2^64-1");
  return 0;
}

bool JsonMembers::Flag(const char* member) {
  const nlohmann::json* found = Find(member);
  if (found != nullptr && found->is_boolean()) return found->get<bool>();
  Fail(member, found == nullptr ? "is missing" : "is neither true nor false");
  return false;
}

const nlohmann::json* JsonMembers::Find(const char* member) const {
  if (!value_.is_object()) return nullptr;
  const auto found = value_.find(member);
  return found == value_.end() ? nullptr : &*found;
}

}  // namespace pmproof::validator
