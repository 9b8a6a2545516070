#include "validator/collector/testing/fake_collector.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/core/value.h"
#include "reference/pmda/pdu/result_builder.h"
#include "reference/pmda/pdu/stored_profile.h"
#include "reference/pmda/transport/transfer.h"
#include "validator/collector/puppet_agent.h"
#include "validator/collector/testing/fake_agents.h"

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kVersionMetric = Pmid::Of(kPmcdDomain, 0, 7);
constexpr Pmid kOpenDescriptors = Pmid::Of(kPmcdDomain, 0, 17);
constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
constexpr std::size_t kMostClients = 12;  // where connections are limited
constexpr std::int32_t kAgentAdded = 1;
constexpr std::int32_t kAgentRestarted = 2;
constexpr std::int32_t kAgentDropped = 4;

// As a client's first PDU. `code` in the old numbering.
Octets Challenge(std::int32_t code, std::uint32_t datum) {
  return Words({20, 0x7000, 0, static_cast<std::uint32_t>(code), datum});
}

// All that has come.
bool Pull(pmda::Transport& transport, pdu::FrameReader& frames, bool* end) {
  bool any = false;
  while (true) {
    const pmda::Transfer read = transport.Read(frames.Space(), pmda::Deadline::Passed());
    frames.Commit(read.size);
    any |= read.size > 0;
    if (read.moved()) continue;
    *end = read.outcome != pmda::Transfer::Outcome::kTimeout;
    return any;
  }
}

Octets WithFrom(Bytes bytes, std::int32_t from) {
  Octets octets(bytes.begin(), bytes.end());
  StoreU32(octets.data() + 8, static_cast<std::uint32_t>(from));
  return octets;
}

}  // namespace

struct FakeCollector::FakeClient {
  std::unique_ptr<pmda::MemoryTransport> transport;
  std::int32_t slot = 0;
  Access access = Access::kAll;
  pdu::FrameReader frames{pdu::kClientCeiling};
  bool versioned = false;
  bool wants_container = false;
  bool ended = false;
  std::int32_t untold = 0;  // state changes
  std::map<std::int32_t, std::pair<Octets, std::unique_ptr<pdu::StoredProfile>>> profiles{};
};

struct FakeCollector::FakeAgent {
  const Role* role;
  std::unique_ptr<pmda::MemoryTransport> transport;
  pdu::FrameReader frames{};
  bool dropped = false;
  bool ready = true;
  const FakeClient* profile_client = nullptr;  // whose profile it has
  std::int32_t profile_context = -1;
  Octets profile{};
  std::vector<std::int32_t> asked_by{};
};

// A client's request that an agent has not answered yet.
struct FakeCollector::Waiting {
  FakeClient* client;
  FakeAgent* agent;
  Octets request;
  pdu::PduType type;
  std::vector<Pmid> pmids{};  // of a fetch
  std::int32_t context = 0;
  bool highres = false;
  bool was_there = false;  // something had come from the agent before it was asked
};

FakeCollector::FakeCollector(bool old, FakeFault fault)
    : old_(old), fault_(std::move(fault)), decoder_(old ? pdu::kV60 : pdu::kV72) {
  for (const Role& role : kRoles) {
    if (Starts(role)) StartAgent(role);
  }
}

FakeCollector::~FakeCollector() = default;

Scene FakeCollector::MakeScene() {
  Scene scene;
  scene.door = [this] { return Open(Access::kAll); };
  scene.by_unix_socket = true;
  scene.denied = [this] { return Open(Access::kDenied); };
  scene.limited = [this] { return Open(Access::kLimited); };
  scene.read_only = [this] { return Open(Access::kReadOnly); };
  scene.theatre = this;
  scene.version = Version::Parse(old_ ? "6.0.3" : "7.2.2");
  scene.limits.patience = std::chrono::minutes(1);
  scene.now = [this] { return clock_; };
  return scene;
}

void FakeCollector::StartAgent(const Role& role) {
  pmda::MemoryPair pair = pmda::MakeMemoryPair();
  pair.agent->OnStall([this] { return Work(false); });
  FakeAgent& agent =
      agents_.emplace_back(FakeAgent{.role = &role, .transport = std::move(pair.collector)});
  agent.ready = !role.not_ready;
  const Octets opening = OpeningOf(role);
  const std::uint16_t wanted =
      role.opening == Opening::kCredsWithFlags ? fault_.flags_to_agents : 0;
  (void)pmda::WriteAll(*agent.transport, CredsOf(pdu::kProtocolVersion, wanted),
                       pmda::Deadline::Passed());
  unsigned generation = 1;
  for (const Puppet& puppet : puppets_) generation += puppet.name == role.name ? 1U : 0U;
  puppets_.push_back(Puppet{.name = role.name,
                            .generation = generation,
                            .started = clock_ - std::chrono::hours(1),
                            .channel = Channel(std::move(pair.agent))});
}

Puppet* FakeCollector::Find(std::string_view role, unsigned generation, pmda::Deadline) {
  for (auto puppet = puppets_.rbegin(); puppet != puppets_.rend(); ++puppet) {
    if (puppet->name == role) return puppet->generation >= generation ? &*puppet : nullptr;
  }
  return nullptr;
}

FakeCollector::FakeAgent* FakeCollector::AgentOf(std::uint32_t domain) {
  for (auto agent = agents_.rbegin(); agent != agents_.rend(); ++agent) {
    if (agent->role->domain == domain) return &*agent;
  }
  return nullptr;
}

Result<std::unique_ptr<pmda::Transport>> FakeCollector::Open(Access access) {
  while (Work(false)) {
  }
  pmda::MemoryPair pair = pmda::MakeMemoryPair(std::size_t{1} << 20);
  pair.collector->OnStall([this] { return Work(true); });
  std::int32_t slot = 0;
  const auto taken = [&](const FakeClient& client) { return client.slot == slot; };
  while (std::ranges::any_of(clients_, taken)) ++slot;
  const auto limited = [](const FakeClient& client) { return client.access == Access::kLimited; };
  const auto inside = static_cast<std::size_t>(std::ranges::count_if(clients_, limited));
  FakeClient& client = clients_.emplace_back(
      FakeClient{.transport = std::move(pair.agent), .slot = slot, .access = access});
  const bool full = access == Access::kLimited && inside >= kMostClients;
  FakeReply reply = FakeReply::Of(Challenge(access == Access::kDenied ? -1042
                                            : full                    ? -1043
                                                                      : 0,
                                            access == Access::kDenied || full ? 0 : 0x02010e44));
  reply.close = access == Access::kDenied || full;
  Deliver(client, {}, std::move(reply));
  return std::unique_ptr<pmda::Transport>(std::move(pair.collector));
}

void FakeCollector::Deliver(FakeClient& client, Bytes request, FakeReply reply) {
  if (fault_.answer) fault_.answer(request, &reply);
  for (const Octets& pdu : reply.pdus) {
    (void)pmda::WriteAll(*client.transport, pdu, pmda::Deadline::Passed());
  }
  if (reply.close) {
    client.transport->CloseWriting();
    client.ended = true;
  }
}

void FakeCollector::End(FakeClient& client) {
  for (FakeAgent& agent : agents_) {
    const bool asked = std::ranges::count(agent.asked_by, client.slot) > 0;
    std::erase(agent.asked_by, client.slot);
    if (agent.profile_client == &client) agent.profile_client = nullptr;
    if (agent.dropped || !agent.ready || (fault_.tells_asked_agents_only && !asked)) continue;
    (void)pmda::WriteAll(*agent.transport,
                         Encoded(pdu::Error{.code = pdu::kErrNotConnected}, client.slot),
                         pmda::Deadline::Passed());
  }
}

bool FakeCollector::Work(bool client_waits) {
  bool any = false;
  for (FakeAgent& agent : agents_) {
    // An agent that was not ready says that it is.
    bool end = false;
    if (agent.dropped || agent.ready || !Pull(*agent.transport, agent.frames, &end)) continue;
    const auto next = agent.frames.Next();
    if (next && *next) agent.ready = true;
    any = true;
  }
  if (waiting_ != nullptr && FinishWithAnswer()) return true;
  for (auto client = clients_.begin(); client != clients_.end();) {
    if (waiting_ != nullptr) break;
    any |= WorkOn(*client);
    if (client->ended && waiting_ == nullptr) {
      End(*client);
      client = clients_.erase(client);
    } else {
      ++client;
    }
  }
  if (any || !client_waits) return any;
  if (waiting_ != nullptr) {
    TimePasses();
    const bool half = waiting_->agent->frames.pending() > 0;
    Finish({}, half ? fault_.numval_of_half : fault_.numval_of_silence);
    return true;
  }
  for (FakeClient& client : clients_) {
    if (client.frames.pending() == 0) continue;
    TimePasses();
    Deliver(client, Words({5}), {.close = true});
    return true;
  }
  return false;
}

void FakeCollector::TimePasses() { clock_ += std::chrono::seconds(5); }

// Until it has nothing more, or an agent is waited for.
bool FakeCollector::WorkOn(FakeClient& client) {
  if (client.ended) return false;
  bool end = false;
  bool any = Pull(*client.transport, client.frames, &end);
  while (waiting_ == nullptr && !client.ended) {
    const auto next = client.frames.Next();
    if (!next) {
      Deliver(client, Words({0}), {.close = true});
      return true;
    }
    if (!*next) break;
    any = true;
    const Octets request((*next)->begin(), (*next)->end());
    Handle(client, request);
  }
  client.ended |= end && waiting_ == nullptr;
  return any || end;
}

void FakeCollector::Handle(FakeClient& client, Bytes request) {
  const pdu::PduType type = pdu::LoadHeader(request).type;
  if (type == pdu::PduType::kCreds) {
    Deliver(client, request, Setup(client, request));
    return;
  }
  if (!client.versioned) {
    Deliver(client, request, {.close = true});
    return;
  }
  const auto decoded = decoder_.Decode(request);
  if (client.wants_container) {
    client.wants_container = false;
    if (type == pdu::PduType::kAttr) return Deliver(client, request, {});
    return Deliver(client, request, FakeReply::Of(ErrorOf(pdu::kErrIpc)));
  }
  if (!decoded || type == pdu::PduType::kAttr) {
    return Deliver(client, request, FakeReply::Of(ErrorOf(pdu::kErrIpc)));
  }
  if (auto reply = AskAgent(client, request, *decoded)) {
    return Deliver(client, request, *std::move(reply));
  }
  if (waiting_ != nullptr) return;
  Deliver(client, request, Reply(client, request, *decoded));
}

FakeReply FakeCollector::Setup(FakeClient& client, Bytes request) {
  const auto decoded = decoder_.Decode(request);
  if (!decoded) return FakeReply::Of(ErrorOf(pdu::kErrIpc));
  const auto& credentials = std::get<pdu::Creds>(decoded->body).credentials;
  if (credentials.empty()) return {};
  if (credentials[0].type != pdu::kVersionCredential) return {.close = true};
  client.versioned = credentials[0].version() > 0;
  const std::uint16_t flags = credentials[0].flags();
  client.wants_container = (flags & pdu::kFeatureContainer) != 0;
  if ((flags & pdu::kFeatureSecure) != 0) return FakeReply::Of(ErrorOf(pdu::kErrNotConnected));
  if ((flags & pdu::kFeatureAuth) != 0) {
    return FakeReply::Of(Encoded(pdu::Attr{.value = "SCRAM-SHA-256"}));
  }
  for (FakeAgent& agent : agents_) {
    if (agent.dropped || agent.role->opening != Opening::kCredsWithFlags) continue;
    for (const pdu::Attribute attribute :
         {pdu::Attribute::kProcessId, pdu::Attribute::kGroupId, pdu::Attribute::kUserId}) {
      const pdu::Attr attr{.attribute = attribute, .value = std::string_view("17\0", 3)};
      (void)pmda::WriteAll(*agent.transport, Encoded(attr, client.slot), pmda::Deadline::Passed());
    }
  }
  return {};
}

// What is asked of a puppet, or of one that is gone. Nothing: it is not, or it waits now.
std::optional<FakeReply> FakeCollector::AskAgent(FakeClient& client, Bytes request,
                                                 const pdu::Pdu& pdu) {
  std::uint32_t domain = 0;
  if (const auto* const body = std::get_if<pdu::DescReq>(&pdu.body)) domain = body->pmid.domain();
  if (const auto* const body = std::get_if<pdu::InstanceReq>(&pdu.body)) {
    domain = body->indom.domain();
  }
  if (const auto* const body = std::get_if<pdu::TextReq>(&pdu.body)) {
    domain = Pmid{body->identifier}.domain();
  }
  if (const auto* const body = std::get_if<pdu::LabelReq>(&pdu.body)) {
    domain = body->type == 4 ? Indom{body->identifier}.domain() : 0;
  }
  if (const auto* const body = std::get_if<pdu::PmnsIds>(&pdu.body)) {
    domain = body->pmids[0].domain();
  }
  if (const auto* const body = std::get_if<pdu::Result>(&pdu.body)) {
    domain = body->sets.empty() ? 0 : body->sets[0].pmid.domain();
  }
  const bool role = std::ranges::count(kRoles, domain, &Role::domain) > 0;
  if (!role) return std::nullopt;
  FakeAgent* const agent = AgentOf(domain);
  if (agent == nullptr || agent->dropped) return FakeReply::Of(ErrorOf(pdu::kErrNoAgent));
  if (!agent->ready) return FakeReply::Of(ErrorOf(ErrorCode::kAgain));
  if (client.access == Access::kReadOnly) return FakeReply::Of(ErrorOf(pdu::kErrPermission));
  agent->asked_by.push_back(client.slot);
  (void)pmda::WriteAll(*agent->transport, WithFrom(request, client.slot), pmda::Deadline::Passed());
  waiting_ = std::make_unique<Waiting>(Waiting{.client = &client,
                                               .agent = agent,
                                               .request = Octets(request.begin(), request.end()),
                                               .type = pdu::LoadHeader(request).type});
  return std::nullopt;
}

FakeReply FakeCollector::Reply(FakeClient& client, Bytes request, const pdu::Pdu& pdu) {
  constexpr std::int32_t kContexts = 64;
  if (const auto* const profile = std::get_if<pdu::Profile>(&pdu.body)) {
    if (!old_ && profile->context >= kContexts) return FakeReply::Of(ErrorOf(ErrorCode{-11}));
    auto& [bytes, stored] = client.profiles[profile->context];
    bytes.assign(request.begin(), request.end());
    stored = std::make_unique<pdu::StoredProfile>();
    stored->Assign(*profile);
    return {};
  }
  if (const auto* const fetch = std::get_if<pdu::Fetch>(&pdu.body)) {
    return Fetch(client, request, fetch->context, {fetch->pmids.begin(), fetch->pmids.end()},
                 false);
  }
  if (const auto* const fetch = std::get_if<pdu::HighresFetch>(&pdu.body)) {
    return Fetch(client, request, fetch->context, {fetch->pmids.begin(), fetch->pmids.end()}, true);
  }
  const auto* const store = std::get_if<pdu::Result>(&pdu.body);
  if (store == nullptr) return FakeReply::Of(AnswerMetadata(pdu, old_));
  ErrorCode code = ErrorCode::kOk;
  for (const pdu::ValueSet& set : store->sets) {
    if (set.values.empty()) continue;
    if (client.access == Access::kReadOnly) {
      code = pdu::kErrPermission;
    } else if (set.pmid.domain() == kNoDomain) {
      code = pdu::kErrNoAgent;
    } else if (set.pmid != kNumfetch) {
      code = pdu::kErrPermission;
    } else if (static_cast<std::int32_t>(set.values[0].word) < 0) {
      numfetch_ = 0;
      code = pdu::kErrBadStore;
    } else {
      numfetch_ = set.values[0].word;
    }
  }
  return FakeReply::Of(ErrorOf(code));
}

void FakeCollector::SendProfile(FakeClient& client, FakeAgent& agent, std::int32_t context) {
  const Octets& profile = client.profiles.at(context).first;
  const bool same_client = fault_.profile_by_context_only || agent.profile_client == &client;
  const bool same_context = fault_.profile_by_client_only || agent.profile_context == context;
  const bool by_number = fault_.profile_by_context_only || fault_.profile_by_client_only;
  // The faults remember only that there was one.
  const bool known = agent.profile_client != nullptr && same_client && same_context &&
                     (by_number || agent.profile == profile);
  if (!known) {
    (void)pmda::WriteAll(*agent.transport, WithFrom(profile, client.slot),
                         pmda::Deadline::Passed());
  }
  agent.profile_client = &client;
  agent.profile_context = context;
  agent.profile = profile;
}

FakeReply FakeCollector::Fetch(FakeClient& client, Bytes request, std::int32_t context,
                               const std::vector<Pmid>& pmids, bool highres) {
  if (!client.profiles.contains(context)) return FakeReply::Of(ErrorOf(pdu::kErrNoProfile));
  const bool simple =
      std::ranges::any_of(pmids, [](Pmid pmid) { return pmid.domain() == kSimpleDomain; });
  if (simple) ++numfetch_;
  for (const Pmid pmid : pmids) {
    FakeAgent* const agent = AgentOf(pmid.domain());
    if (agent == nullptr || agent->dropped) continue;
    if (!agent->ready && !fault_.asks_unready) {
      return ResultReply(client, pmids, context, highres,
                         static_cast<std::int32_t>(ErrorCode::kAgain), nullptr);
    }
    bool end = false;
    (void)Pull(*agent->transport, agent->frames, &end);
    agent->asked_by.push_back(client.slot);
    SendProfile(client, *agent, context);
    (void)pmda::WriteAll(*agent->transport, WithFrom(request, client.slot),
                         pmda::Deadline::Passed());
    if (!agent->ready) {
      return ResultReply(client, pmids, context, highres,
                         static_cast<std::int32_t>(ErrorCode::kAgain), nullptr);
    }
    waiting_ = std::make_unique<Waiting>(Waiting{.client = &client,
                                                 .agent = agent,
                                                 .request = Octets(request.begin(), request.end()),
                                                 .type = pdu::PduType::kFetch,
                                                 .pmids = pmids,
                                                 .context = context,
                                                 .highres = highres,
                                                 .was_there = agent->frames.pending() > 0});
    return {};
  }
  return ResultReply(client, pmids, context, highres, std::nullopt, nullptr);
}

bool FakeCollector::FinishWithAnswer() {
  FakeAgent& agent = *waiting_->agent;
  bool end = false;
  (void)Pull(*agent.transport, agent.frames, &end);
  const auto next = agent.frames.Next();
  if (next && *next) {
    const Octets answer((*next)->begin(), (*next)->end());
    Finish(answer, std::nullopt);
    return true;
  }
  if (next && !end) return false;
  Finish({}, static_cast<std::int32_t>(pdu::kErrIpc));
  return true;
}

void FakeCollector::Finish(Bytes answer, std::optional<std::int32_t> failure) {
  if (waiting_->type == pdu::PduType::kFetch) return FinishFetch(answer, failure);
  const std::unique_ptr<Waiting> done = std::move(waiting_);
  pdu::Decoder decoder(old_ || fault_.takes_unpadded_text ? pdu::kV60 : pdu::kV72);
  const auto decoded = decoder.Decode(answer);
  const bool kept_on_error =
      (done->type != pdu::PduType::kTextReq && done->type != pdu::PduType::kResult) ||
      (done->type == pdu::PduType::kTextReq && fault_.keeps_after_text_ipc);
  Octets reply = ErrorOf(failure ? ErrorCode{*failure} : pdu::kErrIpc);
  if (!decoded) {
    Drop(*done->agent);
  } else if (const auto* const error = std::get_if<pdu::Error>(&decoded->body)) {
    reply = ErrorOf(error->code);
    if (error->code == pdu::kErrIpc && !kept_on_error) Drop(*done->agent);
  } else {
    reply = Encoded(decoded->body);
  }
  Deliver(*done->client, done->request, FakeReply::Of(std::move(reply)));
}

void FakeCollector::FinishFetch(Bytes answer, std::optional<std::int32_t> failure) {
  const std::unique_ptr<Waiting> done = std::move(waiting_);
  FakeAgent& agent = *done->agent;
  const std::uint32_t domain = agent.role->domain;
  std::vector<Pmid> asked;
  std::ranges::copy_if(done->pmids, std::back_inserter(asked),
                       [&](Pmid pmid) { return pmid.domain() == domain; });
  std::optional<std::int32_t> numval = failure;
  const auto decoded = decoder_.Decode(answer);
  const pdu::Result* const result = decoded ? std::get_if<pdu::Result>(&decoded->body) : nullptr;
  const pdu::Error* const error = decoded ? std::get_if<pdu::Error>(&decoded->body) : nullptr;
  bool drop = failure.has_value();
  if (error != nullptr) {
    const auto code = static_cast<std::int32_t>(error->code);
    numval = code < 0 || (code == 0 && fault_.zero_is_no_error) ? code : -12345;
    if (error->code == pdu::kErrPmdaNotReady) {
      numval = static_cast<std::int32_t>(ErrorCode::kAgain);
      agent.ready = false;
    }
    drop = error->code == pdu::kErrIpc ||
           (error->code == pdu::kErrTimeout && !fault_.keeps_after_timeout_code);
  } else if (!failure && (result == nullptr || result->sets.size() != asked.size())) {
    numval = decoded && result == nullptr ? fault_.numval_of_wrong_type : -12366;
    drop = true;
  } else if (result != nullptr) {
    const std::int32_t bits = result->seconds & 0xff;
    const std::int32_t told = old_ ? bits : bits & fault_.bits_told;
    Tell(told, fault_.tells_asker_only ? done->client : nullptr);
    if (done->was_there && fault_.fails_stale) numval = -12345;
  }
  FakeReply reply =
      ResultReply(*done->client, done->pmids, done->context, done->highres, numval, result);
  if (drop) {
    Drop(agent);
    const std::int32_t untold = std::exchange(done->client->untold, 0);
    reply.pdus.insert(reply.pdus.begin(), ErrorOf(ErrorCode{untold}));
  }
  Deliver(*done->client, done->request, std::move(reply));
}

FakeReply FakeCollector::ResultReply(FakeClient& client, const std::vector<Pmid>& pmids,
                                     std::int32_t context, bool highres,
                                     std::optional<std::int32_t> agent_numval,
                                     const pdu::Result* agent_result) {
  pdu::ResultBuilder builder;
  builder.Begin();
  const pdu::Profile& profile = client.profiles.at(context).second->profile();
  std::size_t from_agent = 0;
  for (const Pmid pmid : pmids) {
    const bool of_puppet = std::ranges::count(kRoles, pmid.domain(), &Role::domain) > 0;
    if (of_puppet && agent_numval) {
      builder.AddSet(pmid, ErrorCode{*agent_numval});
    } else if (of_puppet && agent_result != nullptr) {
      const pdu::ValueSet& set = agent_result->sets[from_agent++];
      builder.AddSet(fault_.corrects_pmids ? pmid : set.pmid);
      for (const pdu::InstanceValue& value : set.values) {
        builder.Add(value.instance, Value::Of(value.word));
      }
    } else if (of_puppet || pmid.domain() == kNoDomain) {
      builder.AddSet(pmid, pdu::kErrNoAgent);
    } else if (!IsKnownMetric(pmid)) {
      builder.AddSet(pmid, ErrorCode::kPmid);
    } else if (pmid == kColor) {
      builder.AddSet(pmid);
      for (std::int32_t i = 0; i < 3; ++i) {
        if (profile.Includes(Indom::Of(kSimpleDomain, 0), i)) builder.Add(i, Value::Of(i));
      }
    } else if (pmid == kVersionMetric) {
      builder.AddSet(pmid);
      builder.AddString(kInstanceNull, old_ ? "6.0.3" : "7.2.2");
    } else {
      builder.AddSet(pmid);
      const auto open = static_cast<std::uint32_t>(clients_.size());
      builder.Add(kInstanceNull, Value::Of(pmid == kNumfetch          ? numfetch_
                                           : pmid == kOpenDescriptors ? 10 + open
                                                                      : 10));
    }
  }
  FakeReply reply;
  if (const std::int32_t untold = std::exchange(client.untold, 0); untold != 0) {
    reply.pdus.push_back(ErrorOf(ErrorCode{untold}));
  }
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  Octets result;
  if (highres) {
    (void)builder.Finish(pdu::ResultBuilder::HighresEnvelope{.seconds = now / 1'000'000'000,
                                                             .nanoseconds = now % 1'000'000'000},
                         &result);
  } else {
    (void)builder.Finish(
        pdu::ResultBuilder::Envelope{
            .seconds = static_cast<std::int32_t>(now / 1'000'000'000),
            .microseconds = static_cast<std::int32_t>(now / 1000 % 1'000'000)},
        &result);
  }
  reply.pdus.push_back(std::move(result));
  return reply;
}

void FakeCollector::Drop(FakeAgent& agent) {
  agent.dropped = true;
  agent.transport->CloseWriting();
  agent.transport->CloseReading();
  Tell(kAgentDropped);
  if (!fault_.restarts || std::exchange(restarted_, true)) return;
  StartAgent(*agent.role);
  Tell(kAgentAdded | kAgentRestarted);
}

void FakeCollector::Tell(std::int32_t bits, const FakeClient* only) {
  for (FakeClient& client : clients_) {
    if (only == nullptr || &client == only) client.untold |= bits;
  }
}

}  // namespace pmproof::validator::collector
