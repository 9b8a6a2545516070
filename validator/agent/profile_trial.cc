// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/profile_trial.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "validator/agent/fetch.h"

namespace pmproof::validator::agent {
namespace {

// Calls use(Profile).
template <typename Use>
void WithProfile(const Wanted& wanted, std::int32_t context, Use&& use) {
  std::vector<pdu::ProfileEntry> entries;
  for (const Wanted::Entry& entry : wanted.entries) {
    entries.push_back({entry.indom, entry.state, std::span(entry.instances)});
  }
  use(pdu::Profile{.context = context, .state = wanted.state, .entries = std::span(entries)});
}

std::string StepText(const KnownMetric& metric, const Step& step, const FetchedInstances& got) {
  return step.name + ": " + metric.ToText() + " has values of instances " + Listed(got.instances);
}

FetchedInstances InstancesOf(const pdu::ValueSet& set) {
  FetchedInstances fetched{.status = set.status};
  for (const pdu::InstanceValue& value : set.values) fetched.instances.push_back(value.instance);
  std::ranges::sort(fetched.instances);
  return fetched;
}

}  // namespace

void Wanted::Send(Session& session, Client client) const {
  WithProfile(*this, client.context,
              [&](const pdu::Profile& profile) { session.Send(profile, client.from); });
}

std::vector<std::int32_t> Wanted::Of(Indom indom,
                                     const std::vector<std::int32_t>& instances) const {
  std::vector<std::int32_t> included;
  WithProfile(*this, 0, [&](const pdu::Profile& profile) {
    std::ranges::copy_if(instances, std::back_inserter(included),
                         [&](std::int32_t instance) { return profile.Includes(indom, instance); });
  });
  return included;
}

VerdictOr<FetchedInstances> FetchInstances(Session& session, const KnownMetric& metric,
                                           Client client) {
  const std::vector<Pmid> pmids{metric.pmid};
  const auto fetched = Fetch(session, pmids, client.from, client.context);
  if (!fetched) return tl::make_unexpected(fetched.error());
  const std::string wrong = WrongSets(pmids, fetched->result());
  if (!wrong.empty()) return Failed(wrong);
  return InstancesOf(fetched->result().sets[0]);
}

VerdictOr<std::vector<std::int32_t>> FetchAll(Session& session, const KnownMetric& metric) {
  Wanted::All().Send(session);
  std::vector<std::int32_t> all;
  for (int i = 0; i < kUsualFetches; ++i) {
    const auto fetched = FetchForValues(session, {metric.pmid});
    if (!fetched) return tl::make_unexpected(fetched.error());
    auto instances = InstancesOf(fetched->result().sets[0]).instances;
    const auto same = std::ranges::unique(instances);
    instances.erase(same.begin(), same.end());
    all = i == 0 ? std::move(instances) : Both(all, instances);
  }
  return all;
}

VerdictOr<std::vector<std::int32_t>> FetchAtLeast(Session& session, const KnownMetric& metric,
                                                  std::size_t count) {
  auto all = FetchAll(session, metric);
  if (all && all->size() < count) {
    return Unchecked(metric.ToText() + " has no more than " + std::to_string(all->size()) +
                     " values that stay from fetch to fetch");
  }
  return all;
}

std::vector<std::int32_t> Both(const std::vector<std::int32_t>& a,
                               const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

std::string Listed(const std::vector<std::int32_t>& instances) {
  constexpr std::size_t kMost = 8;
  if (instances.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(instances.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(instances[i]);
  }
  return text + (instances.size() > kMost ? ", ..." : "");
}

VerdictOr<Offences> WrongSteps(Session& session, const KnownMetric& metric,
                               const std::vector<Step>& steps, bool others) {
  const Indom indom = metric.descriptor.indom;
  const auto before = FetchAll(session, metric);
  if (!before) return tl::make_unexpected(before.error());
  std::vector<FetchedInstances> came;
  Offences certain;
  const auto note = [&](std::string because) {
    if (certain.Add(std::move(because))) session.log().Offence(session.number());
  };
  // Where a step ends the check, what was wrong before it counts all the same.
  const auto ended = [&](Verdict verdict) { return tl::make_unexpected(certain.Or(verdict)); };
  for (const Step& step : steps) {
    step.wanted.Send(session, step.client);
    auto got = FetchInstances(session, metric, step.client);
    if (!got) return ended(got.error());
    const auto twice = std::ranges::adjacent_find(got->instances);
    const auto due = step.wanted.Of(indom, got->instances);
    if (twice != got->instances.end()) {
      note(StepText(metric, step, *got) + ": " + std::to_string(*twice) + " more than once");
    } else if (due.size() != got->instances.size()) {
      note(StepText(metric, step, *got) + ", of which the profile includes " + Listed(due));
    }
    came.push_back(std::move(*got));
    if (!others) continue;
    const auto desc = session.Expect<pdu::Desc>(pdu::DescReq{metric.pmid}, step.client.from);
    if (!desc) return ended(desc.error());
    const auto instances =
        session.Expect<pdu::Instance>(pdu::InstanceReq{.indom = indom}, step.client.from);
    if (!instances) return ended(instances.error());
  }
  if (certain.any()) return ended(Verdict::Pass());
  const auto behind = FetchAll(session, metric);
  if (!behind) return tl::make_unexpected(behind.error());
  const std::vector<std::int32_t> all = Both(*before, *behind);
  Offences missing;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto due = steps[i].wanted.Of(indom, all);
    if (Both(due, came[i].instances) != due) {
      missing.Add(StepText(metric, steps[i], came[i]) + ", where " + Listed(due) + " are due");
    } else if (due.empty() && came[i].status != ErrorCode::kOk) {
      missing.Add(steps[i].name + ": " + metric.ToText() + " has numval " +
                  CodeText(came[i].status) + ", where 0 is due");
    }
  }
  return missing;
}

}  // namespace pmproof::validator::agent
