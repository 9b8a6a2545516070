// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_NAME_ORDER_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_NAME_ORDER_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace pmproof::validator {

// A metric's name and where it stands. The text is that of a mapped file.
struct PlacedName {
  std::string_view text;
  std::uint32_t desc = 0;    // which descriptor
  std::uint32_t offset = 0;  // of the name in its record
  std::uint64_t key = 0;     // of SortNames()
};

// Sorts by bytes, but with the dot in front of all else, so that the names below "a.b" follow "a.b"
// at once; equal names by their place. Reads each byte at most once and in few sweeps, whatever the
// names have in common, and keeps to the range though somebody else may change the file meanwhile.
void SortNames(std::vector<PlacedName>* names);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_NAME_ORDER_H_
