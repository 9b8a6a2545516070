// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "reference/pmda/pdu/decoder.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"

// 16.2, the values that a FETCH gives, and their instances. Arrays of events are in
// event_checks.cc.

namespace pmproof::validator::agent {
namespace {

// "the value of instance 3 of simple.color (253.0.1)"
std::string ValueText(const KnownMetric& metric, std::int32_t instance) {
  return "the value " +
         (instance == kInstanceNull ? "" : "of instance " + std::to_string(instance) + " ") +
         "of " + metric.ToText();
}

// Empty, or what is wrong with the block of a value (PDU-105).
std::string BlockFault(Bytes body, MetricType type) {
  const std::string size = std::to_string(body.size()) + " bytes";
  if (const std::uint32_t due = NumericSize(type); due > 0) {
    return body.size() == due
               ? ""
               : "has " + size + ", where " + ToText(type) + " has " + std::to_string(due);
  }
  if (type != MetricType::kString) return "";
  if (body.empty()) return "is a string without a NUL";
  const auto nul = std::find(body.begin(), body.end(), std::uint8_t{0});
  if (nul == body.end()) return "is a string of " + size + " without a NUL";
  if (nul + 1 != body.end()) {
    return "is a string of " + size + " with a NUL after " + std::to_string(nul - body.begin());
  }
  return "";
}

std::string ValueFault(const pdu::ValueSet& set, const pdu::InstanceValue& value, MetricType type) {
  if (set.format == pdu::ValueFormat::kInsitu) {
    if (type == MetricType::k32 || type == MetricType::kU32) return "";
    return "is in situ, but of type " + ToText(type);
  }
  if (value.type != type) {
    return "is a block of type " + ToText(value.type) + ", where the descriptor has " +
           ToText(type);
  }
  return BlockFault(value.body, type);
}

// What is wrong in one answer of several is seen, too.
constexpr int kFetches = 20;

// CKA-036
Verdict ValuesFitTheirTypes(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  std::size_t looked_at = 0;
  OffenceWalk offences(bench, session);
  for (int i = 0; i < kFetches; ++i) {
    const auto fetched = FetchForValues(session, AllPmids(bench));
    if (!fetched) return offences.Or(fetched.error());
    for (const pdu::ValueSet& set : fetched->result().sets) {
      const KnownMetric& metric = *bench.knowledge().Find(set.pmid);
      const MetricType type = metric.descriptor.type;
      if (type == MetricType::kNoSupport) continue;
      for (const pdu::InstanceValue& value : set.values) {
        ++looked_at;
        const std::string fault = ValueFault(set, value, type);
        if (!fault.empty()) offences.Note(ValueText(metric, value.instance) + " " + fault);
      }
    }
  }
  return offences.Or(looked_at > 0 ? Verdict::Pass()
                                   : Verdict::NotChecked("no metric of the agent has values"));
}

// Empty, or what is wrong with the layout of a RESULT; nothing if it is not one.
std::optional<std::string> LayoutFault(const Answer& answer) {
  if (!answer.is_pdu() || answer.header().type != pdu::PduType::kResult) return std::nullopt;
  if (answer.decoded() == nullptr) return "it cannot be decoded: " + answer.fault().ToText();
  for (const pdu::Departure departure :
       {pdu::Departure::kBlockOverlap, pdu::Departure::kTrailingBytes}) {
    if (answer.departures().Has(departure)) {
      return std::string(ToText(departure)) + " [" +
             ClauseOf(departure, pdu::PduType::kResult).ToString() + "]";
    }
  }
  return "";
}

// CKA-037
Verdict ResultsAreLaidOutExactly(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  std::vector<std::vector<Pmid>> fetches(kFetches, AllPmids(bench));
  for (const Pmid pmid : AllPmids(bench)) fetches.push_back({pmid});
  OffenceWalk offences(bench, session);
  for (const std::vector<Pmid>& pmids : fetches) {
    const Answer answer = session.Ask(pdu::Fetch{.pmids = pmids});
    const auto fault = LayoutFault(answer);
    if (!fault) {
      return offences.Or(LeftTo({"CKA-034"_clause, "CKA-035"_clause},
                                FetchText(pmids) + ": " + answer.ToText() + ", where RESULT is due")
                             .value());
    }
    if (!fault->empty()) offences.Note("the RESULT of " + FetchText(pmids) + ": " + *fault);
  }
  return offences.Or(Verdict::Pass());
}

// CKA-038
Verdict ResultsHaveNoTime(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  std::vector<std::vector<Pmid>> fetches(kFetches, AllPmids(bench));
  if (const auto singular = bench.knowledge().Singular()) fetches.push_back({(*singular)->pmid});
  OffenceWalk offences(bench, session);
  for (const std::vector<Pmid>& pmids : fetches) {
    const auto fetched = FetchForValues(session, pmids);
    if (!fetched) return offences.Or(fetched.error());
    const pdu::Result& result = fetched->result();
    constexpr std::int32_t kChanges = pdu::kLabelsChanged | pdu::kNamesChanged;
    if ((result.seconds & ~kChanges) != 0) {
      offences.Note("the seconds word of a RESULT is " + std::to_string(result.seconds) +
                    ", where 0, 8, 16 or 24 is due");
    }
    if (result.microseconds != 0) {
      offences.Note("the microseconds word of a RESULT is " + std::to_string(result.microseconds) +
                    ", where 0 is due");
    }
  }
  return offences.Or(Verdict::Pass());
}

using Names = std::map<std::int32_t, std::string>;

VerdictOr<Names> InstancesOf(Session& session, Indom indom) {
  const auto answer = session.Expect<pdu::Instance>(pdu::InstanceReq{.indom = indom});
  if (!answer) return LeftTo({"CKA-080"_clause}, answer.error());
  Names names;
  for (const pdu::InstanceEntry& entry : answer->As<pdu::Instance>()->instances) {
    names.emplace(entry.instance, entry.name);
  }
  return names;
}

// The metrics that have an instance domain.
std::vector<const KnownMetric*> WithIndom(const Bench& bench) {
  std::vector<const KnownMetric*> metrics;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (!metric.descriptor.indom.IsNull()) metrics.push_back(&metric);
  }
  return metrics;
}

Verdict NoInstances() { return Verdict::NotChecked("no metric of the agent has instances"); }

// Whether the values of a metric have distinct instances of its domain, and whether there are any.
struct Agreement {
  std::string fault{};
  bool any = false;
};
// The domain is the last of so many lists: one that changes with every request is in another state
// in each.
VerdictOr<Agreement> Agree(Session& session, const KnownMetric& metric, int lists) {
  const auto fetched = FetchForValues(session, {metric.pmid});
  if (!fetched) return tl::make_unexpected(fetched.error());
  auto names = InstancesOf(session, metric.descriptor.indom);
  for (int i = 1; i < lists && names; ++i) names = InstancesOf(session, metric.descriptor.indom);
  if (!names) return tl::make_unexpected(names.error());
  Agreement agreement;
  std::set<std::int32_t> seen;
  for (const pdu::InstanceValue& value : fetched->result().sets[0].values) {
    agreement.any = true;
    if (!seen.insert(value.instance).second) {
      agreement.fault =
          metric.ToText() + " has two values of instance " + std::to_string(value.instance);
    } else if (!names->contains(value.instance)) {
      agreement.fault = metric.ToText() + " has a value of instance " +
                        std::to_string(value.instance) + ", which instance domain " +
                        ToText(metric.descriptor.indom) + " does not have";
    }
    if (!agreement.fault.empty()) break;
  }
  return agreement;
}

// CKA-043
Verdict InstancesOfValuesAreKnown(Bench& bench, Session& session) {
  constexpr int kMostLists = 3;
  bool any = false;
  OffenceWalk offences(bench, session);
  for (const KnownMetric* metric : WithIndom(bench)) {
    auto agreement = Agree(session, *metric, 1);
    // Domains may change between the two requests.
    for (int lists = 2; agreement && !agreement->fault.empty() && lists <= kMostLists; ++lists) {
      agreement = Agree(session, *metric, lists);
    }
    if (!agreement) return offences.Or(agreement.error());
    if (!agreement->fault.empty()) offences.Note(agreement->fault);
    any |= agreement->any;
  }
  return offences.Or(any ? Verdict::Pass() : NoInstances());
}

// What is wrong with the answer to INSTANCE_REQ by number.
std::string NumberFault(Session& session, Indom indom, std::int32_t number,
                        const std::string& name) {
  const pdu::InstanceReq request{.indom = indom, .instance = number};
  const auto answer = session.Expect<pdu::Instance>(request);
  if (!answer) return answer.error().because;
  const auto& instances = answer->As<pdu::Instance>()->instances;
  if (instances.size() != 1) {
    return Brief(request) + ": " + std::to_string(instances.size()) + " instances, where 1 is due";
  }
  if (instances[0].name == name) return "";
  return Brief(request) + ": '" + std::string(instances[0].name) + "', which among all is '" +
         name + "'";
}

// CKA-044
Verdict InstancesAreFoundByNumber(Bench& bench, Session& session) {
  constexpr std::size_t kMost = 2000;
  std::set<std::pair<Indom, std::int32_t>> asked;
  OffenceWalk offences(bench, session);
  for (const KnownMetric* metric : WithIndom(bench)) {
    const Indom indom = metric->descriptor.indom;
    const auto fetched = FetchForValues(session, {metric->pmid});
    if (!fetched) return offences.Or(fetched.error());
    auto names = InstancesOf(session, indom);
    if (!names) return offences.Or(names.error());
    for (const pdu::InstanceValue& value : fetched->result().sets[0].values) {
      const auto known = names->find(value.instance);
      if (known == names->end() || asked.size() >= kMost) continue;
      if (!asked.emplace(indom, value.instance).second) continue;
      std::string fault = NumberFault(session, indom, value.instance, known->second);
      if (fault.empty()) continue;
      // It may have left the domain, or have got another name, meanwhile.
      names = InstancesOf(session, indom);
      if (!names) return offences.Or(names.error());
      const auto now = names->find(value.instance);
      if (now == names->end()) continue;
      fault = NumberFault(session, indom, value.instance, now->second);
      if (!fault.empty() && !offences.GoOn(fault)) return offences.Or(NoInstances());
    }
  }
  if (offences.any() || asked.empty()) return offences.Or(NoInstances());
  return Verdict::Pass(asked.size() < kMost ? ""
                                            : "only the first " + std::to_string(kMost) +
                                                  " instances were asked for");
}

// The values of counters by metric and instance.
using Counters = std::map<std::pair<Pmid, std::int32_t>, Value>;

VerdictOr<Counters> FetchCounters(Bench& bench, Session& session, const std::vector<Pmid>& pmids) {
  const auto fetched = FetchForValues(session, pmids);
  if (!fetched) return tl::make_unexpected(fetched.error());
  Counters counters;
  for (const pdu::ValueSet& set : fetched->result().sets) {
    const MetricType type = bench.knowledge().Find(set.pmid)->descriptor.type;
    for (const pdu::InstanceValue& value : set.values) {
      if (const auto read = pdu::ValueOf(value, set.format, type)) {
        counters.emplace(std::pair(set.pmid, value.instance), *read);
      }
    }
  }
  return counters;
}

bool Decreases(const Value& before, const Value& after) {
  switch (before.type) {
    case MetricType::k32:
      return after.AsI32() < before.AsI32();
    case MetricType::kU32:
      return after.AsU32() < before.AsU32();
    case MetricType::k64:
      return after.AsI64() < before.AsI64();
    case MetricType::kU64:
      return after.AsU64() < before.AsU64();
    case MetricType::kFloat:
      return after.AsFloat() < before.AsFloat();
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return after.AsDouble() < before.AsDouble();
}

// Whether it is an increase by less than half of the range, modulo the range.
bool MayHaveWrapped(const Value& before, const Value& after) {
  if (!IsInteger(before.type)) return false;
  return NumericSize(before.type) == 4 ? after.AsU32() - before.AsU32() < std::uint32_t{1} << 31
                                       : after.AsU64() - before.AsU64() < std::uint64_t{1} << 63;
}

// CKA-045
Verdict CountersDoNotDecrease(Bench& bench, Session& session) {
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.semantics == Semantics::kCounter && IsNumeric(metric.descriptor.type) &&
        pmids.size() < bench.limits().pmids) {
      pmids.push_back(metric.pmid);
    }
  }
  if (pmids.empty()) return Verdict::NotChecked("no metric of the agent is a counter");
  std::string wrapped;
  std::optional<Counters> before;
  OffenceWalk offences(bench, session);
  for (int i = 0; i < 3; ++i) {
    const auto now = FetchCounters(bench, session, pmids);
    if (!now) return offences.Or(now.error());
    for (const auto& [key, value] : *now) {
      if (!before || !before->contains(key) || !Decreases(before->at(key), value)) continue;
      const std::string text =
          ValueText(*bench.knowledge().Find(key.first), key.second) + " decreases";
      if (MayHaveWrapped(before->at(key), value)) {
        wrapped = text + ", it may have wrapped";
      } else {
        offences.Note(text);
      }
    }
    before = *now;
    // Nothing is due meanwhile.
    if (i < 2) {
      const Answer surplus = session.Next(bench.limits().counter);
      if (surplus.kind() != Answer::Kind::kNothing) {
        return offences.Or(
            LeftTo({"CKA-158"_clause}, "between two fetches the agent gives " + surplus.ToText())
                .value());
      }
    }
  }
  return offences.Or(before->empty() ? Verdict::NotChecked("no counter of the agent has a value")
                                     : Verdict::Pass(wrapped));
}

constexpr Check kChecks[] = {
    {"CKA-036"_clause, ValuesFitTheirTypes},       {"CKA-037"_clause, ResultsAreLaidOutExactly},
    {"CKA-038"_clause, ResultsHaveNoTime},         {"CKA-043"_clause, InstancesOfValuesAreKnown},
    {"CKA-044"_clause, InstancesAreFoundByNumber}, {"CKA-045"_clause, CountersDoNotDecrease},
};

}  // namespace

std::span<const Check> ValueChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
