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

// Silences after which a check ends, so that it does not wait for ever.
constexpr unsigned kMostSilences = 10;
// What is left of the patience after the first: far more than a collector needs that is at work.
constexpr unsigned kPatienceAfterSilence = 15;

}  // namespace

std::string SetText(const pdu::ValueSet& set) {
  return ToText(set.pmid) + " numval " + std::to_string(set.numval());
}

void Client::Send(Bytes bytes) {
  if (trial_->decided()) return;
  if (!BackInStep()) return trial_->Stop();
  has_profiles_ |=
      bytes.size() >= pdu::kHeaderSize && pdu::LoadHeader(bytes).type == pdu::PduType::kProfile;
  // That nobody reads any more is told by the answer that does not come.
  (void)channel_.Send(bytes, trial_->patience());
}

Answer Client::Receive() { return trial_->decided() ? Nothing() : trial_->Receive(channel_); }

bool Client::BackInStep() {
  if (door_ == nullptr || offences_ == trial_->offences()) return true;
  offences_ = trial_->offences();
  if (trial_->silences_ >= kMostSilences) return false;
  if (AnswersInTurn()) return true;
  if (has_profiles_) return false;
  trial_->SetUp(*this);
  return !trial_->decided();
}

// Two requests whose answers are of different types: what comes before those is left over.
bool Client::AnswersInTurn() {
  constexpr int kMostLeftOver = 8;
  for (const Octets& request : {ChildrenOf("", 0), DescReqOf(Pmid::Of(kNoDomain, 0, 0))}) {
    if (!channel_.Send(request, trial_->patience())) return false;
  }
  bool names = false;
  for (int i = 0; i < kMostLeftOver; ++i) {
    const Answer answer = trial_->Receive(channel_);
    if (!answer.is_pdu()) return false;
    const auto* const error = answer.As<pdu::Error>();
    if (names && error != nullptr && error->code == ErrorCode::kPmid) return true;
    names = answer.As<pdu::PmnsNames>() != nullptr;
  }
  return false;
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

Answer Stub::Receive() { return trial_->decided() ? Nothing() : trial_->Receive(agent_->channel); }

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

bool Stub::AwaitDrop(std::string_view about) {
  while (!trial_->decided()) {
    const Answer answer = Receive();
    if (answer.kind() == Answer::Kind::kEnd) return true;
    const bool unanswered =
        answer.As<pdu::Profile>() != nullptr || answer.As<pdu::Error>() != nullptr;
    if (unanswered) continue;
    trial_->Expect(false, about, "the agent's channel to be closed", answer.ToText());
    break;
  }
  return false;
}

Trial::~Trial() {
  for (Stub& stub : stubs_) stub.Dismiss();
}

void Trial::NoteOffence(std::string because) {
  if (offences_.Add(std::move(because))) log_->Offence(at_);
}

void Trial::Fail(std::string because) {
  if (decided_) return;
  NoteOffence(std::move(because));
  decided_ = true;
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
    NoteOffence(std::string(about) + ": expected " + std::string(expected) + ", got " +
                std::string(got));
  }
  return holds;
}

pmda::Deadline Trial::patience() const {
  const Limits::Duration patience = subject_.limits.patience;
  return pmda::Deadline::After(silences_ == 0 ? patience : patience / kPatienceAfterSilence);
}

Answer Trial::Receive(Channel& channel) {
  at_ = channel.number();
  Answer answer = channel.Receive(patience());
  if (answer.kind() == Answer::Kind::kNothing) ++silences_;
  return answer;
}

Channel Trial::Open(const CollectorUnderTest::Door& door) {
  if (decided_) return Channel(nullptr);
  auto transport = door();
  if (!transport) {
    Fail("a client cannot connect: " + transport.error().ToText());
    return Channel(nullptr);
  }
  Channel channel(*std::move(transport));
  const unsigned number = Number();
  channel.LogTo(log_, number);
  log_->Event(number, "a client connects");
  return channel;
}

void Trial::Welcome(Client& client) {
  const Answer challenge = client.Receive();
  const auto* const error = ExpectPdu<pdu::Error>(challenge, "connecting");
  if (error == nullptr) return Stop();
  if (error->code != ErrorCode::kOk) Fail("connecting: refused with " + challenge.ToText());
}

void Trial::SetUp(Client& client) {
  if (silences_ >= kMostSilences && offences_.any()) Stop();
  client.channel_ = Open(*client.door_);
  client.offences_ = offences();
  Welcome(client);
  if (decided_) return;
  for (const Octets& bytes : {CredsOf(pdu::kProtocolVersion, 0), ProfileOfAll(0)}) {
    (void)client.channel_.Send(bytes, patience());
  }
}

Client& Trial::Knock(const CollectorUnderTest::Door& door) {
  return clients_.emplace_back(this, Open(door), nullptr);
}

Client& Trial::Greet() {
  Client& client = Knock(subject_.door);
  Welcome(client);
  return client;
}

Client& Trial::Connect() { return Connect(subject_.door); }

Client& Trial::Connect(const CollectorUnderTest::Door& door) {
  Client& client = clients_.emplace_back(this, Channel(nullptr), &door);
  SetUp(client);
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
