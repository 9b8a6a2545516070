// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "validator/collector/stub_agent_process.h"
#include "validator/collector/testing/fake_collector.h"
#include "validator/collector/testing/fake_parties.h"

// Its stub agents: how they are started, asked, waited for and dropped.

namespace pmproof::validator::collector {
namespace {

constexpr std::int32_t kAgentAdded = 1;
constexpr std::int32_t kAgentRestarted = 2;
constexpr std::int32_t kAgentDropped = 4;

}  // namespace

void FakeCollector::StartAgent(const Role& role) {
  pmda::MemoryPair pair = pmda::MakeMemoryPair();
  pair.agent->OnStall([this] { return Work(false); });
  FakeAgent& agent =
      agents_.emplace_back(FakeAgent{.role = &role, .transport = std::move(pair.collector)});
  agent.ready = !role.not_ready;
  const Octets opening = OpeningOf(role);
  const std::uint16_t wanted =
      role.opening == Opening::kCredsWithFlags ? fault_.flags_to_agents : 0;
  Write(*agent.transport, CredsOf(pdu::kProtocolVersion, wanted));
  unsigned generation = 1;
  for (const StubAgent& stub : stubs_) generation += stub.name == role.name ? 1U : 0U;
  stubs_.push_back(StubAgent{.name = role.name,
                             .generation = generation,
                             .started = clock_ - std::chrono::hours(1),
                             .channel = Channel(std::move(pair.agent))});
}

StubAgent* FakeCollector::Find(std::string_view role, unsigned generation, pmda::Deadline) {
  for (auto stub = stubs_.rbegin(); stub != stubs_.rend(); ++stub) {
    if (stub->name == role) return stub->generation >= generation ? &*stub : nullptr;
  }
  return nullptr;
}

FakeCollector::FakeAgent* FakeCollector::AgentOf(std::uint32_t domain) {
  for (auto agent = agents_.rbegin(); agent != agents_.rend(); ++agent) {
    if (agent->role->domain == domain) return &*agent;
  }
  return nullptr;
}

// What is asked of a stub agent, or of one that is gone. Nothing: it is not, or it waits now.
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
  Write(*agent->transport, WithFrom(request, client.slot));
  waiting_ = std::make_unique<Waiting>(Waiting{.client = &client,
                                               .agent = agent,
                                               .request = Octets(request.begin(), request.end()),
                                               .type = pdu::LoadHeader(request).type});
  return std::nullopt;
}

void FakeCollector::SendProfile(FakeClient& client, FakeAgent& agent, std::int32_t context) {
  const Octets& profile = client.profiles.at(context).first;
  const bool same_client = fault_.profile_by_context_only || agent.profile_client == &client;
  const bool same_context = fault_.profile_by_client_only || agent.profile_context == context;
  const bool by_number = fault_.profile_by_context_only || fault_.profile_by_client_only;
  // The faults remember only that there was one.
  const bool known = agent.profile_client != nullptr && same_client && same_context &&
                     (by_number || agent.profile == profile);
  if (!known) Write(*agent.transport, WithFrom(profile, client.slot));
  agent.profile_client = &client;
  agent.profile_context = context;
  agent.profile = profile;
}

FakeReply FakeCollector::Fetch(FakeClient& client, Bytes request, std::int32_t context,
                               const std::vector<Pmid>& pmids, bool highres) {
  if (!client.profiles.contains(context)) return FakeReply::Of(ErrorOf(pdu::kErrNoProfile));
  values_.OnFetch(pmids);
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
    Write(*agent->transport, WithFrom(request, client.slot));
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
    const std::int32_t visible = old_ ? bits : bits & fault_.visible_bits;
    Tell(visible, fault_.tells_asker_only ? done->client : nullptr);
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
