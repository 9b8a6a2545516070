// SPDX-License-Identifier: Apache-2.0
#include "generators/domain_in_force.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace pmproof::generators {
namespace {

using archive::InstanceModel;

bool ById(const DomainInForce::Instance& a, const DomainInForce::Instance& b) {
  return a.id < b.id;
}

}  // namespace

void DomainInForce::Take(const archive::IndomModel& record, Timestamp time) {
  out_of_order_ = latest_ && time < *latest_;
  latest_ = latest_ ? std::max(*latest_, time) : time;
  if (record.instances.empty()) return;  // dropped by every reader (ARC-345)
  if (record.delta) {
    Apply(record.instances);
  } else {
    Replace(record.instances);
  }
}

void DomainInForce::Replace(const std::vector<InstanceModel>& instances) {
  instances_.clear();
  for (const InstanceModel& instance : instances) {
    instances_.push_back({instance.id, instance.name.value_or("")});
  }
  std::stable_sort(instances_.begin(), instances_.end(), ById);
}

// In one go, for domains and changes of any size: what is there, but for what is deleted, merged
// with what is added.
void DomainInForce::Apply(const std::vector<InstanceModel>& changes) {
  std::map<std::int32_t, bool> present;  // of the identifiers that are mentioned
  for (const InstanceModel& change : changes) {
    const auto at =
        std::lower_bound(instances_.begin(), instances_.end(), Instance{change.id, {}}, ById);
    present.emplace(change.id, at != instances_.end() && at->id == change.id);
  }
  std::map<std::int32_t, bool> was = present;
  std::map<std::int32_t, std::string_view> added;
  for (const InstanceModel& change : changes) {
    bool& there = present[change.id];
    if (change.name && !there) {
      added[change.id] = *change.name;
    } else if (!change.name) {
      added.erase(change.id);
      was[change.id] = false;  // the old one is gone
    }
    there = change.name.has_value();
  }
  std::erase_if(instances_, [&](const Instance& instance) {
    const auto mentioned = was.find(instance.id);
    return mentioned != was.end() && !mentioned->second;
  });
  const auto old = static_cast<std::ptrdiff_t>(instances_.size());
  for (const auto& [id, name] : added) instances_.push_back({id, std::string(name)});
  std::inplace_merge(instances_.begin(), instances_.begin() + old, instances_.end(), ById);
}

}  // namespace pmproof::generators
