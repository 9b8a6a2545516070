// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_HEX_TEXT_H_
#define PMPROOF_VALIDATOR_TEXT_HEX_TEXT_H_

#include <cstdint>
#include <string>

namespace pmproof::validator {

// The word as 16 hexadecimal digits, the highest first.
inline std::string HexText(std::uint64_t word) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, word >>= 4)
    *digit = "0123456789abcdef"[word & 15];
  return text;
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_HEX_TEXT_H_
