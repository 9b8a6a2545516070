// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/fault.h"

#include <algorithm>

namespace pmproof::generators {

const MetricModel* FaultContext::Find(bool (*fits)(const MetricModel&)) const {
  if (model.metrics.empty()) return nullptr;
  const auto found = std::find_if(model.metrics.begin() + 1, model.metrics.end(), fits);
  return found == model.metrics.end() ? nullptr : &*found;
}

AgentModel FaultyModel(const Fault& fault, std::uint64_t seed) {
  Random random(seed);
  return RandomAgent(random, fault.Wish());
}

}  // namespace pmproof::generators
