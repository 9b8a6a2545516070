// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_FRAME_READER_H_
#define PMPROOF_REFERENCE_PMDA_PDU_FRAME_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/pdu_error.h"

namespace pmproof::pdu {

// The largest PDU that pmcd takes from a client (PDU-004), and that there can be (PDU-006).
inline constexpr std::uint32_t kClientCeiling = 65536;
inline constexpr std::uint32_t kLargestPdu = 0x7fffffff - 1024;

// Cuts a byte stream into PDUs, whatever the pieces in which it arrives (PDU-001, PDU-009). Knows
// no transport. Memory grows with the bytes that came, never with the length a header claims.
class FrameReader {
 public:
  // `ceiling` is the length of the largest PDU that is taken, in bytes, at most kLargestPdu.
  explicit FrameReader(std::uint32_t ceiling = kLargestPdu);

  // Room for at least one byte more, to read into; Commit says how many bytes were. Views of
  // earlier PDUs end here.
  std::span<std::uint8_t> Space();
  void Commit(std::size_t size);

  // The same for bytes that are in memory already.
  void Append(Bytes bytes);

  // The next whole PDU, header included: a view that holds until the next Space or Append; nothing
  // while its bytes have not all come. An error is what no reader recovers from: a length below 12
  // (PDU-003) or above the ceiling (PDU-004: PM_ERR_IPC, PDU-006: PM_ERR_TOOBIG), a type that is
  // not positive (PDU-007). It is returned again by every later call. A header is judged as soon as
  // its twelve bytes are there.
  tl::expected<std::optional<Bytes>, PduError> Next();

  // To be called when the stream has ended: an error if that was inside a PDU (PDU-011).
  tl::expected<void, PduError> AtEnd() const;

  // Bytes that came and were not yet handed out.
  std::size_t pending() const { return end_ - begin_; }
  // These bytes, as long as nothing else is called.
  Bytes unread() const { return Bytes(buffer_).subspan(begin_, pending()); }

 private:
  std::uint32_t ceiling_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;  // of what was not handed out
  std::size_t end_ = 0;    // of what came
  std::optional<PduError> fault_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_FRAME_READER_H_
