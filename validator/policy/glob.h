// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_GLOB_H_
#define PMPROOF_VALIDATOR_POLICY_GLOB_H_

#include <string_view>

namespace pmproof::validator::policy {

// Whether all of `text` is as `pattern` says: '*' stands for any bytes, '?' for one, all else for
// itself. In the time of the product of both sizes at most. (fnmatch depends on the locale and can
// take exponential time.)
bool Matches(std::string_view pattern, std::string_view text);

// Whether `pattern` has '*' or '?'.
inline bool IsPattern(std::string_view pattern) {
  return pattern.find_first_of("*?") != std::string_view::npos;
}

// As Matches(), for paths: '*' and '?' do not stand for '/', and a pattern with fewer slashes than
// the path is held against its end, so that "web*/2024*" is as "/archives/web1/20240101" is. A
// pattern that begins with a slash is held against all of the path.
bool MatchesPath(std::string_view pattern, std::string_view path);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_GLOB_H_
