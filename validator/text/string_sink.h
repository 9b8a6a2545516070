// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_STRING_SINK_H_
#define PMPROOF_VALIDATOR_TEXT_STRING_SINK_H_

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "validator/text/quote.h"

namespace pmproof::validator {

// JSON that becomes a string (JsonSink), its strings in quotes of that kind.
struct StringSink {
  std::string text{};
  Quoting quoting = Quoting::kJson;

  StringSink& operator<<(std::string_view more) {
    text += more;
    return *this;
  }
  StringSink& operator<<(char c) {
    text += c;
    return *this;
  }
  template <std::integral Number>
  requires(!std::same_as<Number, char>) StringSink& operator<<(Number number) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return *this;
  }
  void Quote(std::string_view bytes) { AppendQuoted(bytes, quoting, &text); }
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_STRING_SINK_H_
