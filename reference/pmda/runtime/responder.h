// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_RESPONDER_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_RESPONDER_H_

#include <cstdint>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/transport/deadline.h"

namespace pmproof::pmda {

// What an agent says on its channel, without the channel: bytes in, bytes out. Serve (serve.h)
// moves them; whoever wants single answers other than they are puts a Responder of his own around
// another. All calls append to `out` and leave what is in it alone.
class Responder {
 public:
  Responder() = default;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  virtual ~Responder() = default;

  // Said before anything is read: CREDS (PDU-130).
  virtual void Begin(pdu::Buffer* out) = 0;

  // One whole PDU, as a FrameReader cuts it: one answer, or none (PMD-061). kEnd: what was appended
  // is sent, then the connection is closed (PDU-135).
  enum class Next : std::uint8_t { kGoOn, kEnd };
  virtual Next Respond(Bytes request, pdu::Buffer* out) = 0;

  // Asked after each call. True: the agent has said that it is not ready, and no request is handed
  // over until it says that it is (PMD-048). For that Wake is called, at the latest when wakes()
  // has passed; too early it says nothing.
  virtual bool waiting() const { return false; }
  virtual Deadline wakes() const { return Deadline::Never(); }
  virtual void Wake(pdu::Buffer*) {}
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_RESPONDER_H_
