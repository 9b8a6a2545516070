// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/trial.h"

#include <utility>

#include "reference/pmda/pdu/pdu_text.h"

namespace pmproof::validator::collector {
namespace {

constexpr std::size_t kLongestAnswer = 240;

// An answer as a message tells it, cut where it is long.
std::string Described(const Answer& answer) {
  if (answer.decoded() == nullptr) return answer.ToText();
  if (answer.As<pdu::Error>() != nullptr) return answer.ToText();
  std::string text = pdu::ToText(*answer.decoded());
  if (text.size() > kLongestAnswer) text = text.substr(0, kLongestAnswer) + " ...";
  return text;
}

Answer Nothing() { return Answer(Answer::Kind::kNothing, "not waited for"); }

}  // namespace

std::string SetText(const pdu::ValueSet& set) {
  return ToText(set.pmid) + " numval " + std::to_string(set.numval());
}

void Client::Send(Bytes bytes) {
  if (trial_->decided()) return;
  // That nobody reads any more is told by the answer that does not come.
  (void)channel_.Send(bytes, trial_->patience());
}

Answer Client::Receive() {
  return trial_->decided() ? Nothing() : channel_.Receive(trial_->patience());
}

Answer Client::Ask(Bytes request) {
  Send(request);
  return Receive();
}

Fetched Client::ReceiveFetched() {
  std::int32_t notice = 0;
  while (true) {
    Answer answer = Receive();
    const auto* const error = answer.As<pdu::Error>();
    if (error == nullptr || static_cast<std::int32_t>(error->code) <= 0) {
      return {.notice = notice, .answer = std::move(answer)};
    }
    notice |= static_cast<std::int32_t>(error->code);
  }
}

Fetched Client::Fetch(Bytes request) {
  Send(request);
  return ReceiveFetched();
}

void Client::Close() { channel_.Close(); }

Answer Stub::Receive() {
  return trial_->decided() ? Nothing() : agent_->channel.Receive(trial_->patience());
}

Answer Stub::Await(pdu::PduType type) {
  while (true) {
    Answer answer = Receive();
    if (trial_->decided()) return answer;
    if (const auto* const profile = answer.As<pdu::Profile>()) {
      ++profiles_;
      profile_.Assign(*profile);
    }
    if (answer.is_pdu() && answer.header().type == type) {
      owes_ = true;
      return answer;
    }
    const bool unanswered = answer.As<pdu::Profile>() != nullptr ||
                            answer.As<pdu::Creds>() != nullptr ||
                            answer.As<pdu::Attr>() != nullptr || answer.As<pdu::Error>() != nullptr;
    if (!unanswered) {
      trial_->Fail("agent " + std::string(role_.name) + ": expected " + ToText(type) +
                   " from the collector, got " + answer.ToText());
      return answer;
    }
  }
}

unsigned Stub::TakeProfiles() { return std::exchange(profiles_, 0); }

void Stub::Send(Bytes bytes) {
  if (trial_->decided()) return;
  owes_ = false;
  if (!bytes.empty()) (void)agent_->channel.Send(bytes, trial_->patience());
}

void Stub::Dismiss() {
  if (agent_ == nullptr) return;
  if (owes_) (void)agent_->channel.Send(ErrorOf(ErrorCode::kAgain), trial_->patience());
  // What it does later is not of this check.
  agent_->channel.LogTo(nullptr, 0);
}

Fetched Stub::Serve(Client& client, Pmid metric, Bytes reply) {
  client.Send(FetchOf(0, {metric}));
  Await(pdu::PduType::kFetch);
  Send(reply);
  return client.ReceiveFetched();
}

Answer Stub::Serve(Client& client, Bytes request, pdu::PduType type, Bytes reply) {
  client.Send(request);
  Await(type);
  Send(reply);
  return client.Receive();
}

void Stub::Leave() {
  if (trial_->decided()) return;
  owes_ = false;
  agent_->channel.Close();
}

void Stub::AwaitDrop(std::string_view about) {
  while (!trial_->decided()) {
    const Answer answer = Receive();
    if (answer.kind() == Answer::Kind::kEnd) return;
    const bool unanswered =
        answer.As<pdu::Profile>() != nullptr || answer.As<pdu::Error>() != nullptr;
    if (unanswered) continue;
    trial_->Fail(std::string(about) + ": expected the agent's channel to be closed, got " +
                 answer.ToText());
  }
}

Trial::~Trial() {
  for (Stub& stub : stubs_) stub.Dismiss();
}

void Trial::Fail(std::string because) {
  if (decided_) return;
  decided_ = true;
  verdict_ = agent::Verdict::Fail(std::move(because));
}

void Trial::NotChecked(std::string because) {
  if (decided_) return;
  decided_ = true;
  verdict_ = agent::Verdict::NotChecked(std::move(because));
}

void Trial::Note(std::string_view note) {
  if (decided_) return;
  if (!verdict_.because.empty()) verdict_.because += "; ";
  verdict_.because += note;
}

bool Trial::Expect(bool holds, std::string_view about, std::string_view expected,
                   std::string_view got) {
  if (decided_) return false;
  if (!holds) {
    Fail(std::string(about) + ": expected " + std::string(expected) + ", got " + std::string(got));
  }
  return holds;
}

Client& Trial::Knock(const CollectorUnderTest::Door& door) {
  if (decided_) return clients_.emplace_back(this, Channel(nullptr));
  auto transport = door();
  if (!transport) {
    Fail("a client cannot connect: " + transport.error().ToText());
    return clients_.emplace_back(this, Channel(nullptr));
  }
  Client& client = clients_.emplace_back(this, Channel(*std::move(transport)));
  const unsigned number = Number();
  client.channel().LogTo(log_, number);
  log_->Event(number, "a client connects");
  return client;
}

Client& Trial::Greet() {
  Client& client = Knock(subject_.door);
  const Answer challenge = client.Receive();
  const auto* const error = ExpectPdu<pdu::Error>(challenge, "connecting");
  if (error != nullptr && error->code != ErrorCode::kOk) {
    Fail("connecting: refused with " + challenge.ToText());
  }
  return client;
}

Client& Trial::Connect() { return Connect(subject_.door); }

Client& Trial::Connect(const CollectorUnderTest::Door& door) {
  Client& client = Knock(door);
  const Answer challenge = client.Receive();
  const auto* const error = ExpectPdu<pdu::Error>(challenge, "connecting");
  if (error != nullptr && error->code != ErrorCode::kOk) {
    Fail("connecting: refused with " + challenge.ToText());
  }
  client.Send(CredsOf(pdu::kProtocolVersion, 0));
  client.Send(ProfileOfAll(0));
  return client;
}

Stub& Trial::Call(const Role& role, unsigned generation) {
  if (!decided_ && subject_.stubs == nullptr) {
    NotChecked("no agents that do what they are told: see pmproof collector config --help");
  }
  StubAgent* agent = nullptr;
  if (!decided_) {
    agent = subject_.stubs->Find(role.name, generation,
                                 generation > 1 ? patience() : pmda::Deadline::Passed());
    if (generation == 1 && (agent == nullptr || agent->channel.ended())) {
      NotChecked("the collector has no agent " + std::string(role.name) + " (domain " +
                 std::to_string(role.domain) + ") any more: start it afresh");
    }
  }
  Stub& stub = stubs_.emplace_back(this, role, decided_ ? nullptr : agent);
  if (decided_ || agent == nullptr) {
    Fail("agent " + std::string(role.name) + " was not started again");
    return stub;
  }
  const unsigned number = Number();
  agent->channel.LogTo(log_, number);
  log_->Event(number,
              "the agent " + std::string(role.name) + ", domain " + std::to_string(role.domain));
  return stub;
}

void Trial::Need(Client& client, Pmid metric, std::string_view agent) {
  const Answer answer = client.Ask(DescReqOf(metric));
  if (answer.As<pdu::Error>() != nullptr) {
    NotChecked("the collector has no agent " + std::string(agent) + ": " + ToText(metric) +
               " is answered with " + answer.ToText());
  }
}

void Trial::FailType(const Answer& answer, pdu::PduType expected, std::string_view about) {
  Expect(false, about, pdu::ToText(expected), Described(answer));
}

void Trial::ExpectError(const Answer& answer, ErrorCode code, std::string_view about) {
  const auto* const error = answer.As<pdu::Error>();
  Expect(error != nullptr && error->code == code && !error->datum, about,
         "ERROR " + agent::CodeText(code), Described(answer));
}

void Trial::ExpectClosed(const Answer& answer, std::string_view about) {
  Expect(answer.kind() == Answer::Kind::kEnd, about, "the connection to be closed",
         Described(answer));
}

void Trial::ExpectUsable(Client& client, std::string_view about) {
  const Answer answer = client.Ask(ChildrenOf("", 0));
  Expect(answer.As<pdu::PmnsNames>() != nullptr, std::string(about) + ", then PMNS_CHILD of \"\"",
         "PMNS_NAMES, for the connection stays usable", Described(answer));
}

const pdu::ValueSet* Trial::OneSet(const Answer& answer, Pmid pmid, std::string_view about) {
  const auto* const result = ExpectPdu<pdu::Result>(answer, about);
  if (result == nullptr) return nullptr;
  if (!Expect(result->sets.size() == 1 && result->sets[0].pmid == pmid, about,
              "one value set, of " + ToText(pmid), Described(answer))) {
    return nullptr;
  }
  return &result->sets[0];
}

void Trial::ExpectNumval(const Answer& answer, Pmid pmid, std::int32_t numval,
                         std::string_view about) {
  const pdu::ValueSet* const set = OneSet(answer, pmid, about);
  if (set != nullptr) {
    Expect(set->numval() == numval, about, "numval " + agent::CodeText(ErrorCode(numval)),
           SetText(*set));
  }
}

void Trial::ExpectValue(const Answer& answer, Pmid pmid, std::int32_t value,
                        std::string_view about) {
  const pdu::ValueSet* const set = OneSet(answer, pmid, about);
  if (set == nullptr) return;
  const bool right = set->values.size() == 1 && set->format == pdu::ValueFormat::kInsitu &&
                     set->values[0].word == static_cast<std::uint32_t>(value);
  Expect(right, about, "the value " + std::to_string(value), Described(answer));
}

}  // namespace pmproof::validator::collector
