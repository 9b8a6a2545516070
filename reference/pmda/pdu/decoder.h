// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_DECODER_H_
#define PMPROOF_REFERENCE_PMDA_PDU_DECODER_H_

#include <memory>
#include <tl/expected.hpp>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/departure.h"
#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/pdu/pdu_error.h"
#include "reference/pmda/pdu/strictness.h"

namespace pmproof::pdu {

struct DecodedLists;

// Bytes of one whole PDU, header included, to a Pdu. Bounded by the bytes in memory and in time;
// it keeps its memory, so that decoding PDUs of the same size again allocates nothing.
//
// A decoded PDU holds until the next call of Decode, and no longer than the bytes: its lists belong
// to the decoder, its texts and the bodies of its values are the bytes themselves.
class Decoder {
 public:
  explicit Decoder(const Strictness& strictness = kV72);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // An unknown type, or CONTROL_REQ, is an error with clause PDU-020 and code PM_ERR_IPC: pmcd
  // answers that, an agent stays silent (PMD-070).
  tl::expected<Pdu, PduError> Decode(Bytes pdu);

  // What was overlooked in the PDU decoded last; empty after an error.
  Departures departures() const { return departures_; }

 private:
  Strictness strictness_;
  Departures departures_;
  std::unique_ptr<DecodedLists> lists_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_DECODER_H_
