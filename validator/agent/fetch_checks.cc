// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"

// 16.2, which value sets a FETCH gives, whatever their values are. The values are in
// value_checks.cc.

namespace pmproof::validator::agent {
namespace {

// CKA-034
Verdict SingularMetricHasOneValue(Bench& bench, Session& session) {
  // One that has several is looked at first: it is not an M.
  const auto& metrics = bench.knowledge().metrics;
  const auto several = std::ranges::find_if(metrics, [](const KnownMetric& metric) {
    return metric.descriptor.indom.IsNull() && metric.numval > 1;
  });
  auto metric = bench.knowledge().Singular();
  if (several != metrics.end()) metric = &*several;
  if (!metric) return metric.error();
  const std::vector<Pmid> pmids{(*metric)->pmid};
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  const pdu::ValueSet& set = fetched->result().sets[0];
  if (set.values.size() > 1) {
    return Verdict::Fail(FetchText(pmids) + ": " + std::to_string(set.values.size()) +
                         " values of a metric without instances");
  }
  if (set.values.size() == 1 && set.values[0].instance != kInstanceNull) {
    return Verdict::Fail(FetchText(pmids) + ": the value has instance " +
                         std::to_string(set.values[0].instance) + ", where -1 is due");
  }
  return Verdict::Pass();
}

// CKA-035
Verdict AllMetricsInOneFetch(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const std::vector<Pmid> pmids = AllPmids(bench);
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  const std::string wrong = WrongSets(pmids, fetched->result());
  return wrong.empty() ? Verdict::Pass() : Verdict::Fail(wrong);
}

// CKA-039
Verdict ARepeatedMetricIsRepeated(Bench& bench, Session& session) {
  const auto metric = bench.knowledge().Singular();
  if (!metric) return metric.error();
  const std::vector<Pmid> pmids(3, (*metric)->pmid);
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  OffenceWalk offences(bench, session);
  for (const pdu::ValueSet& set : fetched->result().sets) {
    if (set.numval() == 1) continue;
    offences.Note(FetchText(pmids) + ": numval " + std::to_string(set.numval()) +
                  ", where asked for once it is 1");
  }
  return offences.Or(Verdict::Pass());
}

// CKA-040
Verdict AnUnknownMetricAmongOthers(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto singular = bench.knowledge().Singular();
  const auto instanced = bench.knowledge().Instanced();
  if (!singular && !instanced) return singular.error();
  std::vector<Pmid> pmids;
  if (singular) pmids.push_back((*singular)->pmid);
  pmids.push_back(*unused);
  if (instanced) pmids.push_back((*instanced)->pmid);
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  OffenceWalk offences(bench, session);
  for (const pdu::ValueSet& set : fetched->result().sets) {
    const bool unknown = set.pmid == *unused;
    if (unknown ? set.numval() < 0 : set.numval() > 0) continue;
    offences.Note(FetchText(pmids) + ": numval " + std::to_string(set.numval()) + " of " +
                  ToText(set.pmid) +
                  (unknown ? ", which no metric has" : ", which has values without it"));
  }
  return offences.Or(Verdict::Pass());
}

// A FETCH of a metric that is not there has one value set, with an error code. `which` says why it
// is not there: "which no metric has".
Verdict HasNoValues(Session& session, Pmid pmid, const std::string& which) {
  const std::vector<Pmid> pmids{pmid};
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  const std::int32_t numval = fetched->result().sets[0].numval();
  if (numval < 0) return Verdict::Pass();
  return Verdict::Fail(FetchText(pmids) + ", " + which + ": numval " + std::to_string(numval) +
                       ", where an error code is due");
}

// CKA-041
Verdict AnUnknownMetricAlone(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  return HasNoValues(session, *unused, "which no metric has");
}

// CKA-042
Verdict UnsupportedMetricsHaveNoValues(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  bool found = false;
  OffenceWalk offences(bench, session);
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.type != MetricType::kNoSupport) continue;
    found = true;
    const auto fetched = FetchForValues(session, {metric.pmid});
    if (!fetched) return offences.Or(fetched.error());
    const std::int32_t numval = fetched->result().sets[0].numval();
    if (numval <= 0) continue;
    offences.Note(metric.ToText() + " has type -1 (not supported) and " + std::to_string(numval) +
                  " values");
  }
  return offences.Or(found ? Verdict::Pass()
                           : Verdict::NotChecked("no metric of the agent has type -1"));
}

// CKA-046
Verdict AsManyMetricsAsFit(Bench& bench, Session& session) {
  const auto metric = bench.knowledge().Singular();
  if (!metric) return metric.error();
  const std::vector<Pmid> pmids(bench.limits().pmids, (*metric)->pmid);
  const auto began = std::chrono::steady_clock::now();
  const auto fetched = Fetch(session, pmids);
  if (!fetched) return fetched.error();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  return Verdict::Pass(std::to_string(fetched->answer.bytes().size()) + " bytes in " +
                       std::to_string(took.count()) + " ms");
}

// The metrics that two fetches are compared by, and a fetch of them.
VerdictOr<std::vector<Pmid>> ToCompare(const Bench& bench) {
  const auto singular = bench.knowledge().Singular();
  const auto instanced = bench.knowledge().Instanced();
  if (!singular && !instanced) return tl::make_unexpected(singular.error());
  std::vector<Pmid> pmids;
  if (singular) pmids.push_back((*singular)->pmid);
  if (instanced) pmids.push_back((*instanced)->pmid);
  return pmids;
}

// What fetches of the same metrics have in common. Values may change any time, instances come and
// go.
class Usual {
 public:
  explicit Usual(const std::vector<Pmid>& pmids) : sets_(pmids.size()) {}

  // More fetches to know it by.
  VerdictOr<void> Look(Session& session, const std::vector<Pmid>& pmids) {
    for (int i = 0; i < kUsualFetches; ++i) {
      const auto fetched = FetchForValues(session, pmids);
      if (!fetched) return tl::make_unexpected(fetched.error());
      ++fetches_;
      for (std::size_t s = 0; s < sets_.size(); ++s) Add(fetched->result().sets[s], &sets_[s]);
    }
    return {};
  }

  // Empty if a fetch has what all of them have and, where they are all the same, nothing else.
  std::string Difference(const std::vector<Pmid>& pmids, const pdu::Result& other) const {
    if (std::string wrong = WrongSets(pmids, other); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const pdu::ValueSet& set = other.sets[i];
      const bool always = sets_[i].numvals.size() == 1;
      if (always && !sets_[i].numvals.contains(set.numval())) {
        return "numval " + std::to_string(set.numval()) + " of " + ToText(set.pmid) + ", and " +
               std::to_string(*sets_[i].numvals.begin()) + " usually";
      }
      std::set<std::int32_t> came;
      for (const pdu::InstanceValue& value : set.values) came.insert(value.instance);
      bool stays = always;
      for (const auto& [instance, times] : sets_[i].instances) {
        stays &= times == fetches_;
        if (times == fetches_ && !came.contains(instance)) {
          return "no value of instance " + std::to_string(instance) + " of " + ToText(set.pmid) +
                 ", which usually has one";
        }
      }
      if (stays && came.size() > sets_[i].instances.size()) {
        return "other instances of " + ToText(set.pmid);
      }
    }
    return "";
  }

 private:
  struct Set {
    std::set<std::int32_t> numvals{};
    std::map<std::int32_t, int> instances{};  // and in how many fetches they had a value
  };

  static void Add(const pdu::ValueSet& set, Set* usual) {
    usual->numvals.insert(set.numval());
    std::set<std::int32_t> came;
    for (const pdu::InstanceValue& value : set.values) came.insert(value.instance);
    for (const std::int32_t instance : came) ++usual->instances[instance];
  }

  int fetches_ = 0;
  std::vector<Set> sets_;
};

// What is different in the RESULT that `ask` gives, held against fetches before and after it.
template <typename Ask>
Verdict AsUsual(Session& session, const std::vector<Pmid>& pmids, const std::string& text,
                Ask&& ask) {
  return UnlessWrongTwice([&]() -> VerdictOr<std::string> {
    Usual usual(pmids);
    if (const auto before = usual.Look(session, pmids); !before) {
      return tl::make_unexpected(before.error());
    }
    const Answer answer = ask();
    const auto* const result = answer.template As<pdu::Result>();
    if (result == nullptr) return Failed(text + answer.ToText() + ", where RESULT is due");
    if (const auto after = usual.Look(session, pmids); !after) {
      return tl::make_unexpected(after.error());
    }
    const std::string difference = usual.Difference(pmids, *result);
    return difference.empty() ? "" : text + difference;
  });
}

// CKA-047
Verdict UnusedBytesAreIgnored(Bench& bench, Session& session) {
  const auto pmids = ToCompare(bench);
  if (!pmids) return pmids.error();
  pdu::Buffer request;
  if (!pdu::Encode({.body = pdu::Fetch{.pmids = *pmids}}, &request)) {
    return Verdict::NotChecked("there is no such request");
  }
  std::fill(request.begin() + 16, request.begin() + 24, std::uint8_t{0xff});
  return AsUsual(session, *pmids, FetchText(*pmids) + " with 0xff in its unused bytes: ", [&] {
    return session.Ask(Bytes(request));
  });
}

// CKA-048
Verdict ClientAndContextDoNotMatter(Bench& bench, Session& session) {
  const auto pmids = ToCompare(bench);
  if (!pmids) return pmids.error();
  session.Introduce(7);
  OffenceWalk offences(bench, session);
  for (const auto& [from, context] : {std::pair(7, 12345), std::pair(0, -1)}) {
    const Verdict verdict =
        AsUsual(session, *pmids,
                FetchText(*pmids) + " from client " + std::to_string(from) + " with context " +
                    std::to_string(context) + ": ",
                [&, from = from, context = context] {
                  return session.Ask(pdu::Fetch{.context = context, .pmids = *pmids}, from);
                });
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

// CKA-050
Verdict OtherDomainsHaveNoValues(Bench& bench, Session& session) {
  const auto metric = bench.knowledge().Singular();
  if (!metric) return metric.error();
  const Pmid pmid = (*metric)->pmid;
  const std::uint32_t domain = pmid.domain() == 7 ? 8 : 7;
  OffenceWalk offences(bench, session);
  for (const Pmid other :
       {Pmid::Of(domain, pmid.cluster(), pmid.item()), Pmid{pmid.value | 0x80000000}}) {
    const Verdict verdict = HasNoValues(session, other, "which is not the agent's");
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

// The metrics that have a type, and may have values.
std::vector<const KnownMetric*> Supported(const Bench& bench) {
  std::vector<const KnownMetric*> metrics;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.type != MetricType::kNoSupport) metrics.push_back(&metric);
  }
  return metrics;
}

// Whether a FETCH of it alone says that it is not there.
VerdictOr<bool> IsDenied(Session& session, const KnownMetric& metric) {
  const auto fetched = FetchForValues(session, {metric.pmid});
  if (!fetched) return tl::make_unexpected(fetched.error());
  return fetched->result().sets[0].status == ErrorCode::kPmid;
}

// CKA-051
Verdict DescribedMetricsAreThere(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const auto supported = Supported(bench);
  if (supported.empty()) return Verdict::NotChecked("all metrics of the agent have type -1");
  OffenceWalk offences(bench, session);
  for (const KnownMetric* metric : supported) {
    const auto denied = IsDenied(session, *metric);
    if (!denied) return offences.Or(denied.error());
    if (!*denied) continue;
    offences.Note(metric->ToText() + " has a descriptor, but FETCH says PM_ERR_PMID of it");
  }
  return offences.Or(Verdict::Pass());
}

// CKA-052
Verdict SomeMetricHasAValue(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  constexpr int kFetches = 3;
  for (int i = 0; i < kFetches; ++i) {
    // What is measured between two fetches has its first value at the second one.
    if (i > 0) {
      const Answer surplus = session.Next(bench.limits().counter);
      if (surplus.kind() != Answer::Kind::kNothing) {
        return LeftTo({"CKA-158"_clause}, "between two fetches the agent gives " + surplus.ToText())
            .value();
      }
    }
    const auto fetched = FetchForValues(session, AllPmids(bench));
    if (!fetched) return fetched.error();
    for (const pdu::ValueSet& set : fetched->result().sets) {
      if (set.numval() > 0) return Verdict::Pass();
    }
  }
  const auto supported = Supported(bench);
  bool all_denied = !supported.empty();
  for (std::size_t i = 0; all_denied && i < supported.size(); ++i) {
    const auto denied = IsDenied(session, *supported[i]);
    if (!denied) return denied.error();
    all_denied = *denied;
  }
  if (all_denied) {
    return Verdict::Left("FETCH says PM_ERR_PMID of all metrics", {"CKA-051"_clause});
  }
  return Verdict::Fail("none of the agent's " + std::to_string(bench.knowledge().metrics.size()) +
                       " metrics has a value in " + std::to_string(kFetches) + " fetches");
}

constexpr Check kChecks[] = {
    {"CKA-034"_clause, SingularMetricHasOneValue},
    {"CKA-035"_clause, AllMetricsInOneFetch},
    {"CKA-039"_clause, ARepeatedMetricIsRepeated},
    {"CKA-040"_clause, AnUnknownMetricAmongOthers},
    {"CKA-041"_clause, AnUnknownMetricAlone},
    {"CKA-042"_clause, UnsupportedMetricsHaveNoValues},
    {"CKA-046"_clause, AsManyMetricsAsFit},
    {"CKA-047"_clause, UnusedBytesAreIgnored},
    {"CKA-048"_clause, ClientAndContextDoNotMatter},
    {"CKA-050"_clause, OtherDomainsHaveNoValues},
    {"CKA-051"_clause, DescribedMetricsAreThere},
    {"CKA-052"_clause, SomeMetricHasAValue},
};

}  // namespace

std::span<const Check> FetchChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
