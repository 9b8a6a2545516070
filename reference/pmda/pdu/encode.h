// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_ENCODE_H_
#define PMPROOF_REFERENCE_PMDA_PDU_ENCODE_H_

#include <cstdint>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/pdu/pdu_error.h"

namespace pmproof::pdu {

// PDUs back to back (PDU-001). Clear it and use it again: it keeps its memory.
using Buffer = std::vector<std::uint8_t>;

// Appends one whole PDU in its canonical form: padding 0x7e, unused fields 0, value blocks in the
// order of their values, JSON texts in the order of their sets. Refused, with `out` as it was, is
// what no reader takes: an empty FETCH (PDU-056), a block or a text that does not fit its length
// field, and so on. What is written is decoded to an equal PDU by every Strictness.
tl::expected<void, PduError> Encode(const Pdu& pdu, Buffer* out);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_ENCODE_H_
