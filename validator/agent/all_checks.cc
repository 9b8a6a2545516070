// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "validator/agent/check.h"

namespace pmproof::validator::agent {

std::vector<Check> AllChecks() {
  std::vector<Check> all;
  for (const std::span<const Check> checks :
       {StartAndEndChecks(), RestartChecks(),     DescriptorChecks(), FetchChecks(),
        ValueChecks(),       EventChecks(),       ProfileChecks(),    InstanceChecks(),
        HelpChecks(),        LabelChecks(),       NameChecks(),       AttributeChecks(),
        StoreChecks(),       SilenceChecks(),     FramingChecks(),    BrokenRequestChecks(),
        BrokenNameChecks(),  BrokenStoreChecks(), StreamChecks(),     LoadChecks(),
        ReadinessChecks(),   HeaderChecks(),      DsoChecks(),        PlausibilityChecks()}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  std::sort(all.begin(), all.end(), [](const Check& a, const Check& b) { return a.id < b.id; });
  return all;
}

}  // namespace pmproof::validator::agent
