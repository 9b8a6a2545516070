// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_UNITS_ARGUMENT_H_
#define PMPROOF_VALIDATOR_TESTEE_UNITS_ARGUMENT_H_

#include <string>
#include <string_view>

#include "reference/core/pcp_version.h"
#include "reference/core/units_text.h"
#include "validator/testee/request_reader.h"

// Units as arguments, and the classes of their refusals: of texts one for each message of MET-228,
// and those of PCP's codes.

namespace pmproof::validator {

inline constexpr char kUnitsWithoutSize[] = "units.unit";         // PM_ERR_UNIT (MET-242)
inline constexpr char kUnitsDoNotConvert[] = "units.conversion";  // PM_ERR_CONV (MET-241)

Reject RejectOf(const UnitsError& error);

// A text, as PCP reads it; where it is none `reader` stops.
ParsedUnits TakeUnitsText(RequestReader* reader, const std::string& text, PcpVersion version);
// Eight hexadecimal digits (MET-201).
Units TakeUnitsWord(RequestReader* reader, const Json& object, const std::string& path);
// args.KEY: a text, without a multiplier, or {"word": ...}.
Units TakeUnits(RequestReader* reader, const char* key, PcpVersion version);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_UNITS_ARGUMENT_H_
