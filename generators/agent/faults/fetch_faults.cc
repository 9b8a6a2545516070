// SPDX-License-Identifier: Apache-2.0
// 16.2, fetches: which value sets there are, and who gets them.

#include <algorithm>

#include "generators/agent/faults/faults.h"
#include "generators/agent/faults/fetches.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

// More than any check asks for but those that want much, or all there is.
constexpr std::size_t kMany = 5;
constexpr std::size_t kVeryMany = 1000;

bool OfOneSingular(const FaultContext& context, const Request& request) {
  const MetricModel* metric = OnlyMetric(context, request);
  return metric != nullptr && !metric->indom;
}
// What is known of the agent was learnt from its first start.
bool OfOneAfterTheFirstStart(const FaultContext& context, const Request& request) {
  return context.start != 1 && OnlyMetric(context, request) != nullptr;
}
bool OfMoreThanAFew(const FaultContext&, const Request& request) { return Asked(request) > kMany; }
bool OfMany(const FaultContext&, const Request& request) {
  return Asked(request) > kMany && Asked(request) <= kVeryMany;
}
bool OfVeryMany(const FaultContext&, const Request& request) { return Asked(request) > kVeryMany; }
bool OfAFew(const FaultContext&, const Request& request) {
  return Asked(request) >= 2 && Asked(request) <= kMany;
}
bool OfUnknownAmongOthers(const FaultContext& context, const Request& request) {
  if (Asked(request) < 2) return false;
  const auto known = [&](Pmid pmid) { return context.model.FindMetric(pmid) != nullptr; };
  return !std::ranges::all_of(request.As<pdu::Fetch>()->pmids, known);
}
bool WithUnusedBytes(const FaultContext&, const Request& request) {
  return Asked(request) != 0 && LoadU32(request.bytes.data() + 16) != 0;
}
bool OfAnotherClient(const FaultContext&, const Request& request) {
  return Asked(request) != 0 && request.from > 5;
}
bool OfANegativeContext(const FaultContext&, const Request& request) {
  return Asked(request) != 0 && request.As<pdu::Fetch>()->context < 0;
}

void InstanceZero(Sets& sets) {
  for (pdu::InstanceValue& value : sets[0].values) value.instance = 0;
}
void ValueTwice(Sets& sets) {
  if (!sets[0].values.empty()) sets[0].values.push_back(sets[0].values[0]);
}
void AnotherPmid(Sets& sets) { sets[0].set.pmid.value ^= 1U << 9; }
void InReverse(Sets& sets) { std::ranges::reverse(sets); }
void WithoutTheLast(Sets& sets) { sets.pop_back(); }
void FirstOnceMore(Sets& sets) { sets.push_back(sets[0]); }
void EachMetricOnce(Sets& sets) {
  const auto rest =
      std::ranges::unique(sets, {}, [](const EditableSet& one) { return one.set.pmid; });
  sets.erase(rest.begin(), rest.end());
}
void NoValues(Sets& sets) {
  for (EditableSet& one : sets) {
    one.values.clear();
    one.set.status = ErrorCode::kPmid;
  }
}
void AValue(Sets& sets) {
  sets[0].values = {{.instance = kInstanceNull, .word = 1}};
  sets[0].set.status = ErrorCode::kOk;
}
void Deny(FaultContext&, EditableSet& one) {
  one.values.clear();
  one.set.status = ErrorCode::kPmid;
}
bool OfAny(const FaultContext&, const Request& request) { return Asked(request) > 0; }
void NothingNow(Sets& sets) {
  for (EditableSet& one : sets) {
    if (one.values.empty()) continue;
    one.values.clear();
    one.set.status = ErrorCode::kAgain;
  }
}
void TheFirstThousand(Sets& sets) { sets.resize(kVeryMany); }

}  // namespace

std::vector<Fault> FetchFaults() {
  return {
      {.id = "singular-value-of-an-instance",
       .check = "CKA-034"_clause,
       .does = "the value of a singular metric is of instance 0",
       .reply = Spoil<OfOneSingular, InstanceZero>},
      {.id = "singular-metric-of-two-values",
       .check = "CKA-034"_clause,
       .does = "a singular metric has two values",
       .reply = Spoil<OfOneSingular, ValueTwice>},
      {.id = "result-of-another-metric",
       .check = "CKA-034"_clause,
       .does = "the value set of a fetch of one metric has another PMID",
       .together = {"CKA-060"_clause},
       .reply = Spoil<OfOneAfterTheFirstStart, AnotherPmid>},
      {.id = "result-in-another-order",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics has its value sets in reverse order",
       .reply = Spoil<OfMoreThanAFew, InReverse>},
      {.id = "result-with-a-set-less",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics lacks the last value set",
       .reply = Spoil<OfMany, WithoutTheLast>},
      {.id = "result-with-a-set-more",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics has its first value set once more",
       .reply = Spoil<OfMany, FirstOnceMore>},
      {.id = "same-metric-once",
       .check = "CKA-039"_clause,
       .does = "a metric that is fetched several times is answered once",
       .reply = Spoil<OfAFew, EachMetricOnce>},
      {.id = "unknown-spoils-the-others",
       .check = "CKA-040"_clause,
       .does = "a fetch with an unknown metric has no values at all",
       .reply = Spoil<OfUnknownAmongOthers, NoValues>},
      {.id = "unknown-is-an-error",
       .check = "CKA-041"_clause,
       .does = "a fetch of an unknown metric is answered with an ERROR",
       .reply = Refuse<OfUnknownAlone, ErrorCode::kPmid>},
      {.id = "unknown-has-a-value",
       .check = "CKA-041"_clause,
       .does = "an unknown metric has a value",
       .reply = Spoil<OfUnknownAlone, AValue>},
      {.id = "large-fetch-is-refused",
       .check = "CKA-046"_clause,
       .does = "a fetch of more than 1000 metrics is answered with an ERROR",
       .reply = Refuse<OfVeryMany, pdu::kErrTooBig>},
      {.id = "large-fetch-is-cut",
       .check = "CKA-046"_clause,
       .does = "of a fetch of more than 1000 metrics the first 1000 are answered",
       .reply = Spoil<OfVeryMany, TheFirstThousand>},
      {.id = "minds-unused-bytes",
       .check = "CKA-047"_clause,
       .does = "a FETCH whose unused bytes are not 0 is answered with an ERROR",
       .reply = Refuse<WithUnusedBytes, pdu::kErrIpc>},
      {.id = "minds-the-client",
       .check = "CKA-048"_clause,
       .does = "a FETCH of a client that it does not know is answered with an ERROR",
       .together = {"CKA-054"_clause},
       .reply = Refuse<OfAnotherClient, pdu::kErrNotConnected>},
      {.id = "minds-the-context",
       .check = "CKA-048"_clause,
       .does = "a FETCH of context -1 is answered with an ERROR",
       .reply = Refuse<OfANegativeContext, pdu::kErrNoProfile>},
      {.id = "answers-for-other-domains",
       .check = "CKA-050"_clause,
       .does = "the domain of a PMID is not looked at",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (Asked(request) != 1 || IsOwn(context, request.As<pdu::Fetch>()->pmids[0])) return;
             const Pmid pmid = request.As<pdu::Fetch>()->pmids[0];
             SetU32(handed, 28, Pmid::Of(context.domain, pmid.cluster(), pmid.item()).value);
           },
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (Asked(request) != 1 || !Is(reply, PduType::kResult)) return;
             SetU32(reply, 24, request.As<pdu::Fetch>()->pmids[0].value);
           }},
      {.id = "describes-what-it-denies",
       .check = "CKA-051"_clause,
       .does = "a fetch of a metric that has a descriptor gives PM_ERR_PMID",
       .reply = Tell<IsSingular<MetricType::kString>, Deny>},
      {.id = "never-has-a-value",
       .check = "CKA-052"_clause,
       .does = "no metric has a value, whenever it is fetched",
       .alone = true,
       .reply = Spoil<OfAny, NothingNow>},
  };
}

}  // namespace pmproof::generators
