// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/testing/fake_collector.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/core/value.h"
#include "reference/pmda/pdu/result_builder.h"
#include "validator/collector/testing/fake_agents.h"
#include "validator/collector/testing/fake_parties.h"

// Its clients: how they come in, what they ask, and when.

namespace pmproof::validator::collector {
namespace {

constexpr std::size_t kMostClients = 12;  // where connections are limited

// As a client's first PDU. `code` in the old numbering.
Octets Challenge(std::int32_t code, std::uint32_t datum) {
  return Words({20, 0x7000, 0, static_cast<std::uint32_t>(code), datum});
}

}  // namespace

FakeCollector::FakeCollector(bool old, FakeFault fault)
    : old_(old),
      fault_(std::move(fault)),
      decoder_(old ? pdu::kV60 : pdu::kV72),
      values_(old ? "6.0.3" : "7.2.2") {
  for (const Role& role : kRoles) {
    if (Starts(role)) StartAgent(role);
  }
}

FakeCollector::~FakeCollector() = default;

CollectorUnderTest FakeCollector::MakeCollectorUnderTest() {
  CollectorUnderTest subject;
  subject.door = [this] { return Open(Access::kAll); };
  subject.by_unix_socket = true;
  subject.denied = [this] { return Open(Access::kDenied); };
  subject.limited = [this] { return Open(Access::kLimited); };
  subject.read_only = [this] { return Open(Access::kReadOnly); };
  subject.stubs = this;
  subject.version = Version::Parse(old_ ? "6.0.3" : "7.2.2");
  subject.limits.patience = std::chrono::minutes(1);
  subject.now = [this] { return clock_; };
  return subject;
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
  for (const Octets& pdu : reply.pdus) Write(*client.transport, pdu);
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
    Write(*agent.transport, Encoded(pdu::Error{.code = pdu::kErrNotConnected}, client.slot));
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
      Write(*agent.transport, Encoded(attr, client.slot));
    }
  }
  return {};
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
  return FakeReply::Of(ErrorOf(values_.Store(*store, client.access == Access::kReadOnly)));
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
    const bool of_stub = std::ranges::count(kRoles, pmid.domain(), &Role::domain) > 0;
    if (of_stub && agent_numval) {
      builder.AddSet(pmid, ErrorCode{*agent_numval});
    } else if (of_stub && agent_result != nullptr) {
      const pdu::ValueSet& set = agent_result->sets[from_agent++];
      builder.AddSet(fault_.corrects_pmids ? pmid : set.pmid);
      for (const pdu::InstanceValue& value : set.values) {
        builder.Add(value.instance, Value::Of(value.word));
      }
    } else if (of_stub) {
      builder.AddSet(pmid, pdu::kErrNoAgent);
    } else {
      values_.Add(pmid, profile, clients_.size(), &builder);
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

}  // namespace pmproof::validator::collector
