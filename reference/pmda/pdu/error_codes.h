// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_ERROR_CODES_H_
#define PMPROOF_REFERENCE_PMDA_PDU_ERROR_CODES_H_

#include "reference/core/error_code.h"

// The codes of section 6 that an agent and its collector exchange and that core does not name: the
// enumeration there is open, and so is this list (PDU-120).

namespace pmproof::pdu {

inline constexpr ErrorCode kErrText{-12349};
inline constexpr ErrorCode kErrAppVersion{-12350};
inline constexpr ErrorCode kErrTimeout{-12353};
inline constexpr ErrorCode kErrProfile{-12365};
inline constexpr ErrorCode kErrIpc{-12366};
inline constexpr ErrorCode kErrNoProfile{-12381};
inline constexpr ErrorCode kErrNoAgent{-12386};
inline constexpr ErrorCode kErrPermission{-12387};
inline constexpr ErrorCode kErrConnectionLimit{-12388};
inline constexpr ErrorCode kErrNotConnected{-12391};
inline constexpr ErrorCode kErrBadStore{-12400};
inline constexpr ErrorCode kErrPmdaFenced{-12411};
inline constexpr ErrorCode kErrTooSmall{-12443};
inline constexpr ErrorCode kErrTooBig{-12444};
inline constexpr ErrorCode kErrPmdaReady{-13393};
inline constexpr ErrorCode kErrPmdaNotReady{-13394};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_ERROR_CODES_H_
