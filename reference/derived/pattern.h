// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_PATTERN_H_
#define PMPROOF_REFERENCE_DERIVED_PATTERN_H_

#include <regex.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace pmproof::derived {

// The pattern of matchinst(): an extended regular expression of the C library, without places of
// sub-expressions (DER-648, 1114). A resource: moved, not copied.
class Pattern {
 public:
  // The error is what regerror says. So that no pattern takes more memory or stack than it is worth
  // the library's "Regular expression too big" is also given for parentheses more than 200 deep,
  // for more than 4096 characters, and where repetitions multiply to more than 32768 nodes, or to
  // more than 512 in loops that can go round without a character, such as (a?)+. Where there are
  // such loops and edges of texts or words ("^", "\b"), more than 8 edges, or 4 in these loops, and
  // more than 24 forks ("|", "?", "*", "+", "{"), or 8 in these loops, are too much.
  static tl::expected<Pattern, std::string> Compile(std::string_view text);

  // Unanchored. `name` must have no NUL inside. So that no name takes more than a fraction of a
  // second, one is not matched, as if the library had run out of memory, that has more than 4096
  // characters; or, times the nodes of the pattern, more than 2^20; or where characters^(n + 2) is
  // more than that and the pattern refers back ("\1") n times: 101 characters for one, 32 for two.
  bool Matches(const std::string& name) const;

  // Of the compiled pattern: about one for each character, times what repetitions multiply it by,
  // and what its loops without a character cost as much as.
  // Some 2 KB and 2 microseconds each.
  std::size_t nodes() const { return nodes_; }

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      regfree(compiled);
      delete compiled;
    }
  };

  Pattern(std::unique_ptr<regex_t, Free> compiled, std::size_t nodes, std::size_t longest_name)
      : compiled_(std::move(compiled)), nodes_(nodes), longest_name_(longest_name) {}

  std::unique_ptr<regex_t, Free> compiled_;
  std::size_t nodes_;
  std::size_t longest_name_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PATTERN_H_
