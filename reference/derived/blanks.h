// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_BLANKS_H_
#define PMPROOF_REFERENCE_DERIVED_BLANKS_H_

#include <algorithm>
#include <string_view>

namespace pmproof::derived {

// DER-501.
inline constexpr std::string_view kBlanks = " \t\n\v\f\r";

inline std::string_view WithoutLeadingBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

inline std::string_view WithoutBlanks(std::string_view text) {
  text = WithoutLeadingBlanks(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_BLANKS_H_
