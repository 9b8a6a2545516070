// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/serve.h"

#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

// Answers are handed on when there are so many bytes of them, and at the latest when no whole
// request is left.
constexpr std::size_t kEnough = 65536;

// So many bytes of requests are taken while the agent is not ready; then the channel fills up. It
// is read at all so that its end is seen (PMD-062).
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

}  // namespace

std::string Served::ToText() const {
  switch (end) {
    case End::kEndOfFile:
      return "end of file";
    case End::kFraming:
      return fault ? fault->ToText() : "no PDU";
    case End::kResponder:
      return "ended by the agent";
    case End::kFailed:
      break;
  }
  return pmda::ToText(transfer);
}

Served Server::Run() {
  while (true) {
    if (auto served = Turn(Deadline::Never())) return *served;
  }
}

std::optional<Served> Server::Turn(Deadline deadline) {
  idle_ = true;
  if (!begun_) {
    begun_ = true;
    responder_.Begin(&out_);
  }
  if (auto served = Flush()) return served;
  const bool waiting = responder_.waiting();
  if (waiting) {
    deadline = Deadline::Sooner(deadline, responder_.wakes());
    responder_.Wake(&out_);
    if (auto served = Flush()) return served;
    if (!responder_.waiting()) return Handle();
    if (reader_.pending() > kMostWaiting) {
      (void)transport_.Wait({}, deadline);
      return std::nullopt;
    }
  }
  const Transfer read = transport_.Read(reader_.Space(), deadline);
  reader_.Commit(read.size);
  if (read.size > 0) idle_ = false;
  switch (read.outcome) {
    case Transfer::Outcome::kMoved:
      return responder_.waiting() ? std::nullopt : Handle();
    case Transfer::Outcome::kTimeout:
      return std::nullopt;
    case Transfer::Outcome::kEndOfFile:
    case Transfer::Outcome::kBroken:
    case Transfer::Outcome::kClosed:
      return Served{.end = Served::End::kEndOfFile, .transfer = read, .muted = muted_};
    case Transfer::Outcome::kFailed:
      break;
  }
  return Served{.end = Served::End::kFailed, .transfer = read, .muted = muted_};
}

std::optional<Served> Server::Handle() {
  while (!responder_.waiting()) {
    const auto request = reader_.Next();
    if (!request) {
      if (auto served = Flush()) return served;
      return Served{.end = Served::End::kFraming, .fault = request.error(), .muted = muted_};
    }
    if (!*request) break;
    const bool ends = responder_.Respond(**request, &out_) == Responder::Next::kEnd;
    if (ends || out_.size() >= kEnough) {
      if (auto served = Flush()) return served;
    }
    if (ends) return Served{.end = Served::End::kResponder, .muted = muted_};
  }
  return Flush();
}

// PDU-013: whoever does not read any more may still be writing.
std::optional<Served> Server::Flush() {
  if (out_.empty()) return std::nullopt;
  std::optional<Served> served;
  if (!muted_) {
    const Transfer written = WriteAll(transport_, out_, Deadline::Never());
    if (written.size > 0) idle_ = false;
    if (written.outcome == Transfer::Outcome::kFailed) {
      served = Served{.end = Served::End::kFailed, .transfer = written};
    } else if (written.outcome == Transfer::Outcome::kTimeout) {  // in memory: it will read later
      out_.erase(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(written.size));
      return std::nullopt;
    } else if (!written.moved()) {
      muted_ = true;
    }
  }
  out_.clear();
  return served;
}

}  // namespace pmproof::pmda
