// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_ERROR_CODES_H_
#define PMPROOF_REFERENCE_CORE_ERROR_CODES_H_

#include "reference/core/error_code.h"

// Codes that PCP's calls answer and that are not found on disk: beside those of ErrorCode, which is
// open (MET-1101).

namespace pmproof {

inline constexpr ErrorCode kErrPmidLog{-12378};   // no record has the metric (INT-405)
inline constexpr ErrorCode kErrTooSmall{-12443};  // no metric is asked for (INT-405)

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_ERROR_CODES_H_
