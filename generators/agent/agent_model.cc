// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/agent_model.h"

#include <algorithm>

namespace pmproof::generators {

bool IndomModel::changes() const {
  return filled_by_fetch ||
         std::any_of(instances.begin(), instances.end(),
                     [](const InstanceModel& one) { return one.turns != Turns::kAll; });
}

const IndomModel* AgentModel::FindIndom(std::uint32_t serial) const {
  const auto found = std::find_if(indoms.begin(), indoms.end(),
                                  [=](const IndomModel& indom) { return indom.serial == serial; });
  return found == indoms.end() ? nullptr : &*found;
}

const MetricModel* AgentModel::FindMetric(Pmid pmid) const {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [=, this](const MetricModel& m) {
    return m.pmid(domain) == pmid;
  });
  return found == metrics.end() ? nullptr : &*found;
}

std::string DynamicRootOf(const AgentModel& model) { return model.name + ".live"; }

pmda::NameTree NamesOf(const AgentModel& model) {
  pmda::NameTree names;
  for (const MetricModel& metric : model.metrics) {
    if (metric.dynamic) {
      (void)names.Add(DynamicRootOf(model), pmda::DynamicRoot(model.domain));
    } else {
      (void)names.Add(metric.name, metric.pmid(model.domain));
    }
  }
  return names;
}

std::string ToText(const AgentModel& model) {
  std::string text = "agent " + model.name + ", domain " + std::to_string(model.domain) +
                     ", features " + std::to_string(model.features) +
                     (model.labelled ? "" : ", without labels") + ", seed " +
                     std::to_string(model.seed) + "\n";
  for (const IndomModel& indom : model.indoms) {
    text += "  indom " + std::to_string(indom.serial) + ":";
    for (const InstanceModel& instance : indom.instances) {
      text += " " + std::to_string(instance.number) + "=\"" + instance.name + "\"";
      if (instance.turns != Turns::kAll) {
        text += instance.turns == Turns::kEven ? " at even turns" : " at odd turns";
      }
    }
    if (indom.filled_by_fetch) text += ", filled by FETCH";
    if (indom.turns_by_request) text += ", INSTANCE_REQ begins a turn";
    text += "\n";
  }
  for (const MetricModel& metric : model.metrics) {
    text += "  " + std::to_string(metric.cluster) + "." + std::to_string(metric.item) + " " +
            metric.name + " " + ToText(metric.type) + " " + ToText(metric.semantics);
    if (metric.indom) text += " indom " + std::to_string(*metric.indom);
    if (metric.writable) text += " writable";
    if (metric.dynamic) text += " dynamic";
    if (metric.unavailable != ErrorCode::kOk) text += " " + ToText(metric.unavailable);
    text += "\n";
  }
  return text;
}

}  // namespace pmproof::generators
