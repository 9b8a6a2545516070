// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_CONVERT_SCALE_H_
#define PMPROOF_REFERENCE_CORE_CONVERT_SCALE_H_

#include <tl/expected.hpp>

#include "reference/core/error_code.h"
#include "reference/core/pcp_version.h"
#include "reference/core/units.h"
#include "reference/core/value.h"

namespace pmproof {

// True if values in `from` can be given in `to`, scales aside (MET-241).
bool AreCompatible(Units from, Units to, PcpVersion version);

// A value of type 32, U32, 64, U64, FLOAT or DOUBLE in other units, of the same type, as
// pmConvScale() gives it (MET-241..246): what does not fit wraps, without an error. kConversion:
// the units are incompatible, the type is another, or the factor is undefined (MET-244); kUnit: a
// scale is not one that has a size.
tl::expected<Value, ErrorCode> ConvertScale(const Value& value, Units from, Units to,
                                            PcpVersion version);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_CONVERT_SCALE_H_
