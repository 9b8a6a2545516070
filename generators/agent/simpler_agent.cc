// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/simpler_agent.h"

#include <algorithm>
#include <cstddef>

namespace pmproof::generators {
namespace {

void EraseRange(std::vector<MetricModel>& metrics, std::size_t from, std::size_t to) {
  metrics.erase(metrics.begin() + static_cast<std::ptrdiff_t>(from),
                metrics.begin() + static_cast<std::ptrdiff_t>(to));
}

bool Used(const AgentModel& model, std::uint32_t serial) {
  return std::any_of(model.metrics.begin(), model.metrics.end(),
                     [=](const MetricModel& metric) { return metric.indom == serial; });
}

}  // namespace

std::vector<AgentEdit> SimplerAgents(const AgentModel& model) {
  std::vector<AgentEdit> edits;
  const std::size_t count = model.metrics.size();
  for (std::size_t size = count / 2; size > 0; size /= 2) {
    for (std::size_t from = 0; from + size <= count; from += size) {
      edits.emplace_back([=](AgentModel& m) { EraseRange(m.metrics, from, from + size); });
    }
  }
  for (std::size_t i = 0; i < model.indoms.size(); ++i) {
    if (!Used(model, model.indoms[i].serial)) {
      edits.emplace_back([=](AgentModel& m) {
        m.indoms.erase(m.indoms.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
    if (model.indoms[i].changes()) {
      edits.emplace_back([=](AgentModel& m) {
        m.indoms[i].filled_by_fetch = m.indoms[i].turns_by_request = false;
        for (InstanceModel& instance : m.indoms[i].instances) instance.turns = Turns::kAll;
      });
    }
    for (std::size_t j = 0; j < model.indoms[i].instances.size(); ++j) {
      edits.emplace_back([=](AgentModel& m) {
        auto& instances = m.indoms[i].instances;
        instances.erase(instances.begin() + static_cast<std::ptrdiff_t>(j));
      });
    }
  }
  const bool labels = !model.labels.empty() || !model.clusters.empty() ||
                      std::any_of(model.metrics.begin(), model.metrics.end(),
                                  [](const MetricModel& m) { return !m.labels.empty(); });
  if (labels) {
    edits.emplace_back([](AgentModel& m) {
      m.labels.clear();
      m.clusters.clear();
      for (MetricModel& metric : m.metrics) metric.labels.clear();
    });
  }
  const bool help = std::any_of(model.metrics.begin(), model.metrics.end(),
                                [](const MetricModel& m) { return m.help != HelpTexts{}; });
  if (help) {
    edits.emplace_back([](AgentModel& m) {
      for (MetricModel& metric : m.metrics) metric.help = {};
    });
  }
  if (model.features != 0) edits.emplace_back([](AgentModel& m) { m.features = 0; });
  return edits;
}

}  // namespace pmproof::generators
