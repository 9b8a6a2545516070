// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSPORT_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSPORT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "reference/core/bytes.h"
#include "reference/pmda/transport/deadline.h"

namespace pmproof::pmda {

// What came of moving bytes. That the other end is gone is a value, not an error.
struct Transfer {
  enum class Outcome : std::uint8_t {
    kMoved,      // what the call promises was done
    kTimeout,    // the deadline passed first
    kEndOfFile,  // reading: the other end has closed its writing side, and all it wrote was read
    kBroken,     // writing: nobody reads any more; reading: the connection was reset
    kClosed,     // this end has closed this direction itself
    kFailed,     // the system refused: `error`
  };

  Outcome outcome = Outcome::kMoved;
  std::size_t size = 0;  // bytes moved, whatever the outcome
  int error = 0;         // errno of kFailed and kBroken, else 0

  bool moved() const { return outcome == Outcome::kMoved; }
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

// "moved 12 bytes", "end of file", "broken: Connection reset by peer" ...
std::string ToText(const Transfer& transfer);

// A connection between a collector and an agent: a stream of bytes in either direction (PDU-001).
// It knows no PDU. A resource; its destructor closes both directions. One thread at a time; two
// transports are independent of each other. No call raises SIGPIPE, and none changes how the
// process handles it (PDU-013).
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // Waits until there are bytes, and moves as many as there are and fit: kMoved means at least one
  // (none if `into` is empty). What is there is given even if the deadline has passed.
  virtual Transfer Read(std::span<std::uint8_t> into, Deadline deadline) = 0;

  // Waits until the channel takes bytes, and moves as many as it takes at once: kMoved means at
  // least one (none if `from` is empty). WriteAll (transfer.h) goes on to the end.
  virtual Transfer Write(Bytes from, Deadline deadline) = 0;

  // Waits until one of the directions wanted would not block. Closed, ended and broken directions
  // are ready: a call tells at once.
  struct Readiness {
    bool read = false;
    bool write = false;
    friend bool operator==(const Readiness&, const Readiness&) = default;
  };
  virtual Readiness Wait(Readiness wanted, Deadline deadline) = 0;

  // Closes one direction; the other stays as it is (CKA-009..012). After CloseWriting the other end
  // reads what was written and then end-of-file. After CloseReading its writing is broken, except
  // over inet and ipv6: TCP has no such half-close, and what it writes is thrown away.
  virtual void CloseWriting() = 0;
  virtual void CloseReading() = 0;

  // For poll() over several transports; -1 if closed or in memory.
  virtual int read_descriptor() const = 0;
  virtual int write_descriptor() const = 0;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSPORT_H_
