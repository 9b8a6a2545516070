// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_JSON_CURSOR_H_
#define PMPROOF_REFERENCE_CORE_JSON_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pmproof {

// Objects and arrays within each other beyond this number are an error.
inline constexpr std::uint32_t kMaxJsonDepth = 64;

// Takes the words of a JSON text off its front, one after the other (RFC 8259). Each function that
// gives false has said in error() what was wrong, and the cursor stays useless. Linear, without
// allocation.
class JsonCursor {
 public:
  enum class Strings : std::uint8_t { kUtf8, kAnyBytes };

  struct Error {
    std::size_t offset = 0;
    const char* message = "";
    bool at_end = false;  // the text ends where it should go on
  };

  JsonCursor(std::string_view json, Strings strings) : json_(json), strings_(strings) {}

  // NUL at the end: no text that is read has one outside strings.
  char Peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }
  bool AtEnd() const { return at_ == json_.size(); }
  std::size_t at() const { return at_; }
  std::string_view text() const { return json_; }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  // Gives the number of blanks passed over.
  std::size_t SkipBlanks();

  // The value at the cursor where it is none of { [.
  bool Scalar();
  // The string at the cursor, with its quotes.
  bool String();

  bool Fail(const char* message) {
    error_ = {at_, message, AtEnd()};
    return false;
  }

  const std::optional<Error>& error() const { return error_; }
  std::optional<std::size_t> first_blank() const { return first_blank_; }

 private:
  bool Word(std::string_view word);
  bool Digits();
  bool Number();
  bool Escape();

  std::string_view json_;
  Strings strings_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
  std::optional<std::size_t> first_blank_;
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_JSON_CURSOR_H_
