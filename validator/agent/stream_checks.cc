// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <thread>
#include <vector>

#include "validator/agent/asking.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"

// 16.6, PDUs that come in pieces, many at once, or faster than they are answered (PDU-009,
// PMD-061).

namespace pmproof::validator::agent {
namespace {

using pdu::PduType;

// Two requests whose answers cannot be mistaken for each other: M, and a metric that there is not.
class Pair {
 public:
  static VerdictOr<Pair> Of(const Bench& bench) {
    const auto metric = ProbeMetric(bench);
    if (!metric) return tl::make_unexpected(metric.error());
    const auto unused = bench.knowledge().UnusedPmid();
    if (!unused) return tl::make_unexpected(unused.error());
    Pair pair((*metric)->descriptor);
    for (const Pmid pmid : {pair.known_.pmid, *unused}) {
      if (!pdu::Encode({.body = pdu::DescReq{pmid}}, &pair.bytes_)) {
        return Failed("DESC_REQ cannot be encoded");
      }
    }
    return pair;
  }

  const pdu::Buffer& bytes() const { return bytes_; }

  // Whether the answers to both come next, in their order.
  Verdict Answered(Session& session) const {
    const Answer first = session.Next();
    const auto* const desc = first.As<pdu::Desc>();
    if (desc == nullptr || desc->descriptor != known_) {
      return Verdict::Fail(first.ToText() + " comes, where DESC of " + ToText(known_.pmid) +
                           " is due");
    }
    // What it says of a metric that there is not is for CKA-033.
    const Answer second = session.Next();
    const auto* const same = second.As<pdu::Desc>();
    if (second.is_pdu() && (same == nullptr || same->descriptor.pmid != known_.pmid)) {
      return Verdict::Pass();
    }
    return Verdict::Fail(second.ToText() + " comes, where the answer for another metric is due");
  }

 private:
  explicit Pair(const Descriptor& known) : known_(known) {}

  Descriptor known_;
  pdu::Buffer bytes_{};
};

// An agent that is not ready says so to the first request (PMD-048); the pairs come when it is.
VerdictOr<Pair> PairOf(Bench& bench, Session& session) {
  auto pair = Pair::Of(bench);
  if (!pair) return pair;
  const Verdict probe = bench.Probe(session);
  if (!probe.passed()) return LeftTo({"CKA-005"_clause, "CKA-030"_clause}, probe);
  return pair;
}

// `pairs` were sent: whether all are answered.
Verdict AllAnswered(const Pair& pair, std::size_t pairs, Session& session) {
  for (std::size_t i = 0; i < pairs; ++i) {
    Verdict verdict = pair.Answered(session);
    if (verdict.passed()) continue;
    verdict.because = "after " + std::to_string(2 * i) + " of " + std::to_string(2 * pairs) +
                      " answers " + verdict.because;
    return verdict;
  }
  return Verdict::Pass();
}

// CKA-151
Verdict SingleBytesMakeARequest(Bench& bench, Session& session) {
  const auto pair = PairOf(bench, session);
  if (!pair) return pair.error();
  session.ExpectMore(2);
  for (std::size_t i = 0; i < pair->bytes().size(); ++i) {
    session.Send(Bytes(pair->bytes()).subspan(i, 1));
    std::this_thread::sleep_for(session.limits().piece);
  }
  return pair->Answered(session);
}

// CKA-152
Verdict OneWriteMakesManyRequests(Bench& bench, Session& session) {
  const auto pair = PairOf(bench, session);
  if (!pair) return pair.error();
  for (const std::size_t pairs : {std::size_t{1}, std::size_t{50}}) {
    pdu::Buffer bytes;
    for (std::size_t i = 0; i < pairs; ++i) {
      bytes.insert(bytes.end(), pair->bytes().begin(), pair->bytes().end());
    }
    session.ExpectMore(2 * pairs);
    session.Send(Bytes(bytes));
    Verdict verdict = AllAnswered(*pair, pairs, session);
    if (verdict.passed()) continue;
    verdict.because = std::to_string(2 * pairs) + " requests in one write: " + verdict.because;
    return verdict;
  }
  return Verdict::Pass();
}

// CKA-153
Verdict FullChannelsLoseNothing(Bench& bench, Session& session) {
  constexpr std::size_t kMost = std::size_t{1} << 20;  // bytes, many times what pipes hold
  const auto pair = PairOf(bench, session);
  if (!pair) return pair.error();
  const std::size_t pairs = session.Fill(Bytes(pair->bytes()), 2, session.limits().silent, kMost);
  Verdict verdict = AllAnswered(*pair, pairs, session);
  if (verdict.passed()) {
    verdict.because = std::to_string(2 * pairs) + " requests were sent before an answer was read";
  }
  return verdict;
}

constexpr Check kChecks[] = {
    {"CKA-151"_clause, SingleBytesMakeARequest},
    {"CKA-152"_clause, OneWriteMakesManyRequests},
    {"CKA-153"_clause, FullChannelsLoseNothing},
};

}  // namespace

std::span<const Check> StreamChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
