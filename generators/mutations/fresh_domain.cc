// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/fresh_domain.h"

#include <set>
#include <utility>

#include "generators/mutations/fresh.h"

namespace pmproof::generators {
namespace {

using archive::MetaRecordModel;

// The ordinals in `times` at which a domain with `wish` may begin.
std::vector<std::size_t> Beginnings(const ArchivePlan& plan, const std::vector<Timestamp>& times,
                                    Timestamp used, const FreshDomainWish& wish) {
  std::set<Timestamp> entries;
  for (const PlannedIndexEntry& entry : plan.index) entries.insert(entry.time);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + wish.times <= times.size() && times[i] <= used; ++i) {
    if (wish.at_its_value && times[i] != used) continue;
    if (wish.neighbours && entries.upper_bound(times[i]) != entries.lower_bound(times[i + 1]))
      continue;
    found.push_back(i);
  }
  return found;
}

}  // namespace

void FreshDomain::Begin(ArchivePlan& plan, std::vector<MetaRecordModel> records,
                        Random& random) const {
  records.insert(records.begin(), desc);
  InsertTimedMeta(plan, times.at(0), std::move(records), random);
}

void FreshDomain::Add(ArchivePlan& plan, std::size_t moment, std::vector<MetaRecordModel> records,
                      Random& random) const {
  InsertTimedMeta(plan, times.at(moment), std::move(records), random);
}

NotApplicable AddFreshDomain(ArchivePlan& plan, const FreshDomainWish& wish, Random& random,
                             FreshDomain* domain) {
  domain->desc = FreshDesc(plan, random);
  Descriptor& metric = domain->desc.descriptor;
  const std::uint32_t agent = metric.pmid.domain() + (wish.other_agent ? 1 : 0);
  metric.indom = FreshIndom(plan, random, agent);
  domain->instance = static_cast<std::int32_t>(random.Below(1000));
  const std::optional<Timestamp> used = AddValues(
      plan, [&](Timestamp time) { return std::vector{ValueOf(metric, time, domain->instance)}; },
      random);
  if (!used) return kNoPlaceForValues;
  domain->used = *used;

  const std::vector<Timestamp> times = DataTimes(plan);
  const std::vector<std::size_t> beginnings = Beginnings(plan, times, *used, wish);
  if (beginnings.empty())
    return "its data records have too few different times for changes of an instance domain";
  std::size_t next = beginnings[random.Below(beginnings.size())];
  domain->times = {times[next]};
  while (domain->times.size() < wish.times) {
    const std::size_t still = wish.times - domain->times.size();
    const std::size_t room = times.size() - next - 1 - still;
    const bool at_once = wish.neighbours && domain->times.size() == 1;
    next += 1 + (at_once ? 0 : random.Below(room + 1));
    domain->times.push_back(times[next]);
  }
  return std::nullopt;
}

}  // namespace pmproof::generators
