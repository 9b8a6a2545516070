// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_JSON_MEMBERS_H_
#define PMPROOF_VALIDATOR_CUSTODY_JSON_MEMBERS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "validator/text/json_string.h"

namespace pmproof::validator {

// The members of a value that is to be an object, each of a known type. The first thing that is
// wrong is kept; what is read after it means nothing.
class JsonMembers {
 public:
  explicit JsonMembers(const nlohmann::json& value) : value_(value) {
    if (!value.is_object()) wrong_ = "is not an object";
  }

  const std::string& wrong() const { return wrong_; }
  void Fail(const std::string& member, const std::string& what) {
    if (wrong_.empty()) wrong_ = member + " " + what;
  }

  // The bytes that it stands for.
  std::string Text(const char* member) {
    const nlohmann::json* found = Find(member);
    if (found != nullptr && found->is_string()) {
      return FromJsonString(found->get_ref<const std::string&>());
    }
    Fail(member, found == nullptr ? "is missing" : "is not a string");
    return "";
  }

  std::uint64_t Count(const char* member) {
    const nlohmann::json* found = Find(member);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    Fail(member, found == nullptr ? "is missing" : "is not a number from 0 to 2^64-1");
    return 0;
  }

  bool Flag(const char* member) {
    const nlohmann::json* found = Find(member);
    if (found != nullptr && found->is_boolean()) return found->get<bool>();
    Fail(member, found == nullptr ? "is missing" : "is neither true nor false");
    return false;
  }

  // What `parse` makes of a text; a default value where that gives nothing.
  template <typename T>
  T Parsed(const char* member, std::optional<T> (*parse)(std::string_view)) {
    const std::string text = Text(member);
    std::optional<T> parsed = parse(text);
    if (!parsed) Fail(member, "is unknown: " + text.substr(0, kShown));
    return parsed.value_or(T());
  }

  // Null where it is missing.
  const nlohmann::json* Find(const char* member) const {
    if (!value_.is_object()) return nullptr;
    const auto found = value_.find(member);
    return found == value_.end() ? nullptr : &*found;
  }

 private:
  static constexpr std::size_t kShown = 100;

  const nlohmann::json& value_;
  std::string wrong_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_JSON_MEMBERS_H_
