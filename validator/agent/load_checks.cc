// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "validator/agent/asking.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"
#include "validator/agent/good_requests.h"
#include "validator/agent/slow_tail.h"
#include "validator/protocol_check/offences.h"

// 16.6, very many requests, good ones and ones that are a little broken (PMD-065, PMD-066).

namespace pmproof::validator::agent {
namespace {

using Clock = std::chrono::steady_clock;

// A request whose answer no other request here has: one metric three times.
class Marker {
 public:
  explicit Marker(Pmid pmid) : pmids_{pmid, pmid, pmid} {}

  pdu::Fetch request() const { return {.pmids = pmids_}; }
  bool Answers(const Answer& answer) const {
    const auto* const result = answer.As<pdu::Result>();
    return result != nullptr && result->sets.size() == 3 &&
           std::all_of(result->sets.begin(), result->sets.end(),
                       [this](const pdu::ValueSet& set) { return set.pmid == pmids_[0]; });
  }

 private:
  Pmid pmids_[3];
};

// A copy with one word after its type changed (PDU-002): what a damaged or hostile collector
// sends.
pdu::Buffer Mutated(const pdu::Buffer& good, std::mt19937_64* random) {
  const std::size_t words = good.size() / 4;
  const std::size_t word = 2 + (*random)() % (words - 2);
  const std::uint32_t before = LoadU32(good.data() + 4 * word);
  const std::uint32_t others[] = {0,          1,          0xffffffff,
                                  0x7fffffff, 0x80000000, 0x40000001,
                                  before + 1, before - 1, static_cast<std::uint32_t>((*random)())};
  pdu::Buffer mutated = good;
  StoreU32(mutated.data() + 4 * word, others[(*random)() % std::size(others)]);
  return mutated;
}

// CKA-155
Verdict MutatedRequestsGetAtMostOneAnswer(Bench& bench, Session& session) {
  const auto metric = ProbeMetric(bench);
  if (!metric) return metric.error();
  const Marker marker((*metric)->pmid);
  if (const Answer answer = session.Ask(marker.request()); !marker.Answers(answer)) {
    return LeftTo({"CKA-034"_clause, "CKA-039"_clause}, "FETCH gives " + answer.ToText()).value();
  }
  const std::vector<GoodRequest> good = GoodRequests(bench.knowledge());
  std::mt19937_64 random(155);  // the same mutations in every run
  for (std::size_t i = 0; i < session.limits().mutations; ++i) {
    const pdu::Buffer bytes = Mutated(good[random() % good.size()].bytes, &random);
    session.Send(Bytes(bytes));
    Answer answer = session.Ask(marker.request());
    const bool answered = answer.is_pdu() && !marker.Answers(answer);
    if (answered) {
      session.ExpectMore(1);
      answer = session.Next();
    }
    if (marker.Answers(answer)) continue;
    const auto& header = pdu::LoadHeader(bytes);
    return Verdict::Fail("mutation " + std::to_string(i) + ", of " + ToText(header.type) + ", " +
                         (answered ? "one answer came, and then " : "") + answer.ToText() +
                         ", where the next request's answer is due");
  }
  return Verdict::Pass();
}

// What may change of itself: instances and names come and go, and an agent may need time
// (PMD-048).
bool MayComeToThis(pdu::PduType request, ErrorCode code) {
  if (code == pdu::kErrPmdaNotReady || code == ErrorCode::kAgain) return true;
  if (request == pdu::PduType::kInstanceReq) return code == ErrorCode::kInstance;
  const bool names = request == pdu::PduType::kPmnsNames || request == pdu::PduType::kPmnsIds ||
                     request == pdu::PduType::kPmnsChild || request == pdu::PduType::kPmnsTraverse;
  return names && (code == ErrorCode::kName || code == ErrorCode::kPmid);
}

// The answers to the same requests, over and over: one that was good stays so.
class FirstAnswers {
 public:
  explicit FirstAnswers(std::size_t requests) : types_(requests) {}

  // Empty, or what has become of it. `which` of the requests, a PDU of type `request`.
  std::string Worse(std::size_t which, pdu::PduType request, const Answer& answer) {
    const pdu::PduType type = answer.header().type;
    auto& first = types_[which];
    if (!first) first = type;
    if (*first == pdu::PduType::kError) return "";
    if (answer.decoded() == nullptr) return answer.ToText();
    if (type == *first) return "";
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && MayComeToThis(request, error->code)) return "";
    return answer.ToText() + ", where " + ToText(*first) + " came before";
  }

 private:
  std::vector<std::optional<pdu::PduType>> types_;
};

// Asks `count` of them in turn, each with its answer. Empty, or what is wrong.
template <typename Each>
std::string AskMany(Session& session, const std::vector<GoodRequest>& good, std::size_t count,
                    Each&& each) {
  FirstAnswers first(good.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t which = i % good.size();
    const GoodRequest& request = good[which];
    if (!request.answered) {
      session.Send(Bytes(request.bytes));
      continue;
    }
    const auto began = Clock::now();
    const Answer answer = session.Ask(Bytes(request.bytes));
    if (!answer.is_pdu()) {
      return "request " + std::to_string(i) + ", " + ToText(pdu::LoadHeader(request.bytes).type) +
             ": " + answer.ToText();
    }
    const auto took = Clock::now() - began;
    const pdu::PduType type = pdu::LoadHeader(request.bytes).type;
    if (const std::string worse = first.Worse(which, type, answer); !worse.empty()) {
      return "request " + std::to_string(i) + ", " + ToText(type) + ": " + worse;
    }
    each(which, took);
  }
  return "";
}

// CKA-156
Verdict RequestsLeaveNothingBehind(Bench& bench, Session& session) {
  constexpr std::uint64_t kMostGrowth = std::uint64_t{1} << 20;
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const std::vector<GoodRequest> good = GoodRequests(bench.knowledge());
  const auto nothing = [](std::size_t, Clock::duration) {};
  // What is allocated once, at the first request of its kind, is not growth.
  const std::size_t warm = std::max(10 * good.size(), session.limits().requests / 10);
  std::string wrong = AskMany(session, good, warm, nothing);
  if (!wrong.empty()) return Verdict::Fail(wrong);
  const auto before = session.Resources();
  if (!before) return before.error();
  wrong = AskMany(session, good, session.limits().requests, nothing);
  if (!wrong.empty()) return Verdict::Fail(wrong);
  const auto after = session.Resources();
  if (!after) return after.error();
  if (after->descriptors != before->descriptors) {
    return Verdict::Fail("the agent has " + std::to_string(after->descriptors) +
                         " open descriptors after " + std::to_string(session.limits().requests) +
                         " requests, " + std::to_string(before->descriptors) + " before");
  }
  if (after->resident_bytes > before->resident_bytes + kMostGrowth) {
    return Verdict::Fail("the agent grew by " +
                         std::to_string(after->resident_bytes - before->resident_bytes) +
                         " bytes over " + std::to_string(session.limits().requests) + " requests");
  }
  return Verdict::Pass();
}

// CKA-157
Verdict AnswersComeInTime(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const std::vector<GoodRequest> good = GoodRequests(bench.knowledge());
  std::vector<Clock::duration> latencies;
  latencies.reserve(session.limits().timed_requests);
  // An answer later than the limit is none.
  const std::string wrong =
      AskMany(session, good, session.limits().timed_requests,
              [&](std::size_t, Clock::duration latency) { latencies.push_back(latency); });
  if (!wrong.empty()) return Verdict::Fail(wrong);
  std::sort(latencies.begin(), latencies.end());
  const auto part = [&](std::size_t hundredths) {
    return Microseconds(
        latencies[std::min(latencies.size() - 1, latencies.size() * hundredths / 100)]);
  };
  return Verdict::Pass("of " + std::to_string(latencies.size()) + " answers half came within " +
                       part(50) + ", 99 % within " + part(99) + ", all within " +
                       Microseconds(latencies.back()));
}

VerdictOr<SlowTail> TailOf(Session& session, const std::vector<GoodRequest>& good) {
  std::vector<std::vector<SlowTail::Duration>> latencies(good.size());
  const auto before = session.WaitedForProcessor();
  const std::string wrong =
      AskMany(session, good, session.limits().timed_requests,
              [&](std::size_t which, Clock::duration took) { latencies[which].push_back(took); });
  if (!wrong.empty()) return Failed(wrong);
  return SlowTail(std::move(latencies), session.WaitedForProcessor() - before);
}

// CKA-168
Verdict AnswersHaveNoSlowTail(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const std::vector<GoodRequest> good = GoodRequests(bench.knowledge());
  // The machine may have been busy; where the kernel does not tell, it was not so twice.
  std::string of_agent;
  for (int round = 0; round < 2; ++round) {
    const auto tail = TailOf(session, good);
    if (!tail) return LeftTo({"CKA-157"_clause}, tail.error()).value();
    if (tail->IsShort()) return Verdict::Pass();
    if (tail->IsTheMachines()) {
      return Verdict::Pass("for want of a processor " + tail->ToText());
    }
    of_agent = tail->ToText();
  }
  return Verdict::Fail(of_agent);
}

// CKA-158
Verdict EveryRequestHadOneAnswer(const std::vector<Done>& others, Bench&) {
  Audit all;
  std::string wrong;
  for (const Done& done : others) {
    // Of a check that failed it has been said what is wrong.
    if (!done.verdict.passed()) continue;
    all += done.audit;
    if (done.audit.expected == done.audit.received) continue;
    wrong += (wrong.empty() ? "" : "; ") + done.id.ToString() + ": " +
             std::to_string(done.audit.expected) + " requests and " +
             std::to_string(done.audit.received) + " answers";
  }
  if (!wrong.empty()) return Verdict::Fail(wrong);
  if (all.expected == 0) return Verdict::NotChecked("no other check that passed made a request");
  return Verdict::Pass(std::to_string(all.expected) + " requests, as many answers");
}

// CKA-167
Verdict TheProcessDoesNotCrash(const std::vector<Done>& others, Bench&) {
  if (others.empty()) return Verdict::NotChecked("no other check was made");
  std::map<Clause, std::string> crashes;
  for (const Done& done : others) {
    if (!done.crash.empty()) crashes.emplace(done.id, done.crash);
  }
  // An offence each: those that are known (known_library.cc) do not hide others.
  Offences offences;
  for (const auto& [id, how] : crashes) {
    offences.Add("the agent's process crashed in " + id.ToString() + " (" + how + ")");
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-155"_clause, MutatedRequestsGetAtMostOneAnswer},
    {"CKA-156"_clause, RequestsLeaveNothingBehind},
    {"CKA-157"_clause, AnswersComeInTime},
    {"CKA-158"_clause, EveryRequestHadOneAnswer},
    {"CKA-167"_clause, TheProcessDoesNotCrash},
    {"CKA-168"_clause, AnswersHaveNoSlowTail},
};

}  // namespace

std::span<const Check> LoadChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
