// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/channel.h"

#include <string>
#include <utility>

#include "reference/pmda/transport/transfer.h"

namespace pmproof::validator::collector {

Channel::Channel(std::unique_ptr<pmda::Transport> transport) : transport_(std::move(transport)) {}

void Channel::LogTo(agent::ExchangeLog* log, unsigned number) {
  log_ = log;
  number_ = number;
}

bool Channel::Send(Bytes bytes, pmda::Deadline deadline) {
  if (transport_ == nullptr) return false;
  const pmda::Transfer done = pmda::WriteAll(*transport_, bytes, deadline);
  if (log_ != nullptr && done.size > 0) log_->Sent(number_, bytes.first(done.size));
  if (log_ != nullptr && !done.moved()) log_->Event(number_, "sending: " + ToText(done));
  return done.moved();
}

Answer Channel::Partial(Answer::Kind kind, const char* what) const {
  if (log_ != nullptr) log_->Event(number_, what);
  const std::size_t pending = frames_.pending();
  if (pending == 0) return Answer(kind);
  return Answer(kind, "after " + std::to_string(pending) + " bytes of a PDU");
}

Answer Channel::Receive(pmda::Deadline deadline) {
  if (transport_ == nullptr) return Answer(Answer::Kind::kEnd, "closed by pmproof");
  while (true) {
    const auto next = frames_.Next();
    if (!next) {
      if (log_ != nullptr) log_->Event(number_, "received bytes that are not a PDU");
      return Answer(Answer::Kind::kNoFraming, next.error().ToText());
    }
    if (*next) {
      if (log_ != nullptr) log_->Received(number_, **next);
      return Answer(**next);
    }
    const std::span<std::uint8_t> space = frames_.Space();
    const pmda::Transfer read = transport_->Read(space, deadline);
    frames_.Commit(read.size);
    if (read.moved()) continue;
    if (read.outcome == pmda::Transfer::Outcome::kTimeout) {
      return Partial(Answer::Kind::kNothing, "nothing more came");
    }
    return Partial(Answer::Kind::kEnd, "closed by the other end");
  }
}

bool Channel::WaitForInput(pmda::Deadline deadline) {
  if (transport_ == nullptr || frames_.pending() > 0) return true;
  return transport_->Wait({.read = true}, deadline).read;
}

bool Channel::ended() {
  while (transport_ != nullptr) {
    const pmda::Transfer read = transport_->Read(frames_.Space(), pmda::Deadline::Passed());
    frames_.Commit(read.size);
    if (!read.moved()) return read.outcome != pmda::Transfer::Outcome::kTimeout;
  }
  return true;
}

void Channel::Close() {
  if (transport_ == nullptr) return;
  transport_.reset();
  if (log_ != nullptr) log_->Event(number_, "closed by pmproof");
}

}  // namespace pmproof::validator::collector
