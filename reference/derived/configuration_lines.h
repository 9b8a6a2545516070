// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_CONFIGURATION_LINES_H_
#define PMPROOF_REFERENCE_DERIVED_CONFIGURATION_LINES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof::derived {

// The lines of a configuration file (DER-304, 305). Views the text.
class ConfigurationLines {
 public:
  // `continued`: a backslash before a newline joins lines, as from 6.2.2 on.
  ConfigurationLines(std::string_view text, bool continued) : rest_(text), continued_(continued) {}

  // The next line without its newline; holds until the next call. Nothing at the end, or where the
  // last line has no newline [Q].
  std::optional<std::string_view> Next();

  // DER-308: the rest of a value in `quote`s that the line after Next() has begun, from the
  // newline on; escapes are gone. Nothing if no quote ends it.
  struct Rest {
    std::string value;
    std::string_view behind;  // to the end of the line of the closing quote
  };
  std::optional<Rest> NextQuoted(char quote);

  // Of the line that Next() gave last, from 1: its first physical line; before 6.2.2 the one that
  // NextQuoted() has come to, where each value over several lines counts one too little [Q].
  std::uint64_t number() const { return number_; }

 private:
  std::string_view rest_;
  bool continued_;
  std::string joined_;
  std::uint64_t number_ = 0;
  std::uint64_t next_number_ = 1;
};

// Takes from `text`, which stands after an opening quote, up to the closing one, into `value`. The
// length taken with the closing quote; nothing if there is none. \c gives c, and a backslash before
// a newline nothing (DER-308); `escaped`: the character before `text` was a backslash, and
// afterwards whether the last one was.
std::optional<std::size_t> TakeQuoted(std::string_view text, char quote, std::string* value,
                                      bool* escaped);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_CONFIGURATION_LINES_H_
