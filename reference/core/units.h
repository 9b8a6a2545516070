// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_UNITS_H_
#define PMPROOF_REFERENCE_CORE_UNITS_H_

#include <compare>
#include <cstdint>
#include <string>

namespace pmproof {

// The units of a metric as the 32-bit word that is stored (ARC-009, ARC-010, MET-201).
struct Units {
  std::uint32_t word = 0;

  constexpr int dim_space() const { return Signed(28); }
  constexpr int dim_time() const { return Signed(24); }
  constexpr int dim_count() const { return Signed(20); }
  constexpr unsigned scale_space() const { return word >> 16 & 0xf; }
  constexpr unsigned scale_time() const { return word >> 12 & 0xf; }
  constexpr int scale_count() const { return Signed(8); }
  // PCP 7.2: -16..15, 0 none, negative in the denominator; padding before.
  constexpr int extra_unit() const { return static_cast<std::int8_t>(word & 0xf8) / 8; }
  constexpr unsigned extra_scale() const { return word & 7; }

  friend constexpr auto operator<=>(const Units&, const Units&) = default;

 private:
  constexpr int Signed(unsigned shift) const {
    const int nibble = static_cast<int>(word >> shift & 0xf);
    return nibble < 8 ? nibble : nibble - 16;
  }
};

// The text PCP 7.2 prints (MET-211..215): "Kbyte / sec", "count x 10^3", "power (W) / sec", empty
// for dimensionless.
std::string ToText(Units units);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_UNITS_H_
