// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/glob.h"

#include <cstddef>

namespace pmproof::validator::policy {

bool Matches(std::string_view pattern, std::string_view text) {
  // A star takes as little as it can; where that fails, the last one takes a byte more.
  std::size_t at = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_at = 0;
  while (at < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_at = at;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[at])) {
      ++p;
      ++at;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      at = ++star_at;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool MatchesPath(std::string_view pattern, std::string_view path) {
  // From the last part on, one by one.
  while (true) {
    const std::size_t pattern_slash = pattern.rfind('/');
    const std::size_t path_slash = path.rfind('/');
    const bool first = pattern_slash == std::string_view::npos;
    const bool first_of_path = path_slash == std::string_view::npos;
    if (!Matches(first ? pattern : pattern.substr(pattern_slash + 1),
                 first_of_path ? path : path.substr(path_slash + 1))) {
      return false;
    }
    if (first) return true;
    if (first_of_path) return false;
    pattern = pattern.substr(0, pattern_slash);
    path = path.substr(0, path_slash);
    // What is left of a pattern that began with a slash.
    if (pattern.empty()) return path.empty();
  }
}

}  // namespace pmproof::validator::policy
