// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/instance_names.h"

#include <algorithm>

namespace pmproof::replay {

InstanceNames::InstanceNames(const ReplayDomain& domain) {
  for (const auto& step : domain.records.steps()) {
    for (std::uint32_t i = 0; i < step.record->count; ++i) {
      const auto name = step.record->Name(i);
      if (!name) continue;
      std::vector<Named>& names = names_[step.record->Id(i)];
      // Names that share their bytes are not compared: that would not be linear.
      if (names.empty() || step.record->tangled() || names.back().name != *name) {
        names.push_back({step.time, *name});
      }
    }
  }
}

std::string_view InstanceNames::At(std::int32_t instance, Timestamp time) const {
  const auto found = names_.find(instance);
  if (found == names_.end()) return {};
  const std::vector<Named>& names = found->second;
  const auto later = std::ranges::upper_bound(names, time.Normalised(), {}, &Named::since);
  return later == names.begin() ? names.front().name : std::prev(later)->name;
}

std::vector<std::int32_t> InstanceNames::Find(std::string_view name) const {
  std::vector<std::int32_t> instances;
  for (const auto& [instance, names] : names_) {
    if (std::ranges::find(names, name, &Named::name) != names.end()) instances.push_back(instance);
  }
  return instances;
}

}  // namespace pmproof::replay
