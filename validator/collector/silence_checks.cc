// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>

#include "validator/collector/checks.h"

// CKC-051, 052, 060, 062: agents that say nothing, and what becomes of those that were dropped.

namespace pmproof::validator::collector {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kNobodys = Pmid::Of(kNoDomain, 0, 0);
constexpr std::int32_t kTimeout = -12353;
constexpr std::int32_t kNoAgent = -12386;

// The agent gets a FETCH, and only these bytes come from it.
void Starve(Trial& trial, const Role& role, Bytes reply, std::string_view about) {
  const Limits& limits = trial.subject().limits;
  Stub& agent = trial.Call(role);
  const Pmid metric = role.Metric(1);
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const auto begin = trial.subject().now();
  client.Send(FetchOf(0, {metric, kNumfetch}));
  agent.Await(pdu::PduType::kFetch);
  agent.Send(reply);
  const Fetched fetched = client.ReceiveFetched();
  const Seconds took = trial.subject().now() - begin;
  const auto* const result = trial.ExpectPdu<pdu::Result>(fetched.answer, about);
  if (result == nullptr) return;
  const std::string shown = pdu::ToText(*fetched.answer.decoded());
  if (!trial.Expect(result->sets.size() == 2, about, "two value sets", shown)) return;
  trial.Expect(result->sets[0].numval() == kTimeout, about, "numval -12353 of its metric", shown);
  trial.Expect(result->sets[1].numval() == 1, about, "the other agent's value beside it", shown);
  trial.Expect((fetched.notice & 4) != 0, about, "ERROR with bit 4 before the RESULT",
               fetched.notice == 0 ? "none" : "ERROR " + std::to_string(fetched.notice));
  trial.Expect(
      took >= Seconds(limits.reply) * 0.9 && took <= Seconds(limits.reply + limits.lateness), about,
      "an answer after " + std::to_string(Seconds(limits.reply).count()) + " s",
      "one after " + std::to_string(took.count()) + " s");
  if (!agent.AwaitDrop(about)) return;
  const unsigned next = agent.generation() + 1;
  if (trial.subject().stubs->Find(role.name, next, pmda::Deadline::Passed()) != nullptr) {
    trial.Note("the agent was started again already, so that it was not asked once more");
    return;
  }
  trial.ExpectNumval(client.Fetch(FetchOf(0, {metric})).answer, metric, kNoAgent,
                     std::string(about) + ", then FETCH again");
}

void Silent(Trial& trial) {  // CKC-051
  Starve(trial, kSilent, {}, "FETCH at which the agent stays silent");
}

void HalfResult(Trial& trial) {  // CKC-052
  const Octets whole = ResultOf({{kHalf.Metric(1), 1}});
  Starve(trial, kHalf, Bytes(whole).first(whole.size() / 2),
         "FETCH that the agent answers with half a RESULT");
}

void NeverStarted(Trial& trial) {  // CKC-060
  trial.Call(kSteady);
  Client& client = trial.Connect();
  for (const Role& role : {kNoCreds, kBadCreds, kLateCreds}) {
    const Pmid metric = role.Metric(1);
    const std::string about = "agent " + std::string(role.name);
    if (trial.decided()) return;
    StubAgent* const stub = trial.subject().stubs->Find(role.name, 1, pmda::Deadline::Passed());
    // One that was refused has no channel any more.
    if (stub != nullptr) {
      const Answer answer = stub->channel.Receive(pmda::Deadline::Passed());
      if (!trial.Expect(answer.kind() == Answer::Kind::kEnd, about, "its channel to be closed",
                        answer.ToText())) {
        continue;
      }
    }
    const Answer descriptor = client.Ask(DescReqOf(metric));
    const auto* const error = descriptor.As<pdu::Error>();
    if (error != nullptr && error->code == ErrorCode::kPmid) {
      trial.NotChecked("the collector has no entry for the agent " + std::string(role.name) +
                       " (domain " + std::to_string(role.domain) + ")");
    }
    trial.ExpectError(descriptor, pdu::kErrNoAgent, about + ", then DESC_REQ");
    trial.ExpectNumval(client.Fetch(FetchOf(0, {metric})).answer, metric, kNoAgent,
                       about + ", then FETCH");
  }
  trial.ExpectUsable(client, "three agents that were not started");
}

void Restart(Trial& trial) {  // CKC-062
  const std::string_view about = "FETCH at which an agent exits, the first that is dropped";
  Stub& agent = trial.Call(kRestarted);
  Client& client = trial.Connect();
  const Pmid metric = kRestarted.Metric(1);
  client.Fetch(FetchOf(0, {kNobodys}));
  client.Send(FetchOf(0, {metric}));
  agent.Await(pdu::PduType::kFetch);
  agent.Leave();
  const Fetched fetched = client.ReceiveFetched();
  trial.ExpectNumval(fetched.answer, metric, -12366, about);
  std::int32_t notice = fetched.notice;
  trial.Expect((notice & 4) != 0, about, "ERROR with bit 4 before the RESULT",
               "ERROR " + std::to_string(notice));
  const unsigned next = agent.generation() + 1;
  const pmda::Deadline deadline = trial.patience();
  StubAgent* stub = nullptr;
  // The collector looks after its agents when it has served a request.
  while (!trial.decided() && stub == nullptr && !deadline.passed()) {
    notice |= client.Fetch(FetchOf(0, {kNobodys})).notice;
    const auto wait =
        std::min(pmda::Deadline::Clock::duration(trial.subject().limits.patience / 100),
                 deadline.remaining());
    stub = trial.subject().stubs->Find(kRestarted.name, next, pmda::Deadline::After(wait));
  }
  if (trial.decided()) return;
  Stub& again = trial.Call(kRestarted, next);
  trial.ExpectValue(again.Serve(client, metric, ResultOf({{metric, 8}})).answer, metric, 8,
                    "FETCH of the agent that was started again");
  notice |= client.Fetch(FetchOf(0, {kNobodys})).notice;
  trial.Expect(notice == 7, about, "the state changes 4 and 3, or 7",
               "together " + std::to_string(notice));
}

constexpr std::array kChecks = {
    Check{"CKC-051"_clause, Silent},
    Check{"CKC-052"_clause, HalfResult},
    Check{"CKC-060"_clause, NeverStarted},
    Check{"CKC-062"_clause, Restart},
};

}  // namespace

std::span<const Check> SilenceChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
