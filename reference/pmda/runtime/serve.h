// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_SERVE_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_SERVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/runtime/responder.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// How serving ended. A value; the reference agents end with status 0 after all of them (PMD-062,
// PMD-063).
struct Served {
  enum class End : std::uint8_t {
    kEndOfFile,  // the collector has gone, maybe inside a PDU (PDU-011)
    kFraming,    // no PDU can follow: `fault` (PDU-003, PDU-006, PDU-007)
    kResponder,  // the responder wanted it
    kFailed,     // the transport: `transfer`
  };
  End end = End::kEndOfFile;
  std::optional<pdu::PduError> fault{};
  Transfer transfer{};
  bool muted = false;  // nobody read the answers any more, and some were dropped (PDU-013)

  std::string ToText() const;
};

// Moves PDUs between a collector and an agent until one of them ends it. Answers are sent in order,
// and before the loop waits for the next request (PMD-061).
class Server {
 public:
  // Both live longer.
  Server(Transport& transport, Responder& responder)
      : transport_(transport), responder_(responder) {}

  Served Run();

  // One turn of it, for a transport in memory: says what is to be said and handles what has come,
  // without waiting beyond the deadline. Nothing: it goes on.
  std::optional<Served> Turn(Deadline deadline);

  // The last turn moved no byte (MemoryTransport::OnStall).
  bool idle() const { return idle_; }

  // Bytes of requests that came and were not handled: where it has ended, of one that is not whole
  // (PDU-011).
  std::size_t pending() const { return reader_.pending(); }

 private:
  std::optional<Served> Handle();
  std::optional<Served> Flush();

  Transport& transport_;
  Responder& responder_;
  pdu::FrameReader reader_;
  pdu::Buffer out_;
  bool begun_ = false;
  bool muted_ = false;
  bool idle_ = false;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_SERVE_H_
