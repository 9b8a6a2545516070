// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"

// 16.6, headers after which there is no way back (PMD-063).

namespace pmproof::validator::agent {
namespace {

constexpr std::uint32_t kDescReq = 0x7004;

// CKA-135
Verdict ImpossibleLengthsEndTheAgent(Bench& bench) {
  const Trial trials[] = {
      {"a header with length 0", RawHeader(0, kDescReq)},
      {"a header with length 11", RawHeader(11, kDescReq)},
      {"a header with length 0x80000000", RawHeader(0x80000000, kDescReq)},
      {"a header with length 0x7fffffff", RawHeader(0x7fffffff, kDescReq)},
  };
  for (const Trial& trial : trials) {
    auto session = bench.Open();
    if (!session) return session.error();
    session->Send(Bytes(trial.bytes));
    const Session::Ended ended = session->WaitForEnd();
    if (ended.surplus > 0) {
      return Verdict::Fail(trial.what + ": the agent answers with " +
                           std::to_string(ended.surplus) + " bytes");
    }
    if (!ended.in_time) return Verdict::Fail(trial.what + ": " + ended.text);
    if (ended.exit->by_signal) {
      return Verdict::Fail(trial.what + ": the agent ends by " + ended.exit->ToText());
    }
  }
  return Verdict::Pass();
}

// CKA-136
Verdict ImpossibleTypesGetNoAnswer(Bench& bench) {
  const Trial trials[] = {
      {"a PDU of type 0", RawHeader(pdu::kHeaderSize, 0)},
      {"a PDU of type 0x80000000", RawHeader(pdu::kHeaderSize, 0x80000000)},
  };
  const auto metric = ProbeMetric(bench);
  for (const Trial& trial : trials) {
    auto session = bench.Open();
    if (!session) return session.error();
    session->Send(Bytes(trial.bytes));
    const Answer answer = metric ? session->Ask(pdu::DescReq{(*metric)->pmid})
                                 : session->Next(session->limits().silent);
    const auto* const probed = answer.As<pdu::Desc>();
    if (probed != nullptr || (!metric && answer.kind() == Answer::Kind::kNothing)) continue;
    if (answer.kind() != Answer::Kind::kEnd) {
      return Verdict::Fail(trial.what + ": " + answer.ToText() + ", where nothing is due");
    }
    const Session::Ended ended = session->WaitForEnd();
    if (!ended.in_time) return Verdict::Fail(trial.what + ": " + ended.text);
    if (ended.exit->by_signal) {
      return Verdict::Fail(trial.what + ": the agent ends by " + ended.exit->ToText());
    }
  }
  return Verdict::Pass();
}

constexpr Check kChecks[] = {
    {"CKA-135"_clause, ImpossibleLengthsEndTheAgent},
    {"CKA-136"_clause, ImpossibleTypesGetNoAnswer},
};

}  // namespace

std::span<const Check> FramingChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
