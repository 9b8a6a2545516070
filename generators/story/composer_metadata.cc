// SPDX-License-Identifier: Apache-2.0
// The metadata that come with a result, in the order of pmlogger (ARC-620..623).

#include <string>

#include "generators/story/composer_body.h"

namespace pmproof::generators {
namespace {

using archive::ValueSetModel;

constexpr std::uint32_t kNoIdentifier = 0xffffffff;

// The label classes of a metric in the order in which they are written (ARC-621).
constexpr LabelClass kLevels[] = {LabelClass::kContext, LabelClass::kDomain,
                                  LabelClass::kIndom,   LabelClass::kCluster,
                                  LabelClass::kItem,    LabelClass::kInstances};

}  // namespace

Composer::Body::Subject Composer::Body::SubjectOf(LabelClass level, std::size_t metric) const {
  if (level == LabelClass::kContext) return {level, kNoIdentifier};
  const Descriptor& descriptor = setup_.metrics[metric].desc.descriptor;
  switch (level) {
    case LabelClass::kContext:
      break;
    case LabelClass::kDomain:
      return {level, descriptor.pmid.domain()};
    case LabelClass::kCluster:
      return {level, Pmid::Of(descriptor.pmid.domain(), descriptor.pmid.cluster(), 0).value};
    case LabelClass::kItem:
      return {level, descriptor.pmid.value};
    case LabelClass::kIndom:
    case LabelClass::kInstances:
      return {level, descriptor.indom.value};
  }
  return {level, kNoIdentifier};
}

// ARC-621, ARC-622.
Failure Composer::Body::WriteMetadata(std::size_t metric, const ValueSetModel& set,
                                      Timestamp time) {
  Metric& role = metrics_[metric];
  DomainState* domain = DomainOf(metric);
  const bool with_instances = domain != nullptr && !set.values.empty();
  if (role.redefinition) {
    archive::DescModel desc = setup_.metrics[metric].desc;
    const Redefinition& change = *role.redefinition;
    desc.descriptor.type = change.type.value_or(desc.descriptor.type);
    desc.descriptor.semantics = change.semantics.value_or(desc.descriptor.semantics);
    desc.descriptor.units = change.units.value_or(desc.descriptor.units);
    if (change.domain && *change.domain < domains_.size()) {
      const DomainSetup& other = setup_.setup.domains[*change.domain];
      desc.descriptor.indom = Indom::Of(other.agent, other.serial);
    }
    if (role.described && Put(desc)) return failed_;
    role.redefinition.reset();
  }
  if (!role.described) {
    if (Describe(metric, time, with_instances)) return failed_;
  } else if (!due_labels_.empty()) {
    for (const LabelClass level : kLevels) {
      if (level == LabelClass::kContext || level == LabelClass::kInstances) continue;
      if (WriteLabels(level, metric, time)) return failed_;
    }
  }
  // The descriptors of the parameters follow that of the event (ARC-278).
  if (IsEvent(role.state.descriptor().type) && WriteParameters(set, time)) return failed_;
  if (!with_instances) return failed_;
  if (domain->due()) {
    const bool first = !domain->written();
    if (first && WriteLabels(LabelClass::kInstances, metric, time)) return failed_;
    if (Put(domain->Record(time, setup_.setup.version))) return failed_;
    // New instances have labels too.
    if (!first) labels_.at(SubjectOf(LabelClass::kInstances, metric)).SetWritten(false);
  }
  return WriteLabels(LabelClass::kInstances, metric, time);
}

Failure Composer::Body::Describe(std::size_t metric, Timestamp time, bool with_instances) {
  const MetricSetup& role = setup_.setup.metrics[metric];
  const archive::DescModel& desc = setup_.metrics[metric].desc;
  const Pmid pmid = desc.descriptor.pmid;
  metrics_[metric].described = true;
  if (Put(desc)) return failed_;
  for (const LabelClass level : kLevels) {
    if (level == LabelClass::kInstances && !with_instances) continue;
    if (WriteLabels(level, metric, time)) return failed_;
  }
  const DomainSetup* domain = nullptr;
  Indom indom;
  if (role.domain && !domain_texts_[*role.domain]) {
    domain_texts_[*role.domain] = true;
    domain = &setup_.setup.domains[*role.domain];
    indom = desc.descriptor.indom;
  }
  if (WriteText(TextType::kMetricOneLine, pmid.value, role.one_line)) return failed_;
  if (domain != nullptr && WriteText(TextType::kIndomOneLine, indom.value, domain->one_line))
    return failed_;
  if (WriteText(TextType::kMetricHelp, pmid.value, role.help)) return failed_;
  if (domain != nullptr && WriteText(TextType::kIndomHelp, indom.value, domain->help))
    return failed_;
  return failed_;
}

Failure Composer::Body::WriteParameters(const ValueSetModel& set, Timestamp time) {
  if (set.values.empty()) return failed_;
  for (const std::size_t metric : parameters_) {
    if (metrics_[metric].described) continue;
    if (Describe(metric, time, false)) return failed_;
  }
  return failed_;
}

// Those that are due.
Failure Composer::Body::WriteLabels(LabelClass level, std::size_t metric, Timestamp time) {
  const Subject subject = SubjectOf(level, metric);
  const auto found = labels_.find(subject);
  if (found == labels_.end() || !found->second.due()) return failed_;
  LabelState& labels = found->second;
  archive::LabelRecordModel record;
  record.time = time;
  record.label_class = static_cast<std::uint32_t>(level);
  record.identifier = subject.second;
  const Descriptor& descriptor = setup_.metrics[metric].desc.descriptor;
  const auto number = [&]() -> std::int64_t {
    switch (level) {
      case LabelClass::kDomain:
        return descriptor.pmid.domain();
      case LabelClass::kIndom:
        return descriptor.indom.serial();
      case LabelClass::kCluster:
        return descriptor.pmid.cluster();
      case LabelClass::kItem:
        return descriptor.pmid.item();
      case LabelClass::kContext:
      case LabelClass::kInstances:
        break;
    }
    return 0;
  };
  if (level == LabelClass::kInstances) {
    for (const std::int32_t instance : DomainOf(metric)->instances())
      record.sets.push_back(labels.SetOf(level, instance, instance));
  } else {
    record.sets.push_back(labels.SetOf(level, number(), kInstanceNull));
  }
  labels.SetWritten(true);
  due_labels_.erase(subject);
  return Put(std::move(record));
}

Failure Composer::Body::WriteText(TextType type, std::uint32_t identifier,
                                  const std::string& text) {
  if (text.empty()) return failed_;
  return Put(archive::TextModel{static_cast<std::uint32_t>(type), identifier, text});
}

}  // namespace pmproof::generators
