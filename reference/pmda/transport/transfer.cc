// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/transfer.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace pmproof::pmda {
namespace {

using Outcome = Transfer::Outcome;

std::string Counted(std::size_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

// The same bytes, counted from what was moved before.
Transfer After(std::size_t size, Transfer transfer) {
  transfer.size += size;
  return transfer;
}

}  // namespace

std::string ToText(const Transfer& transfer) {
  std::string text;
  switch (transfer.outcome) {
    case Outcome::kMoved:
      return "moved " + Counted(transfer.size);
    case Outcome::kTimeout:
      text = "no more in time";
      break;
    case Outcome::kEndOfFile:
      text = "end of file";
      break;
    case Outcome::kBroken:
      text = "broken";
      break;
    case Outcome::kClosed:
      text = "closed on this side";
      break;
    case Outcome::kFailed:
      text = "failed";
      break;
  }
  if (transfer.error != 0) text += ": " + std::generic_category().message(transfer.error);
  if (transfer.size > 0) text += " after " + Counted(transfer.size);
  return text;
}

Transfer WriteAll(Transport& transport, Bytes bytes, Deadline deadline) {
  std::size_t size = 0;
  while (size < bytes.size()) {
    const Transfer written = transport.Write(bytes.subspan(size), deadline);
    if (!written.moved()) return After(size, written);
    size += written.size;
  }
  return {Outcome::kMoved, size};
}

Transfer ReadExactly(Transport& transport, std::span<std::uint8_t> into, Deadline deadline) {
  std::size_t size = 0;
  while (size < into.size()) {
    const Transfer read = transport.Read(into.subspan(size), deadline);
    if (!read.moved()) return After(size, read);
    size += read.size;
  }
  return {Outcome::kMoved, size};
}

Transfer WriteInPieces(Transport& transport, Bytes bytes, const Pieces& pieces, Deadline deadline) {
  std::size_t size = 0;
  for (std::size_t i = 0; size < bytes.size(); ++i) {
    if (i > 0 && pieces.pause > pieces.pause.zero())
      std::this_thread::sleep_for(std::min(pieces.pause, deadline.remaining()));
    const std::size_t wanted =
        pieces.sizes.empty() ? 1 : pieces.sizes[std::min(i, pieces.sizes.size() - 1)];
    const std::size_t piece = std::min(std::max<std::size_t>(wanted, 1), bytes.size() - size);
    const Transfer written = WriteAll(transport, bytes.subspan(size, piece), deadline);
    if (!written.moved()) return After(size, written);
    size += piece;
  }
  return {Outcome::kMoved, size};
}

Transfer ReadUntilQuiet(Transport& transport, std::vector<std::uint8_t>& into,
                        Deadline::Clock::duration quiet, std::size_t limit, Deadline deadline) {
  constexpr std::size_t kChunk = 65536;
  std::size_t size = 0;
  while (size < limit) {
    const Deadline quiet_until = Deadline::After(quiet);
    const std::size_t before = into.size();
    into.resize(before + std::min(kChunk, limit - size));
    const Transfer read =
        transport.Read(std::span(into).subspan(before), Deadline::Sooner(quiet_until, deadline));
    into.resize(before + read.size);
    size += read.size;
    // In memory nothing is waited for, so that only the deadline itself tells the two apart.
    if (read.outcome == Outcome::kTimeout)
      return {deadline.passed() ? Outcome::kTimeout : Outcome::kMoved, size};
    if (!read.moved()) return After(size, {read.outcome, 0, read.error});
    if (deadline.passed()) return {Outcome::kTimeout, size};
  }
  return {Outcome::kMoved, size};
}

Transfer FillUntilStalled(Transport& transport, Bytes unit, Deadline::Clock::duration quiet,
                          std::size_t limit, Deadline deadline) {
  if (unit.empty()) return {};
  // Many units a call: a channel of 64 KiB is full soon, one of megabytes not much later.
  std::vector<std::uint8_t> many;
  do many.insert(many.end(), unit.begin(), unit.end());
  while (many.size() < 16384);

  std::size_t size = 0;
  while (size < limit) {
    const std::size_t begin = size % many.size();
    const Bytes next = Bytes(many).subspan(begin, std::min(many.size() - begin, limit - size));
    const Transfer written =
        transport.Write(next, Deadline::Sooner(Deadline::After(quiet), deadline));
    size += written.size;
    if (!written.moved()) return {written.outcome, size, written.error};
  }
  return {Outcome::kMoved, size};
}

Exchanged Exchange(Transport& transport, Bytes bytes, const std::function<bool(Bytes)>& sink,
                   Deadline deadline) {
  constexpr std::size_t kChunk = 65536;
  std::vector<std::uint8_t> chunk(kChunk);
  Exchanged exchanged;
  bool writing = !bytes.empty();
  bool reading = true;
  while (writing || reading) {
    const Transport::Readiness ready = transport.Wait({reading, writing}, deadline);
    if (!ready.read && !ready.write) {
      if (writing) exchanged.written.outcome = Outcome::kTimeout;
      if (reading) exchanged.read.outcome = Outcome::kTimeout;
      return exchanged;
    }
    if (ready.write) {
      const std::size_t size = exchanged.written.size;
      exchanged.written = After(size, transport.Write(bytes.subspan(size), Deadline::Passed()));
      if (exchanged.written.outcome == Outcome::kTimeout)
        exchanged.written.outcome = Outcome::kMoved;
      writing = exchanged.written.moved() && exchanged.written.size < bytes.size();
    }
    if (ready.read) {
      const Transfer read = transport.Read(chunk, Deadline::Passed());
      exchanged.read.size += read.size;
      if (read.moved()) {
        reading = sink(Bytes(chunk).first(read.size));
      } else if (read.outcome != Outcome::kTimeout) {
        exchanged.read.outcome = read.outcome;
        exchanged.read.error = read.error;
        if (writing) exchanged.written.outcome = Outcome::kTimeout;
        return exchanged;
      }
    }
    if (deadline.passed() && (writing || reading)) {
      if (writing) exchanged.written.outcome = Outcome::kTimeout;
      if (reading) exchanged.read.outcome = Outcome::kTimeout;
      return exchanged;
    }
  }
  return exchanged;
}

}  // namespace pmproof::pmda
