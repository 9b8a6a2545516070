// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace pmproof::archive {

// True if whoever reads the number of a JSON text into a double has the number that is written: an
// integer is within +-(2^53 - 1), and no number becomes infinite or, without being it, 0
// (ARC-1529). Digits of a fraction beyond those of a double do not count. Linear, without
// allocation.
bool FitsDouble(std::string_view number);

// A character in a JSON string that acts on a terminal, or reorders, hides or breaks text, as it is
// or as an escape (ARC-002, ARC-1530).
struct OddCharacter {
  std::size_t at = 0;  // in the string, whose quotes count
  std::size_t size = 0;
  bool half_a_pair = false;  // an escape for half of a surrogate pair
};

// The first one but newlines and tabulators; nothing if there is none. Linear, without allocation.
std::optional<OddCharacter> FirstOddCharacter(std::string_view string);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_
