// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <thread>

#include "validator/collector/checks.h"

// CKC-056..059: state changes that agents tell, and agents that are not ready.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kOwn = kSteady.Metric(1);
constexpr Pmid kNobodys = Pmid::Of(kNoDomain, 0, 0);
constexpr std::int32_t kAgain = -12389;

// The state changes that the client is told with these fetches, one after the other.
std::vector<std::int32_t> Notices(Client& client, int fetches) {
  std::vector<std::int32_t> notices;
  for (int i = 0; i < fetches; ++i) {
    const Fetched fetched = client.Fetch(FetchOf(0, {kNobodys}));
    if (fetched.notice != 0) notices.push_back(fetched.notice);
  }
  return notices;
}

std::string Listed(const std::vector<std::int32_t>& notices) {
  std::string text;
  for (const std::int32_t notice : notices) {
    text += (text.empty() ? "ERROR " : ", ERROR ") + std::to_string(notice);
  }
  return text.empty() ? "none" : text;
}

// What the client is told after the agent has answered with these state changes.
std::vector<std::int32_t> Tell(Trial& trial, Client& client, Stub& agent, std::int32_t seconds) {
  const Fetched fetched = agent.Serve(client, kOwn, ResultOf({{kOwn, 1}}, seconds));
  trial.ExpectValue(fetched.answer, kOwn, 1,
                    "FETCH that the agent answers with seconds " + std::to_string(seconds));
  std::vector<std::int32_t> notices = Notices(client, 3);
  if (fetched.notice != 0) notices.insert(notices.begin(), fetched.notice);
  return notices;
}

void LabelsAndNames(Trial& trial) {  // CKC-056
  constexpr std::int32_t kBoth = pdu::kLabelsChanged | pdu::kNamesChanged;
  const std::vector<std::int32_t> due = {kBoth};
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  Client& other = trial.Connect();
  Notices(client, 1);
  Notices(other, 1);
  const std::vector<std::int32_t> notices = Tell(trial, client, agent, kBoth);
  trial.Expect(notices == due, "an agent's answer with 0x18 in its seconds", "ERROR 24 once",
               Listed(notices));
  const std::vector<std::int32_t> others = Notices(other, 3);
  trial.Expect(others == due, "an agent's answer with 0x18 in its seconds",
               "ERROR 24 once to another client", Listed(others));
}

void OtherBits(Trial& trial) {  // CKC-057
  const Due due = DueFrom(trial.subject().version, {{6, 1, 99}}, {{6, 2, 0}});
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  Notices(client, 1);
  const std::vector<std::int32_t> one = Tell(trial, client, agent, 1);
  if (trial.decided()) return;
  const bool forwarded = due == Due::kOld || (due == Due::kEither && !one.empty());
  trial.Expect(one == (forwarded ? std::vector<std::int32_t>{1} : std::vector<std::int32_t>{}),
               "an agent's answer with 1 in its seconds",
               forwarded ? "ERROR 1 once, as before 6.2.0" : "no state change", Listed(one));
  if (due == Due::kEither) {
    trial.Note(forwarded ? "as before 6.2.0: bit 1 is told" : "as 6.2.0 and later: bit 1 is not");
  }
  const std::vector<std::int32_t> time = Tell(trial, client, agent, 1600000000);
  trial.Expect(time.empty(), "an agent's answer with 1600000000 in its seconds", "no state change",
               Listed(time));
}

// Fetches until the agent is asked, which answers then; in the mean time it is said to be not
// ready.
void ServeWhenReady(Trial& trial, Client& client, Stub& agent, Pmid metric) {
  constexpr std::chrono::milliseconds kTurn{20};
  const pmda::Deadline deadline = trial.patience();
  client.Send(FetchOf(0, {metric}));
  while (!trial.decided()) {
    if (deadline.passed()) {
      trial.Fail("the agent has said that it is ready, but is not asked");
      return;
    }
    if (agent.agent()->channel.WaitForInput(pmda::Deadline::After(kTurn))) {
      const Answer answer = agent.Receive();
      if (answer.kind() == Answer::Kind::kEnd) {
        trial.Fail("the agent has said that it is ready, and was dropped");
        return;
      }
      if (answer.As<pdu::Fetch>() == nullptr) continue;
      agent.Send(ResultOf({{metric, 5}}));
      trial.ExpectValue(client.ReceiveFetched().answer, metric, 5,
                        "FETCH after the agent has said that it is ready");
      return;
    }
    if (!client.channel().WaitForInput(pmda::Deadline::After(kTurn))) continue;
    trial.ExpectNumval(client.ReceiveFetched().answer, metric, kAgain,
                       "FETCH at the time when the agent says that it is ready");
    client.Send(FetchOf(0, {metric}));
  }
}

void NotReadyForAWhile(Trial& trial) {  // CKC-058
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  const Pmid later = kSteady.Metric(2);
  trial.ExpectNumval(agent.Serve(client, kOwn, ErrorOf(pdu::kErrPmdaNotReady)).answer, kOwn, kAgain,
                     "FETCH that the agent answers with PM_ERR_PMDANOTREADY");
  trial.ExpectNumval(client.Fetch(FetchOf(0, {kOwn})).answer, kOwn, kAgain,
                     "FETCH while the agent is not ready");
  trial.ExpectError(client.Ask(DescReqOf(kOwn)), ErrorCode::kAgain,
                    "DESC_REQ while the agent is not ready");
  if (trial.decided()) return;
  const bool disturbed = agent.agent()->channel.WaitForInput(pmda::Deadline::Passed());
  if (disturbed) {
    const Answer answer = agent.Receive();
    const bool notice = answer.As<pdu::Error>() != nullptr || answer.As<pdu::Profile>() != nullptr;
    trial.Expect(notice, "an agent that is not ready", "nothing to be sent to it", answer.ToText());
  }
  agent.Send(ErrorOf(pdu::kErrPmdaReady));
  // Of another metric: the requests of before are never seen.
  ServeWhenReady(trial, client, agent, later);
}

void NotReadyAtStart(Trial& trial) {  // CKC-059
  const Limits& limits = trial.subject().limits;
  Stub& agent = trial.Call(kNotReady);
  Client& client = trial.Connect();
  if (trial.decided()) return;
  const Pmid metric = kNotReady.Metric(1);
  const Indom indom = Indom::Of(kNotReady.domain, 0);
  // An agent that is not ready for longer than an answer may take.
  const auto ripe = agent.agent()->started + limits.reply + std::chrono::seconds(1);
  const auto wait = ripe - trial.subject().now();
  if (wait > wait.zero()) std::this_thread::sleep_for(wait);
  trial.ExpectNumval(client.Fetch(FetchOf(0, {metric})).answer, metric, kAgain,
                     "FETCH of an agent that starts not ready");
  const auto again = [&](const Octets& request, std::string_view what) {
    trial.ExpectError(client.Ask(request), ErrorCode::kAgain,
                      std::string(what) + " to an agent that starts not ready");
  };
  again(DescReqOf(metric), "DESC_REQ");
  again(InstanceReqOf(indom), "INSTANCE_REQ");
  again(TextReqOf(metric.value, pdu::kTextPmid | pdu::kTextOneLine), "TEXT_REQ");
  again(LabelReqOf(indom.value, static_cast<std::uint32_t>(LabelClass::kIndom)), "LABEL_REQ");
  again(ResultOf({{metric, 1}}), "store");
  again(IdsOf({metric}), "PMNS_IDS");
  agent.Send(ErrorOf(pdu::kErrPmdaReady));
  if (!trial.decided()) ServeWhenReady(trial, client, agent, metric);
}

constexpr std::array kChecks = {
    Check{"CKC-056"_clause, LabelsAndNames},
    Check{"CKC-057"_clause, OtherBits},
    Check{"CKC-058"_clause, NotReadyForAWhile},
    Check{"CKC-059"_clause, NotReadyAtStart},
};

}  // namespace

std::span<const Check> StateChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
