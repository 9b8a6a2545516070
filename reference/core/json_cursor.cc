// SPDX-License-Identifier: Apache-2.0
#include "reference/core/json_cursor.h"

#include "reference/core/utf8.h"

namespace pmproof {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

std::size_t JsonCursor::SkipBlanks() {
  const std::size_t begin = at_;
  while (at_ < json_.size() &&
         std::string_view(" \t\n\r").find(json_[at_]) != std::string_view::npos) {
    if (!first_blank_) first_blank_ = at_;
    ++at_;
  }
  return at_ - begin;
}

bool JsonCursor::Scalar() {
  switch (Peek()) {
    case '"':
      return String();
    case 't':
      return Word("true");
    case 'f':
      return Word("false");
    case 'n':
      return Word("null");
    default:
      return Number();
  }
}

bool JsonCursor::Word(std::string_view word) {
  for (const char c : word) {
    if (!Take(c)) return Fail("a JSON value is malformed");
  }
  return true;
}

bool JsonCursor::Digits() {
  const std::size_t begin = at_;
  while (IsDigit(Peek())) ++at_;
  return at_ > begin;
}

bool JsonCursor::Number() {
  Take('-');
  const bool zero = Take('0');
  if (!zero && !Digits()) return Fail("a JSON value is malformed");
  if (Take('.') && !Digits()) return Fail("a JSON number is malformed");
  if (Take('e') || Take('E')) {
    if (!Take('+')) Take('-');
    if (!Digits()) return Fail("a JSON number is malformed");
  }
  return true;
}

bool JsonCursor::String() {
  ++at_;
  while (at_ < json_.size()) {
    const auto c = static_cast<std::uint8_t>(json_[at_]);
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c < 0x20) return Fail("a control character stands in a JSON string");
    if (c == '\\') {
      if (!Escape()) return false;
    } else if (strings_ == Strings::kAnyBytes || c < 0x80) {
      ++at_;
    } else if (const std::size_t size = Utf8CharacterSize(json_.substr(at_)); size != 0) {
      at_ += size;
    } else {
      return Fail("the JSON is not valid UTF-8");
    }
  }
  return Fail("a JSON string has no end");
}

bool JsonCursor::Escape() {
  ++at_;
  if (Take('u')) {
    for (int i = 0; i < 4; ++i, ++at_) {
      if (!IsHexDigit(Peek())) return Fail("a JSON escape is malformed");
    }
    return true;
  }
  const char c = Peek();
  if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
    return Fail("a JSON escape is malformed");
  }
  ++at_;
  return true;
}

}  // namespace pmproof
