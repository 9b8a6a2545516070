// SPDX-License-Identifier: Apache-2.0
#include "validator/against/difference_log.h"

#include "reference/core/utf8.h"

namespace pmproof::validator::against {

std::string Shortened(std::string_view bytes) {
  constexpr std::size_t kLongest = 80;
  if (bytes.size() <= kLongest) return std::string(bytes);
  std::string text(bytes.substr(0, kLongest));
  // Of text the last character stays whole; of other bytes all are shown.
  if (const std::size_t end = FirstInvalidUtf8(text); end + 4 > kLongest) text.resize(end);
  return text + "... (" + std::to_string(bytes.size()) + " bytes)";
}

}  // namespace pmproof::validator::against
