// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_COLLECTOR_SESSION_H_
#define PMPROOF_REFERENCE_PMDA_PDU_COLLECTOR_SESSION_H_

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// Why a session cannot go on, or got no answer. A value.
struct SessionFailure {
  enum class Kind : std::uint8_t {
    kTimeout,     // nothing whole came before the deadline
    kEndOfFile,   // the agent has closed its side; also inside a PDU (PDU-011)
    kBroken,      // writing: nobody reads any more; or the system refused
    kFraming,     // no reader recovers from what came (PDU-003, PDU-007)
    kDecoding,    // a whole PDU came that is none; the session goes on
    kUnsendable,  // the request cannot be a PDU; nothing was sent
  };

  Kind kind = Kind::kBroken;
  pdu::PduError error{};  // of kFraming, kDecoding, kUnsendable
  int system_error = 0;   // errno of kBroken

  std::string ToText() const;
};

// The first PDU of an agent (PDU-130).
struct AgentGreeting {
  std::int32_t from = 0;  // its process, most likely
  std::uint8_t version = 0;
  std::uint16_t flags = 0;
};

// The collector's side of a connection to an agent: whole PDUs out and in, one request at a time.
// Knows no rule about what answers what. A resource that uses a transport which outlives it.
class Session {
 public:
  explicit Session(Transport& transport) : transport_(&transport) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Waits for the agent's CREDS and answers with ours (PDU-131). Another PDU is kDecoding with
  // clause PDU-132.
  tl::expected<AgentGreeting, SessionFailure> Greet(Deadline deadline);

  // One PDU that is not answered.
  tl::expected<void, SessionFailure> Send(const pdu::Pdu& request, Deadline deadline);
  // The next PDU that comes. It holds until the next call.
  tl::expected<pdu::Pdu, SessionFailure> Receive(Deadline deadline);
  // Both; writes and reads at once, so that neither end can stall the other.
  tl::expected<pdu::Pdu, SessionFailure> Ask(const pdu::Pdu& request, Deadline deadline);

  // The bytes of the PDU sent last, and of the one received last (empty after a failure but
  // kDecoding). They hold until the next call.
  Bytes sent() const { return out_; }
  Bytes received() const { return received_; }

 private:
  tl::expected<bool, SessionFailure> TakeFrame();

  Transport* transport_;
  pdu::FrameReader frames_;
  pdu::Decoder decoder_;
  pdu::Buffer out_;
  Bytes received_{};
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_PDU_COLLECTOR_SESSION_H_
