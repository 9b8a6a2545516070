// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/fetcher.h"

#include <algorithm>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/pmda/transport/transfer.h"
#include "validator/agent/fetch.h"
#include "validator/protocol_check/answer.h"
#include "validator/text/duration.h"

namespace pmproof::validator::agent_bench {
namespace {

using Clock = std::chrono::steady_clock;
using pmda::Deadline;
using pmda::Transfer;

// The largest PDU that is read, as in a session.
constexpr std::uint32_t kCeiling = std::uint32_t{64} << 20;

constexpr std::size_t kSetCount = 20;  // offset in RESULT

tl::unexpected<std::string> Wrong(std::string what) { return tl::unexpected(std::move(what)); }

}  // namespace

tl::expected<Fetcher, std::string> Fetcher::Start(const agent::Subject& subject) {
  Fetcher fetcher;
  fetcher.log_ = std::make_unique<agent::ExchangeLog>();
  auto session = agent::Session::Start(subject, 1, fetcher.log_.get());
  if (!session) return Wrong(session.error().because);
  fetcher.session_ = std::make_unique<agent::Session>(std::move(*session));
  if (const auto shaken = fetcher.session_->Handshake(); !shaken) {
    return Wrong(shaken.error().because);
  }
  fetcher.frames_ = std::make_unique<pdu::FrameReader>(kCeiling);
  return fetcher;
}

std::string Fetcher::InFetch(const std::string& what) const {
  return agent::FetchText(pmids_) + ": " + what;
}

tl::expected<Fetcher::Answer, std::string> Fetcher::Prepare(const std::vector<Pmid>& pmids,
                                                            std::size_t clients) {
  pmids_ = pmids;
  for (; introduced_ < clients; ++introduced_) {
    session_->Introduce(static_cast<std::int32_t>(introduced_));
  }
  clients_.clear();
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(clients); ++i) {
    Client client;
    const bool fits =
        pdu::Encode({.from = i, .body = pdu::Profile{.context = i}}, &client.profile) &&
        pdu::Encode({.from = i, .body = pdu::Fetch{.context = i, .pmids = pmids_}}, &client.fetch);
    if (!fits) return Wrong(InFetch("it cannot be encoded"));
    clients_.push_back(std::move(client));
  }
  next_ = 0;
  session_->Send(Bytes(clients_.front().profile));
  const auto fetched = agent::Fetch(*session_, pmids_);
  if (!fetched) return Wrong(fetched.error().because);
  if (auto sets = agent::WrongSets(pmids_, fetched->result()); !sets.empty()) return Wrong(sets);
  if (!session_->unread().empty()) return Wrong(InFetch("more than one answer came"));
  Answer answer{.request_bytes = clients_.front().fetch.size() +
                                 (clients > 1 ? clients_.front().profile.size() : 0),
                .answer_bytes = fetched->answer.bytes().size()};
  for (const pdu::ValueSet& set : fetched->result().sets) {
    answer.values += set.values.size();
    answer.no_values += set.values.empty() ? 1 : 0;
  }
  return answer;
}

tl::expected<Duration, std::string> Fetcher::Fetch(const std::function<bool()>& stop) {
  const Client& client = clients_[next_];
  const bool several = clients_.size() > 1;
  if (++next_ == clients_.size()) next_ = 0;

  const Clock::time_point begun = Clock::now();
  const Deadline deadline = Deadline::After(session_->limits().answer);
  std::string wrong;
  // pmcd writes each PDU by itself.
  if (several) wrong = Write(client.profile, deadline);
  if (wrong.empty()) wrong = Write(client.fetch, deadline);
  if (!wrong.empty()) return Wrong(std::move(wrong));
  const auto frame = Read(deadline, stop);
  const Clock::time_point ended = Clock::now();

  if (!frame) return tl::unexpected(frame.error());
  if (wrong = WrongAnswer(*frame); !wrong.empty()) return Wrong(std::move(wrong));
  return ended - begun;
}

std::string Fetcher::Settle() {
  constexpr std::chrono::milliseconds kLong{50};  // for what was written with the last answer
  const Transfer read = session_->channel().Read(frames_->Space(), Deadline::After(kLong));
  frames_->Commit(read.size);
  return read.moved() ? InFetch("more than one answer") : "";
}

std::string Fetcher::Write(Bytes bytes, Deadline deadline) {
  const Transfer written = pmda::WriteAll(session_->channel(), bytes, deadline);
  if (written.moved()) return "";
  if (written.outcome == Transfer::Outcome::kTimeout) {
    return InFetch("the agent did not take the request within " +
                   DurationText(Duration(session_->limits().answer).count()));
  }
  return InFetch(session_->Next().ToText());
}

tl::expected<Bytes, std::string> Fetcher::Read(Deadline deadline,
                                               const std::function<bool()>& stop) {
  constexpr std::chrono::milliseconds kGlance{100};  // a signal is seen so soon
  for (;;) {
    const auto frame = frames_->Next();
    if (!frame) return Wrong(InFetch(frame.error().ToText()));
    if (frame->has_value()) return **frame;
    const Transfer read = session_->channel().Read(
        frames_->Space(), Deadline::Sooner(deadline, Deadline::After(kGlance)));
    frames_->Commit(read.size);
    if (read.moved()) continue;
    if (read.outcome != Transfer::Outcome::kTimeout) {
      const std::string part = frames_->pending() > 0 ? "a part of an answer, then " : "";
      return Wrong(InFetch(part + session_->Next().ToText()));
    }
    if (stop()) return Wrong("interrupted");
    if (deadline.passed()) {
      return Wrong(
          InFetch("no answer within " + DurationText(Duration(session_->limits().answer).count())));
    }
  }
}

std::string Fetcher::WrongAnswer(Bytes frame) const {
  const bool is_result = pdu::LoadHeader(frame).type == pdu::PduType::kResult;
  if (!is_result || frame.size() < kSetCount + 4) {
    return InFetch(agent::Answer(frame).ToText() + ", where RESULT is due");
  }
  const std::uint32_t sets = LoadU32(frame.data() + kSetCount);
  if (sets == pmids_.size()) return frames_->pending() == 0 ? "" : InFetch("more than one answer");
  return InFetch(std::to_string(sets) + " value sets");
}

}  // namespace pmproof::validator::agent_bench
