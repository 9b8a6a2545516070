// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/model_agent.h"

#include <algorithm>
#include <vector>

#include "generators/random.h"
#include "reference/pmda/names/help_table.h"

namespace pmproof::generators {
namespace {

using pmda::LabelTarget;

bool IsText(Bytes bytes) {
  return !bytes.empty() && std::find(bytes.begin(), bytes.end(), 0) == bytes.end() - 1;
}

}  // namespace

ModelAgent::ModelAgent(AgentModel model)
    : model_(std::move(model)),
      agent_({.name = model_.name,
              .domain = model_.domain,
              .features = model_.features,
              .labels = model_.labelled}) {
  if (model_.readiness != Readiness::kAtOnce) agent_.SetNotReadyUntil(pmda::Deadline::Never());
  agent_.set_announces_ready(model_.readiness == Readiness::kAnnounced);
  AddTables();
  AddHelp();
  if (model_.labelled) AddLabels();
  agent_.hooks().before_fetch = [this] {
    ++fetches_;
    for (std::size_t i = 0; i < domains_.size(); ++i) BeginTurn(i);
    return ErrorCode::kOk;
  };
  agent_.hooks().before_instances = [this](Indom asked) {
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const IndomModel& indom = model_.indoms[i];
      if (indom.serial == asked.serial() && indom.turns_by_request) BeginTurn(i);
    }
    return ErrorCode::kOk;
  };
  agent_.hooks().store = [this](pdu::List<pdu::ValueSet> sets) {
    for (const pdu::ValueSet& set : sets) {
      if (const ErrorCode refused = Store(set); refused != ErrorCode::kOk) return refused;
    }
    return ErrorCode::kOk;
  };
}

void ModelAgent::AddTables() {
  for (const IndomModel& indom : model_.indoms) {
    pmda::InstanceDomain& domain = agent_.AddIndom(indom.serial);
    for (const InstanceModel& instance : indom.instances) {
      (void)domain.Add(instance.number, instance.name);
      if (instance.turns == Turns::kOdd || indom.filled_by_fetch) {
        domain.Deactivate(instance.number);
      }
    }
    domains_.push_back({.instances = &domain});
  }
  for (const MetricModel& metric : model_.metrics) {
    agent_.AddMetric({.cluster = metric.cluster,
                      .item = metric.item,
                      .type = metric.type,
                      .indom = metric.indom,
                      .semantics = metric.semantics,
                      .units = metric.units},
                     [this, &metric](std::int32_t i) { return SampleOf(metric, i); });
    if (metric.dynamic) (void)agent_.names().Add(metric.name, metric.pmid(0));
  }
}

void ModelAgent::BeginTurn(std::size_t indom) {
  const IndomModel& model = model_.indoms[indom];
  if (!model.changes() || (model.filled_by_fetch && fetches_ == 0)) return;
  const bool odd = ++domains_[indom].turns % 2 == 1;
  for (const InstanceModel& instance : model.instances) {
    if (instance.turns == (odd ? Turns::kEven : Turns::kOdd)) {
      domains_[indom].instances->Deactivate(instance.number);
    } else {
      (void)domains_[indom].instances->Add(instance.number, instance.name);
    }
  }
}

void ModelAgent::AddHelp() {
  std::vector<pmda::HelpEntry> entries;
  const auto add = [&](pmda::HelpId id, const HelpTexts& texts) {
    if (texts != HelpTexts{}) {
      entries.push_back({.id = id, .one_line = texts.one_line, .full = texts.full});
    }
  };
  for (const MetricModel& metric : model_.metrics) add(metric.pmid(0), metric.help);
  for (const IndomModel& indom : model_.indoms) add(Indom::Of(0, indom.serial), indom.help);
  agent_.SetHelp(pmda::HelpTable(entries));
}

void ModelAgent::AddLabels() {
  const auto set = [this](const LabelTarget& target, const std::string& json) {
    if (!json.empty()) agent_.SetLabels(target, json);
  };
  set(LabelTarget::Domain(), model_.labels);
  for (const ClusterLabels& cluster : model_.clusters) {
    set(LabelTarget::Cluster(cluster.cluster), cluster.labels);
  }
  for (const IndomModel& indom : model_.indoms) {
    set(LabelTarget::Indom(indom.serial), indom.labels);
    for (const InstanceModel& instance : indom.instances) {
      set(LabelTarget::Instance(indom.serial, instance.number), instance.labels);
    }
  }
  for (const MetricModel& metric : model_.metrics) {
    set(LabelTarget::Item(metric.cluster, metric.item), metric.labels);
  }
}

pmda::Sample ModelAgent::SampleOf(const MetricModel& metric, std::int32_t instance) {
  if (metric.unavailable != ErrorCode::kOk) return metric.unavailable;
  if (const auto stored = stored_.find({metric.pmid(0), instance}); stored != stored_.end()) {
    return stored->second;
  }
  Random random(metric.seed + static_cast<std::uint64_t>(instance + 1) * 1000003);
  std::uint64_t number = random.Below(1'000'000);
  if (metric.semantics == Semantics::kCounter) number += fetches_ * (1 + random.Below(5));
  switch (metric.type) {
    case MetricType::k32:
      return Value::Of(static_cast<std::int32_t>(number) - 500'000);
    case MetricType::kU32:
      return Value::Of(static_cast<std::uint32_t>(number));
    case MetricType::k64:
      return Value::Of(static_cast<std::int64_t>(number) * 1'000'000'007);
    case MetricType::kU64:
      return Value::Of(number * 1'000'000'007);
    case MetricType::kFloat:
      return Value::Of(static_cast<float>(number) / 8);
    case MetricType::kDouble:
      return Value::Of(static_cast<double>(number) / 8);
    case MetricType::kString:
      return "value " + std::to_string(number);
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
      return Events(metric);
    case MetricType::kNoSupport:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kUnknown:
      break;
  }
  return std::string(static_cast<std::size_t>(number % 7), static_cast<char>(number % 128));
}

std::string ModelAgent::Events(const MetricModel& metric) {
  events_.Begin(metric.type);
  Random random(metric.seed + fetches_);
  const std::uint64_t records = 1 + random.Below(3);
  for (std::uint64_t i = 0; i < records; ++i) {
    const Timestamp time{static_cast<std::int64_t>(1'500'000'000 + fetches_), 1000};
    if (random.Chance(1, 5)) {
      events_.AddMissed(time, static_cast<std::int32_t>(1 + random.Below(9)));
      continue;
    }
    events_.AddRecord(time, 1);
    for (const MetricModel& parameter : model_.metrics) {
      if (parameter.type == MetricType::kU32 && !parameter.indom && parameter.has_value()) {
        events_.AddParameter(parameter.pmid(agent_.domain()),
                             Value::Of(static_cast<std::uint32_t>(random.Below(100))));
      }
    }
  }
  return std::string(AsText(events_.body()));
}

ErrorCode ModelAgent::Store(const pdu::ValueSet& set) {
  if (set.pmid.flag() || set.pmid.domain() != agent_.domain()) return ErrorCode::kPmid;
  const MetricModel* metric =
      model_.FindMetric(Pmid::Of(model_.domain, set.pmid.cluster(), set.pmid.item()));
  if (metric == nullptr) return ErrorCode::kPmid;
  if (!metric->writable) return pdu::kErrPermission;
  const pmda::InstanceDomain* indom =
      metric->indom ? agent_.FindIndom(Indom::Of(agent_.domain(), *metric->indom)) : nullptr;
  for (const pdu::InstanceValue& value : set.values) {
    const bool known = indom == nullptr ? value.instance == kInstanceNull
                                        : indom->FindNumber(value.instance) != nullptr;
    if (!known) return ErrorCode::kInstance;
    const auto read = pdu::ValueOf(value, set.format, metric->type);
    if (!read) return ErrorCode::kConversion;
    if (metric->type == MetricType::kString && !IsText(read->opaque)) {
      return ErrorCode::kConversion;
    }
    pmda::Sample sample = *read;
    if (metric->type == MetricType::kString) {
      sample = std::string(AsText(read->opaque.first(read->opaque.size() - 1)));
    } else if (!IsNumeric(metric->type)) {
      sample = std::string(AsText(read->opaque));
    }
    stored_[{metric->pmid(0), value.instance}] = std::move(sample);
  }
  return ErrorCode::kOk;
}

}  // namespace pmproof::generators
