// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_NUMBER_KEY_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_NUMBER_KEY_H_

#include <bit>
#include <cstdint>

#include "validator/check/rules/series_state.h"

// How the bits of a number become a key that orders as the numbers do, which bits are not a finite
// number (ARC-1828), and the key of 0: one class for each numeric type.

namespace pmproof::validator {

struct As32 {
  static CounterKey Key(std::uint64_t bits) { return KeyOfSigned(static_cast<std::int32_t>(bits)); }
  static bool Finite(std::uint64_t) { return true; }
  static constexpr CounterKey kZero = kSignBit;
};
struct AsU32 {
  static CounterKey Key(std::uint64_t bits) { return bits; }
  static bool Finite(std::uint64_t) { return true; }
  static constexpr CounterKey kZero = 0;
};
struct As64 {
  static CounterKey Key(std::uint64_t bits) { return bits ^ kSignBit; }
  static bool Finite(std::uint64_t) { return true; }
  static constexpr CounterKey kZero = kSignBit;
};
using AsU64 = AsU32;
struct AsFloat {
  static CounterKey Key(std::uint64_t bits) {
    return KeyOfDouble(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  }
  static bool Finite(std::uint64_t bits) { return (bits & 0x7f800000) != 0x7f800000; }
  static constexpr CounterKey kZero = kSignBit;
};
struct AsDouble {
  static CounterKey Key(std::uint64_t bits) { return KeyOfDouble(std::bit_cast<double>(bits)); }
  static bool Finite(std::uint64_t bits) {
    return (bits & 0x7ff0000000000000) != 0x7ff0000000000000;
  }
  static constexpr CounterKey kZero = kSignBit;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_NUMBER_KEY_H_
