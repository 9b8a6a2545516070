#include "validator/agent/check.h"

// 16.2, what is asked with FETCH.

namespace pmproof::validator::agent {
namespace {

// CKA-034
Verdict SingularMetricHasOneValue(Bench& bench, Session& session) {
  const auto metric = bench.knowledge().Singular();
  if (!metric) return metric.error();
  const Pmid pmid = (*metric)->pmid;
  const pdu::Fetch fetch{.pmids = std::span(&pmid, 1)};
  const auto answer = session.Expect<pdu::Result>(fetch);
  if (!answer) return answer.error();
  const auto& sets = answer->As<pdu::Result>()->sets;
  if (sets.size() != 1) {
    return Verdict::Fail(Brief(fetch) + ": " + std::to_string(sets.size()) +
                         " value sets, where 1 is due");
  }
  if (sets[0].pmid != pmid) {
    return Verdict::Fail(Brief(fetch) + ": the value set is of " + ToText(sets[0].pmid));
  }
  if (sets[0].values.size() > 1) {
    return Verdict::Fail(Brief(fetch) + ": " + std::to_string(sets[0].values.size()) +
                         " values of a metric without instances");
  }
  if (sets[0].values.size() == 1 && sets[0].values[0].instance != kInstanceNull) {
    return Verdict::Fail(Brief(fetch) + ": the value has instance " +
                         std::to_string(sets[0].values[0].instance) + ", where -1 is due");
  }
  return Verdict::Pass();
}

constexpr Check kChecks[] = {
    {"CKA-034"_clause, SingularMetricHasOneValue},
};

}  // namespace

std::span<const Check> ValueChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
