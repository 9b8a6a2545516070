// SPDX-License-Identifier: Apache-2.0
#include "generators/scenarios/scenario.h"

#include <utility>

namespace pmproof::generators {

void Stage::Count() {
  if (counted_for_ == cluster) return;
  counted_for_ = cluster;
  items_ = 0;
  serials_ = 0;
}

MetricSetup Stage::NewMetric(std::string_view last_name, MetricType type, Semantics semantics) {
  Count();
  MetricSetup metric;
  metric.agent = kAgent;
  metric.cluster = cluster;
  metric.item = items_++;
  metric.name = name + "." + std::string(last_name);
  metric.type = type;
  metric.semantics = semantics;
  return metric;
}

std::size_t Stage::Add(MetricSetup metric) {
  setup.metrics.push_back(std::move(metric));
  return setup.metrics.size() - 1;
}

DomainSetup Stage::NewDomain(std::string_view stem, std::uint64_t count) {
  Count();
  DomainSetup domain;
  domain.agent = kAgent;
  domain.serial = cluster * 16 + serials_++;
  domain.stem = stem;
  domain.instances.clear();
  for (std::uint64_t i = 0; i < count; ++i)
    domain.instances.push_back(static_cast<std::int32_t>(i));
  return domain;
}

std::size_t Stage::Add(DomainSetup domain) {
  setup.domains.push_back(std::move(domain));
  return setup.domains.size() - 1;
}

Reading& Turn::Read(std::size_t metric) {
  if (used_ == sample.readings.size()) sample.readings.emplace_back();
  Reading& reading = sample.readings[used_++];
  reading.metric = metric;
  reading.values.clear();
  reading.status = 0;
  return reading;
}

Value& Turn::AddTo(Reading& reading, std::int32_t instance, std::uint64_t number) {
  Value& value = reading.values.emplace_back();
  value.instance = instance;
  value.number = number;
  return value;
}

void Turn::ReadAll(std::size_t metric, std::size_t domain, std::uint64_t bound, Random& random) {
  Reading& reading = Read(metric);
  for (const std::int32_t instance : Instances(domain))
    AddTo(reading, instance, random.Below(bound));
}

void Turn::Clear() {
  before.clear();
  used_ = 0;
  sample.after = 0;
}

const Sample& Turn::Finished() {
  sample.readings.resize(used_);
  return sample;
}

std::vector<ScenarioKind> AllScenarios() {
  std::vector<ScenarioKind> table;
  AddPlain(&table);
  AddMarks(&table);
  AddCounters(&table);
  AddDomains(&table);
  AddMetrics(&table);
  AddValues(&table);
  AddMetadata(&table);
  AddTimes(&table);
  AddFiles(&table);
  AddReplay(&table);
  return table;
}

}  // namespace pmproof::generators
