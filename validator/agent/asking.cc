// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/asking.h"

#include <set>
#include <utility>

namespace pmproof::validator::agent {

VerdictOr<std::vector<KnownInstance>> Instances(Session& session, Indom indom) {
  const auto answer = session.Expect<pdu::Instance>(pdu::InstanceReq{.indom = indom});
  if (!answer) return tl::make_unexpected(answer.error());
  std::vector<KnownInstance> instances;
  for (const pdu::InstanceEntry& entry : answer->As<pdu::Instance>()->instances) {
    instances.push_back({entry.instance, std::string(entry.name)});
  }
  return instances;
}

VerdictOr<std::vector<KnownInstance>> InstancesAtAll(Session& session, Indom indom) {
  auto instances = Instances(session, indom);
  if (!instances) return LeftTo({"CKA-080"_clause}, instances.error());
  return instances;
}

VerdictOr<void> FillInstanceDomains(Bench& bench, Session& session) {
  std::set<Indom> fetched;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    const Indom indom = metric.descriptor.indom;
    if (indom.IsNull() || !fetched.insert(indom).second) continue;
    const pdu::Fetch fetch{.pmids = std::span(&metric.pmid, 1)};
    if (const Answer answer = session.Ask(fetch); !answer.is_pdu()) {
      return LeftTo({"CKA-034"_clause, "CKA-035"_clause},
                    Session::Unexpected(fetch, answer, pdu::PduType::kResult));
    }
  }
  return {};
}

tl::unexpected<Verdict> LeftTo(std::vector<Clause> reported_by, Verdict verdict) {
  if (verdict.outcome == Outcome::kNotChecked) return tl::make_unexpected(std::move(verdict));
  return LeftTo(std::move(reported_by), std::move(verdict.because));
}

tl::unexpected<Verdict> LeftTo(std::vector<Clause> reported_by, std::string because) {
  return tl::make_unexpected(Verdict::Left(std::move(because), std::move(reported_by)));
}

std::int32_t UnusedInstance(std::span<const KnownInstance> instances) {
  std::set<std::int32_t> used;
  for (const KnownInstance& instance : instances) used.insert(instance.number);
  std::int32_t number = 0x7ffffff0;
  while (used.contains(number)) --number;
  return number;
}

std::string_view FirstWord(std::string_view name) { return name.substr(0, name.find(' ')); }

std::string InstanceText(Indom indom, const KnownInstance& instance) {
  constexpr std::size_t kLongest = 60;
  const bool cut = instance.name.size() > kLongest;
  return "instance " + std::to_string(instance.number) + " \"" + instance.name.substr(0, kLongest) +
         (cut ? "..." : "") + "\" of " + ToText(indom);
}

Verdict UnlessWrongTwice(const std::function<VerdictOr<Offences>()>& wrong) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto offences = wrong();
    if (!offences) return offences.error();
    if (!offences->any()) return Verdict::Pass();
    if (attempt > 0) return offences->Or(Verdict::Pass());
  }
  return Verdict::Pass();
}

Verdict UnlessWrongTwice(const std::function<VerdictOr<std::string>()>& wrong) {
  return UnlessWrongTwice([&]() -> VerdictOr<Offences> {
    const auto text = wrong();
    if (!text) return tl::make_unexpected(text.error());
    Offences offences;
    if (!text->empty()) offences.Add(*text);
    return offences;
  });
}

}  // namespace pmproof::validator::agent
