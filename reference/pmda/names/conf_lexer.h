// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_CONF_LEXER_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_CONF_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// pmcd.conf to words (PMD-320).

namespace pmproof::pmda {

struct ConfWord {
  enum class Kind : std::uint8_t {
    kEnd,
    kWord,
    kMark,  // "," ":" ";" "[" or "]", in the access section
  };
  Kind kind = Kind::kEnd;
  std::string text{};
  std::size_t line = 0;

  bool Is(char mark) const { return kind == Kind::kMark && text[0] == mark; }
};

bool EqualsIgnoringCase(std::string_view a, std::string_view b);

// Comments are gone, "\" at the end of a line is a blank, `\#` and `\"` are the character; other
// backslashes stay. A word in quotes ends at its closing quote; in other words quotes are ordinary.
class ConfLexer {
 public:
  // `text` must outlive this.
  explicit ConfLexer(std::string_view text) : rest_(text) {}

  // The words of the next line that has any, none of them kEnd; empty at the end of the text, or if
  // that line begins with "[".
  std::vector<ConfWord> NextLine();

  // The next word in the access section, which takes no notice of lines. At the end kEnd for ever.
  ConfWord NextInAccess();

  // The text ended before its end: a line was too long, had a NUL byte or a quote that is not
  // closed. `line` is where.
  bool broken() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  std::size_t line() const { return line_; }

 private:
  bool ReadLine();
  void Break(std::string why);
  ConfWord NextWord(bool marks);

  std::string_view rest_;
  std::string logical_{};  // the line, with those that continue it, without comment
  std::size_t at_ = 0;
  std::size_t line_ = 0;   // number of the first line of logical_
  std::size_t lines_ = 1;  // number of the next line of rest_
  std::string why_{};
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_CONF_LEXER_H_
