// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_UNITS_TEXT_H_
#define PMPROOF_REFERENCE_CORE_UNITS_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/core/pcp_version.h"
#include "reference/core/units.h"

// Units as text, in the form of each version of PCP (MET-211..230).

namespace pmproof {

// The text of `units` (MET-211..215); empty for dimensionless. Before 7.2 there are no extra units,
// and a count scale without dimensions is "x 10^N" (MET-214).
std::string UnitsText(Units units, PcpVersion version);

struct ParsedUnits {
  Units units;
  double multiplier = 1;  // a value in `units` is this many of what the text says (MET-227)
};

// Why a text is not units (MET-228). The code is always ErrorCode::kConversion.
struct UnitsError {
  const char* message = "";             // PCP's own words
  std::optional<std::size_t> position;  // of the first byte that is wrong; nothing: of the whole
};

// Reads units as pmParseUnitsStr() does (MET-221..229). Linear in the size of the text, which ends
// at a NUL. What is undefined in PCP is an error (MET-229).
tl::expected<ParsedUnits, UnitsError> ParseUnits(std::string_view text, PcpVersion version);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_UNITS_TEXT_H_
