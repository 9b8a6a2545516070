// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "validator/collector/checks.h"

// CKC-048..050, 053..055, 065: agents that answer wrongly (section 9).

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kOwn = kSteady.Metric(1);

void ExpectKept(Trial& trial, Client& client, Stub& agent, std::string_view about) {
  const Pmid metric = agent.role().Metric(1);
  trial.ExpectValue(agent.Serve(client, metric, ResultOf({{metric, 4}})).answer, metric, 4,
                    std::string(about) + ", then a FETCH, for the agent is kept");
}

void FetchErrors(Trial& trial) {  // CKC-048
  struct Case {
    std::int32_t code;
    std::int32_t numval;
  };
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  for (const Case& one : {Case{-12350, -12350}, Case{0, -12345}, Case{5, -12345}}) {
    const std::string about = "FETCH that the agent answers with ERROR " + std::to_string(one.code);
    trial.ExpectNumval(agent.Serve(client, kOwn, ErrorOf(ErrorCode(one.code))).answer, kOwn,
                       one.numval, about);
    ExpectKept(trial, client, agent, about);
  }
}

// The answer to a fetch tells `numval`; the agent is dropped, and clients are told before.
void ExpectDropped(Trial& trial, const Fetched& fetched, Stub& agent, std::int32_t numval,
                   std::string_view about) {
  trial.ExpectNumval(fetched.answer, agent.role().Metric(1), numval, about);
  trial.Expect((fetched.notice & 4) != 0, about, "ERROR with bit 4 before the RESULT",
               fetched.notice == 0 ? "none" : "ERROR " + std::to_string(fetched.notice));
  agent.AwaitDrop(about);
}

void FatalFetchErrors(Trial& trial) {  // CKC-049
  struct Case {
    const Role& role;
    ErrorCode code;
  };
  for (const Case& one : {Case{kFetchIpc, pdu::kErrIpc}, Case{kFetchTimeout, pdu::kErrTimeout}}) {
    Stub& agent = trial.Call(one.role);
    Client& client = trial.Connect();
    const std::string about =
        "FETCH that the agent answers with ERROR " + agent::CodeText(one.code);
    ExpectDropped(trial, agent.Serve(client, one.role.Metric(1), ErrorOf(one.code)), agent,
                  static_cast<std::int32_t>(one.code), about);
  }
}

void OtherErrors(Trial& trial) {  // CKC-050
  Stub& steady = trial.Call(kSteady);
  Client& client = trial.Connect();
  const Pmid unknown = kSteady.Metric(77);
  const Indom indom = Indom::Of(kSteady.domain, 0);
  struct Case {
    std::string_view what;
    pdu::PduType type;
    Octets request;
  };
  const Case kept[] = {
      {"DESC_REQ", pdu::PduType::kDescReq, DescReqOf(unknown)},
      {"INSTANCE_REQ", pdu::PduType::kInstanceReq, InstanceReqOf(indom)},
      {"LABEL_REQ", pdu::PduType::kLabelReq,
       LabelReqOf(indom.value, static_cast<std::uint32_t>(LabelClass::kIndom))},
      {"PMNS_IDS", pdu::PduType::kPmnsIds, IdsOf({unknown})},
  };
  for (const Case& one : kept) {
    const std::string about = std::string(one.what) + " that the agent answers with ERROR -12366";
    trial.ExpectError(steady.Serve(client, one.request, one.type, ErrorOf(pdu::kErrIpc)),
                      pdu::kErrIpc, about);
    ExpectKept(trial, client, steady, about);
  }
  Stub& text = trial.Call(kTextIpc);
  const std::string_view about_text = "TEXT_REQ that the agent answers with ERROR -12366";
  trial.ExpectError(
      text.Serve(client, TextReqOf(kTextIpc.Metric(1).value, pdu::kTextPmid | pdu::kTextOneLine),
                 pdu::PduType::kTextReq, ErrorOf(pdu::kErrIpc)),
      pdu::kErrIpc, about_text);
  text.AwaitDrop(about_text);
  Stub& store = trial.Call(kStoreIpc);
  const std::string_view about_store = "store that the agent answers with ERROR -12366";
  trial.ExpectError(store.Serve(client, ResultOf({{kStoreIpc.Metric(1), 1}}), pdu::PduType::kResult,
                                ErrorOf(pdu::kErrIpc)),
                    pdu::kErrIpc, about_store);
  store.AwaitDrop(about_store);
}

Octets DescOf(Pmid pmid) {
  Descriptor descriptor;
  descriptor.pmid = pmid;
  return Encoded(pdu::Desc{.descriptor = descriptor});
}

void BrokenAnswers(Trial& trial) {  // CKC-053
  const std::int32_t ipc = static_cast<std::int32_t>(pdu::kErrIpc);
  {
    Stub& agent = trial.Call(kLeaves);
    Client& client = trial.Connect();
    client.Send(FetchOf(0, {kLeaves.Metric(1)}));
    agent.Await(pdu::PduType::kFetch);
    agent.Leave();
    const Fetched fetched = client.ReceiveFetched();
    const std::string_view about = "FETCH at which the agent exits";
    trial.ExpectNumval(fetched.answer, kLeaves.Metric(1), ipc, about);
    trial.Expect((fetched.notice & 4) != 0, about, "ERROR with bit 4 before the RESULT",
                 std::to_string(fetched.notice));
  }
  const auto wrong = [&](const Role& role, const Octets& reply, std::string_view about) {
    Stub& agent = trial.Call(role);
    Client& client = trial.Connect();
    ExpectDropped(trial, agent.Serve(client, role.Metric(1), reply), agent, ipc, about);
  };
  wrong(kWrongType, DescOf(kWrongType.Metric(1)), "FETCH that the agent answers with DESC");
  wrong(kWrongCount, ResultOf({{kWrongCount.Metric(1), 1}, {kWrongCount.Metric(2), 1}}),
        "FETCH of one metric that the agent answers with two value sets");
  // Its value set says 2 values and has 1.
  wrong(kShort, Words({0x2c, 0x7001, 0, 0, 0, 1, kShort.Metric(1).value, 2, 0, 0, 1}),
        "FETCH that the agent answers with a RESULT whose last value is missing");
}

void TwoAnswers(Trial& trial) {  // CKC-054
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  Octets twice = ResultOf({{kOwn, 1}});
  const Octets second = ResultOf({{kOwn, 2}});
  twice.insert(twice.end(), second.begin(), second.end());
  trial.ExpectValue(agent.Serve(client, kOwn, twice).answer, kOwn, 1,
                    "FETCH that the agent answers twice");
  client.Send(FetchOf(0, {kOwn}));
  agent.Await(pdu::PduType::kFetch);
  if (trial.decided()) return;
  const bool stale =
      client.channel().WaitForInput(pmda::Deadline::After(trial.subject().limits.reply / 2));
  if (stale) {
    // The request stays unanswered: its answer would be taken for that of the next one.
    agent.Send({});
    trial.ExpectValue(client.ReceiveFetched().answer, kOwn, 2,
                      "FETCH after one that the agent has answered twice");
    trial.Note("the second RESULT was taken for the answer to the next FETCH");
    return;
  }
  agent.Send(ResultOf({{kOwn, 3}}));
  trial.ExpectValue(client.ReceiveFetched().answer, kOwn, 3,
                    "FETCH after one that the agent has answered twice");
  trial.Note("the collector has noticed the second RESULT and left it aside");
}

void WrongPmid(Trial& trial) {  // CKC-055
  Stub& agent = trial.Call(kSteady);
  Client& client = trial.Connect();
  const Pmid other = kSteady.Metric(9);
  trial.ExpectValue(agent.Serve(client, kOwn, ResultOf({{other, 6}})).answer, other, 6,
                    "FETCH that the agent answers with a value of another PMID");
  trial.Note("the PMID that the agent gave was passed through");
}

void UnpaddedText(Trial& trial) {  // CKC-065
  const Due due = DueFrom(trial.subject().version, {{6, 0, 99}}, {{6, 3, 1}});
  Stub& agent = trial.Call(kUnpadded);
  Client& client = trial.Connect();
  const std::uint32_t metric = kUnpadded.Metric(1).value;
  Octets reply = Words({0x17, 0x7009, 0, metric, 3});
  reply.insert(reply.end(), {'a', 'b', 'c'});
  const Answer answer = agent.Serve(client, TextReqOf(metric, pdu::kTextPmid | pdu::kTextOneLine),
                                    pdu::PduType::kTextReq, reply);
  if (trial.decided()) return;
  const std::string_view about = "TEXT_REQ that the agent answers with TEXT without padding";
  const bool passed = answer.As<pdu::Text>() != nullptr;
  if (due == Due::kOld || (due == Due::kEither && passed)) {
    const auto* const text = trial.ExpectPdu<pdu::Text>(answer, about);
    if (text != nullptr) {
      trial.Expect(text->text == "abc", about, "the text abc", pdu::ToText(*answer.decoded()));
    }
    if (due == Due::kEither) trial.Note("as 6.0.3: passed on");
    return;
  }
  trial.ExpectError(answer, pdu::kErrIpc, about);
  agent.AwaitDrop(about);
  if (due == Due::kEither) trial.Note("as 6.3.1 and later: refused, and the agent dropped");
}

constexpr std::array kChecks = {
    Check{"CKC-048"_clause, FetchErrors},  Check{"CKC-049"_clause, FatalFetchErrors},
    Check{"CKC-050"_clause, OtherErrors},  Check{"CKC-053"_clause, BrokenAnswers},
    Check{"CKC-054"_clause, TwoAnswers},   Check{"CKC-055"_clause, WrongPmid},
    Check{"CKC-065"_clause, UnpaddedText},
};

}  // namespace

std::span<const Check> AnswerChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
