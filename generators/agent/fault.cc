#include "generators/agent/fault.h"

#include <algorithm>

namespace pmproof::generators {

const MetricModel* Scene::Find(bool (*fits)(const MetricModel&)) const {
  if (model.metrics.empty()) return nullptr;
  const auto found = std::find_if(model.metrics.begin() + 1, model.metrics.end(), fits);
  return found == model.metrics.end() ? nullptr : &*found;
}

AgentModel FaultyModel(const Fault& fault, std::uint64_t seed, std::size_t most_metrics) {
  Random random(seed);
  AgentWish wish = fault.Wish();
  wish.most_metrics = most_metrics;
  AgentModel model = RandomAgent(random, wish);
  model.readiness = fault.readiness;
  if (fault.model != nullptr) fault.model(model, random);
  return model;
}

}  // namespace pmproof::generators
