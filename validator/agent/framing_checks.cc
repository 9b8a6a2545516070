// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>

#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"
#include "validator/protocol_check/offences.h"

// 16.6, headers after which there is no way back (PMD-063).

namespace pmproof::validator::agent {
namespace {

constexpr std::uint32_t kDescReq = 0x7004;

// Empty, or how an agent does not end as it should.
std::string WrongEnd(const Session::Ended& ended) {
  if (!ended.in_time) return ended.text;
  return ended.exit->by_signal ? "the agent ends by " + ended.exit->ToText() : "";
}

// `wrong` makes each trial with an agent of its own, and says what was wrong with it, or nothing.
Verdict EachAlone(Bench& bench, Trials trials,
                  const std::function<std::string(Session&, const Trial&)>& wrong) {
  Offences offences;
  for (const Trial& trial : trials) {
    auto session = bench.Open();
    if (!session) return offences.Or(session.error());
    const std::string because = wrong(*session, trial);
    if (!because.empty() && offences.Add(trial.what + ": " + because)) {
      bench.log().Offence(session->number());
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-135
Verdict ImpossibleLengthsEndTheAgent(Bench& bench) {
  const Trial trials[] = {
      {"a header with length 0", RawHeader(0, kDescReq)},
      {"a header with length 11", RawHeader(11, kDescReq)},
      {"a header with length 0x80000000", RawHeader(0x80000000, kDescReq)},
      {"a header with length 0x7fffffff", RawHeader(0x7fffffff, kDescReq)},
  };
  return EachAlone(bench, trials, [](Session& session, const Trial& trial) -> std::string {
    session.Send(Bytes(trial.bytes));
    const Session::Ended ended = session.WaitForEnd();
    if (ended.surplus > 0) {
      return "the agent answers with " + std::to_string(ended.surplus) + " bytes";
    }
    return WrongEnd(ended);
  });
}

// CKA-136
Verdict ImpossibleTypesGetNoAnswer(Bench& bench) {
  const Trial trials[] = {
      {"a PDU of type 0", RawHeader(pdu::kHeaderSize, 0)},
      {"a PDU of type 0x80000000", RawHeader(pdu::kHeaderSize, 0x80000000)},
  };
  const auto metric = ProbeMetric(bench);
  return EachAlone(bench, trials, [&](Session& session, const Trial& trial) -> std::string {
    session.Send(Bytes(trial.bytes));
    const Answer answer =
        metric ? session.Ask(pdu::DescReq{(*metric)->pmid}) : session.Next(session.limits().silent);
    const auto* const probed = answer.As<pdu::Desc>();
    if (probed != nullptr || (!metric && answer.kind() == Answer::Kind::kNothing)) return "";
    if (answer.kind() != Answer::Kind::kEnd) return answer.ToText() + ", where nothing is due";
    return WrongEnd(session.WaitForEnd());
  });
}

constexpr Check kChecks[] = {
    {"CKA-135"_clause, ImpossibleLengthsEndTheAgent},
    {"CKA-136"_clause, ImpossibleTypesGetNoAnswer},
};

}  // namespace

std::span<const Check> FramingChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
