// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/broken_pdus.h"

#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/offence_walk.h"

namespace pmproof::validator::agent {
namespace {

Verdict Of(const Trial& trial, Verdict verdict) {
  if (!verdict.passed()) verdict.because = trial.what + ": " + verdict.because;
  return verdict;
}

Verdict OneAnswer(const Bench& bench, Session& session, const Trial& trial, const Accepts& accepts,
                  std::string_view due) {
  const Answer answer = session.Ask(Bytes(trial.bytes));
  if (!accepts(answer)) {
    return Verdict::Fail(trial.what + ": " + answer.ToText() + ", where " + std::string(due) +
                         " is due");
  }
  return Of(trial, bench.Probe(session));
}

}  // namespace

pdu::Buffer RawPdu(std::uint32_t type, std::initializer_list<std::uint32_t> words,
                   std::string_view tail) {
  const std::size_t length = pdu::kHeaderSize + 4 * words.size() + tail.size();
  pdu::Buffer bytes = RawHeader(static_cast<std::uint32_t>(length), type);
  for (const std::uint32_t word : words) {
    bytes.resize(bytes.size() + 4);
    StoreU32(bytes.data() + bytes.size() - 4, word);
  }
  const Bytes rest = AsBytes(tail);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

pdu::Buffer RawHeader(std::uint32_t length, std::uint32_t type) {
  pdu::Buffer bytes(pdu::kHeaderSize);
  StoreU32(bytes.data(), length);
  StoreU32(bytes.data() + 4, type);
  return bytes;
}

bool IsError(const Answer& answer, ErrorCode code) {
  const auto* const error = answer.As<pdu::Error>();
  return error != nullptr && error->code == code;
}

bool IsFailure(const Answer& answer) {
  const auto* const error = answer.As<pdu::Error>();
  return error != nullptr && error->code < ErrorCode::kOk;
}

Verdict SilentEach(const Bench& bench, Session& session, Trials trials) {
  OffenceWalk offences(bench, session);
  for (const Trial& trial : trials) {
    const Verdict verdict = Of(trial, bench.Silent(session, Bytes(trial.bytes)));
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

Verdict OneAnswerEach(const Bench& bench, Session& session, Trials trials, const Accepts& accepts,
                      std::string_view due) {
  OffenceWalk offences(bench, session);
  for (const Trial& trial : trials) {
    const Verdict verdict = OneAnswer(bench, session, trial, accepts, due);
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

Verdict OneAnswerEachAlone(Bench& bench, Trials trials, const Accepts& accepts,
                           std::string_view due) {
  Offences offences;
  for (const Trial& trial : trials) {
    auto session = bench.Open();
    if (!session) return offences.Or(session.error());
    const Verdict verdict = OneAnswer(bench, *session, trial, accepts, due);
    if (verdict.outcome == Outcome::kNotChecked) return offences.Or(verdict);
    if (!verdict.passed() && offences.Add(verdict.because)) {
      bench.log().Offence(session->number());
    }
  }
  return offences.Or(Verdict::Pass());
}

Verdict AtMostOneErrorEach(const Bench& bench, Session& session, Trials trials) {
  // Without a metric the probe's own answer is an ERROR.
  const auto metric = ProbeMetric(bench);
  if (!metric) return metric.error();
  const pdu::DescReq probe{(*metric)->pmid};
  OffenceWalk offences(bench, session);
  for (const Trial& trial : trials) {
    session.Send(Bytes(trial.bytes));
    Answer answer = session.Ask(probe);
    if (answer.As<pdu::Error>() != nullptr) {
      session.ExpectMore(1);
      answer = session.Next();
    }
    const auto* const desc = answer.As<pdu::Desc>();
    if (desc == nullptr || desc->descriptor != (*metric)->descriptor) {
      if (!offences.GoOn(trial.what + ": after it " +
                         Session::Unexpected(probe, answer, pdu::PduType::kDesc))) {
        break;
      }
    }
  }
  return offences.Or(Verdict::Pass());
}

VerdictOr<const KnownMetric*> ProbeMetric(const Bench& bench) {
  if (auto singular = bench.knowledge().Singular()) return singular;
  if (const auto any = bench.knowledge().AnyMetric(); !any) {
    return tl::make_unexpected(any.error());
  }
  return &bench.knowledge().metrics.front();
}

}  // namespace pmproof::validator::agent
