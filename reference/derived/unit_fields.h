// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_UNIT_FIELDS_H_
#define PMPROOF_REFERENCE_DERIVED_UNIT_FIELDS_H_

#include <cstdint>

#include "reference/core/units.h"

namespace pmproof::derived {

// A dimension and its scale.
struct UnitField {
  int dimension = 0;
  int scale = 0;
};

// Units in parts, to calculate with. A value; Pack() keeps what fits into the word (DER-844).
struct UnitFields {
  UnitField space;
  UnitField time;
  UnitField count;
  std::uint32_t extra = 0;  // the low byte: the extra unit and its scale, padding before 7.2

  static UnitFields Of(Units units) {
    return {{units.dim_space(), static_cast<int>(units.scale_space())},
            {units.dim_time(), static_cast<int>(units.scale_time())},
            {units.dim_count(), units.scale_count()},
            units.word & 0xff};
  }

  Units Pack() const {
    const auto nibble = [](int value, unsigned shift) {
      return (static_cast<std::uint32_t>(value) & 0xf) << shift;
    };
    return Units{nibble(space.dimension, 28) | nibble(time.dimension, 24) |
                 nibble(count.dimension, 20) | nibble(space.scale, 16) | nibble(time.scale, 12) |
                 nibble(count.scale, 8) | extra};
  }
};

// In four bits with a sign, as the word has it.
constexpr int WrappedDimension(int dimension) { return ((dimension + 8) & 0xf) - 8; }

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_UNIT_FIELDS_H_
