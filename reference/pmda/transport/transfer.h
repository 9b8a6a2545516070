// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSFER_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSFER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/transport.h"

// Ways to move more than one call of a Transport does. Everywhere `size` of the result counts what
// was moved before the outcome, so that nothing is lost track of.
namespace pmproof::pmda {

// kMoved: all of `bytes`.
Transfer WriteAll(Transport& transport, Bytes bytes, Deadline deadline);

// kMoved: `into` is full. kEndOfFile with size > 0: the stream ended inside (PDU-011).
Transfer ReadExactly(Transport& transport, std::span<std::uint8_t> into, Deadline deadline);

// How a message is cut up (PDU-009, CKA-151): pieces of these sizes, the last size over and over;
// zeros count as 1, no sizes as {1}.
struct Pieces {
  std::vector<std::size_t> sizes{1};
  Deadline::Clock::duration pause{};  // between two pieces
};
Transfer WriteInPieces(Transport& transport, Bytes bytes, const Pieces& pieces, Deadline deadline);

// Appends what comes until nothing has come for `quiet` (kMoved: it was quiet), but not more than
// `limit` bytes (kMoved, size == limit). A talker that never pauses ends at the limit or the
// deadline.
Transfer ReadUntilQuiet(Transport& transport, std::vector<std::uint8_t>& into,
                        Deadline::Clock::duration quiet, std::size_t limit, Deadline deadline);

// Writes `unit` over and over, reading nothing, until the channel has taken no byte for `quiet`
// (kTimeout; the usual end: replies pile up and the other end stalls, CKA-153), or `limit` bytes
// were written (kMoved). size % unit.size() tells how much of the last unit is out; its rest must
// be written before anything else.
Transfer FillUntilStalled(Transport& transport, Bytes unit, Deadline::Clock::duration quiet,
                          std::size_t limit, Deadline deadline);

// Writes `bytes` and reads at the same time, so that neither end can stall the other. What comes is
// handed to `sink`, which returns false when it has enough. Ends when all is written and the sink
// has enough (kMoved), at the deadline, or when the reading side ends or breaks; a broken writing
// side only ends the writing (a reply may still be on its way).
struct Exchanged {
  Transfer written;
  Transfer read;
};
Exchanged Exchange(Transport& transport, Bytes bytes, const std::function<bool(Bytes)>& sink,
                   Deadline deadline);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_TRANSFER_H_
