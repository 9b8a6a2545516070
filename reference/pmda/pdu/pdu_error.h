// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_PDU_ERROR_H_
#define PMPROOF_REFERENCE_PMDA_PDU_PDU_ERROR_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "reference/core/clause.h"
#include "reference/pmda/pdu/error_codes.h"

namespace pmproof::pdu {

// Why bytes are not a PDU, or a PDU cannot be bytes. `field` and `message` are literals of the
// program: a PduError is cheap to make and to keep.
struct PduError {
  ErrorCode code = kErrIpc;  // what a PCP reader answers (section 10, "malformed")
  Clause clause{};
  std::size_t offset = 0;      // in the PDU, header included; in a FrameReader, 0, 4 or 8
  std::string_view field{};    // as section 4 names it: "npmid"
  std::string_view message{};  // "is not 28 + 4 * npmid"

  // "offset 24: npmid is not ... [PDU-056]"
  std::string ToText() const;

  friend bool operator==(const PduError&, const PduError&) = default;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_PDU_ERROR_H_
