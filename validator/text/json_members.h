// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_MEMBERS_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_MEMBERS_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof::validator {

// The members of a value that is to be an object, each of a known type. The first thing that is
// wrong is kept; what is read after it means nothing.
class JsonMembers {
 public:
  // `value` outlives this.
  explicit JsonMembers(const nlohmann::json& value);

  const std::string& wrong() const { return wrong_; }
  void Fail(const std::string& member, const std::string& what);

  // The bytes that it stands for (FromJsonString).
  std::string Text(const char* member);
  std::uint64_t Count(const char* member);
  bool Flag(const char* member);

  // What `parse` makes of a text; a default value where that gives nothing.
  template <typename T>
  T Parsed(const char* member, std::optional<T> (*parse)(std::string_view)) {
    const std::string text = Text(member);
    std::optional<T> parsed = parse(text);
    if (!parsed) Fail(member, "is unknown: " + text.substr(0, kShown));
    return parsed.value_or(T());
  }

  // Null where it is missing.
  const nlohmann::json* Find(const char* member) const;

 private:
  static constexpr std::size_t kShown = 100;

  const nlohmann::json& value_;
  std::string wrong_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_MEMBERS_H_
