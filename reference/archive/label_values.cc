// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_values.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace pmproof::archive {

bool FitsDouble(std::string_view number) {
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53) - 1;
  if (number.starts_with('-')) number.remove_prefix(1);
  const char* const end = number.data() + number.size();
  if (number.find_first_of(".eE") == std::string_view::npos) {
    std::uint64_t integer = 0;
    return std::from_chars(number.data(), end, integer).ec == std::errc() && integer <= kLargest;
  }
  double value = 0;
  return std::from_chars(number.data(), end, value).ec == std::errc();
}

}  // namespace pmproof::archive
