// SPDX-License-Identifier: Apache-2.0
// What the metrics of one archive of a set are (ARC-2104..2106), and its version (ARC-2108).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/set_mutations.h"
#include "generators/transform.h"
#include "reference/core/bytes.h"
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::TextModel;

constexpr char kNoMetric[] = "it has no metric that could be changed so";

// A metric by its first descriptor, of those that `wanted` takes; nothing if there is none.
std::optional<DescModel> PickMetric(const ArchivePlan& plan, Random& random,
                                    const std::function<bool(const DescModel&)>& wanted) {
  const std::vector<std::size_t> found = MetaRecords<DescModel>(plan, wanted);
  if (found.empty()) return std::nullopt;
  const Pmid pmid = std::get<DescModel>(plan.meta[random.Pick(found)]).descriptor.pmid;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const auto* desc = std::get_if<DescModel>(&record);
    if (desc != nullptr && desc->descriptor.pmid == pmid) return *desc;
  }
  return std::nullopt;
}

// All descriptors of a metric, which may have several (ARC-307).
void EditDescs(ArchivePlan& plan, Pmid pmid, const std::function<void(DescModel&)>& edit) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* desc = std::get_if<DescModel>(&record);
    if (desc != nullptr && desc->descriptor.pmid == pmid) edit(*desc);
  }
}

bool HasValues(const ArchivePlan& plan, Pmid pmid) {
  return !Sets(plan, [pmid](const archive::ResultModel&, const archive::ValueSetModel& set) {
            return set.pmid == pmid && !set.values.empty();
          }).empty();
}

// True if events may have parameters of the metric: its number is in one.
bool IsParameter(const ArchivePlan& plan, Pmid pmid) {
  const std::string number = BigEndian({pmid.value});
  for (const auto& [volume, results] : plan.volumes) {
    for (const archive::ResultModel& result : results) {
      for (const archive::ValueSetModel& set : result.sets) {
        for (const archive::ValueModel& value : set.values) {
          const auto* block = std::get_if<archive::BlockModel>(&value.value);
          if (block != nullptr && IsEvent(static_cast<MetricType>(block->type)) &&
              block->payload.find(number) != std::string::npos)
            return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

NotApplicable OtherUnits(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(second, random, [](const DescModel&) { return true; });
  if (!metric) return kNoMetric;
  // A count, bytes, seconds or none: what is legal for every metric (ARC-1320..1328).
  constexpr std::uint32_t kUnits[] = {0x00100000, 0x10000000, 0x01003000, 0};
  std::uint32_t units = random.Pick(kUnits);
  if (units == metric->descriptor.units.word) units = units == 0 ? kUnits[0] : 0;
  EditDescs(second, metric->descriptor.pmid,
            [units](DescModel& desc) { desc.descriptor.units = Units{units}; });
  return std::nullopt;
}

NotApplicable OtherSemantics(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(second, random, [&](const DescModel& desc) {
    return HasValues(second, desc.descriptor.pmid);
  });
  if (!metric) return kNoMetric;
  const Semantics other = metric->descriptor.semantics == Semantics::kInstant ? Semantics::kDiscrete
                                                                              : Semantics::kInstant;
  EditDescs(second, metric->descriptor.pmid,
            [other](DescModel& desc) { desc.descriptor.semantics = other; });
  return std::nullopt;
}

// 32 and U32 are stored alike, and so are 64 and U64 but for the type of the block. As a counter, a
// value could be another one (ARC-1831).
NotApplicable OtherType(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(second, random, [&](const DescModel& desc) {
    return IsInteger(desc.descriptor.type) && desc.descriptor.semantics != Semantics::kCounter &&
           !IsParameter(second, desc.descriptor.pmid);
  });
  if (!metric) return kNoMetric;
  MetricType other = MetricType::k32;
  if (metric->descriptor.type == MetricType::k32) other = MetricType::kU32;
  if (metric->descriptor.type == MetricType::k64) other = MetricType::kU64;
  if (metric->descriptor.type == MetricType::kU64) other = MetricType::k64;
  const Pmid pmid = metric->descriptor.pmid;
  EditDescs(second, pmid, [other](DescModel& desc) { desc.descriptor.type = other; });
  const auto of_metric = [pmid](const archive::ResultModel&, const archive::ValueSetModel& set) {
    return set.pmid == pmid;
  };
  for (const SetPlace& place : Sets(second, of_metric)) {
    for (archive::ValueModel& value : At(second, place).values) {
      if (auto* block = std::get_if<archive::BlockModel>(&value.value))
        block->type = static_cast<std::uint8_t>(other);
    }
  }
  return std::nullopt;
}

NotApplicable OtherDomain(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(
      second, random, [](const DescModel& desc) { return !desc.descriptor.indom.IsNull(); });
  if (!metric) return "it has no instance domain";
  const Indom was = metric->descriptor.indom;
  const Indom is = FreshIndom(second, random, was.domain());
  for (archive::MetaRecordModel& record : second.meta) {
    if (auto* desc = std::get_if<DescModel>(&record)) {
      if (desc->descriptor.indom == was) desc->descriptor.indom = is;
    } else if (auto* indom = std::get_if<IndomModel>(&record)) {
      if (indom->indom == was) indom->indom = is;
    } else if (auto* labels = std::get_if<LabelRecordModel>(&record)) {
      const auto label_class = static_cast<LabelClass>(labels->label_class);
      if ((label_class == LabelClass::kIndom || label_class == LabelClass::kInstances) &&
          labels->identifier == was.value)
        labels->identifier = is.value;
    } else if (auto* text = std::get_if<TextModel>(&record)) {
      if ((text->type & 8) != 0 && text->identifier == was.value) text->identifier = is.value;
    } else {
      return "a record of its metadata cannot be changed";
    }
  }
  return std::nullopt;
}

NotApplicable Renamed(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(second, random, [](const DescModel&) { return true; });
  if (!metric) return kNoMetric;
  const std::string name = FreshName(second, random);
  EditDescs(second, metric->descriptor.pmid, [&name](DescModel& desc) { desc.names = {name}; });
  return std::nullopt;
}

NotApplicable MoreNames(ArchivePlan& second, Random& random) {
  const auto metric = PickMetric(second, random, [](const DescModel&) { return true; });
  if (!metric) return kNoMetric;
  const std::string name = FreshName(second, random);
  EditDescs(second, metric->descriptor.pmid,
            [&name](DescModel& desc) { desc.names.push_back(name); });
  return std::nullopt;
}

// A metric with another item number: labels of its agent and cluster stay right.
NotApplicable OtherMetric(ArchivePlan& second, Random& random) {
  constexpr std::uint32_t kPmcd = 2;  // prologue and epilogue are known by their numbers (ARC-594)
  const auto metric = PickMetric(second, random, [&](const DescModel& desc) {
    const Pmid pmid = desc.descriptor.pmid;
    return pmid.domain() != kPmcd && !desc.names.empty() && !IsParameter(second, pmid);
  });
  if (!metric) return kNoMetric;
  const Pmid was = metric->descriptor.pmid;
  std::vector<Pmid> unused;
  for (std::uint32_t item = 1; item < 1024; ++item) {
    const Pmid other = Pmid::Of(was.domain(), was.cluster(), item);
    if (DescOf(second, other) == nullptr) unused.push_back(other);
  }
  if (unused.empty()) return "the cluster of the metric is full";
  const Pmid is = random.Pick(unused);
  for (archive::MetaRecordModel& record : second.meta) {
    if (auto* desc = std::get_if<DescModel>(&record)) {
      if (desc->descriptor.pmid == was) desc->descriptor.pmid = is;
    } else if (auto* labels = std::get_if<LabelRecordModel>(&record)) {
      if (static_cast<LabelClass>(labels->label_class) == LabelClass::kItem &&
          labels->identifier == was.value)
        labels->identifier = is.value;
    } else if (auto* text = std::get_if<TextModel>(&record)) {
      if ((text->type & 4) != 0 && text->identifier == was.value) text->identifier = is.value;
    } else if (std::holds_alternative<archive::RawRecordModel>(record)) {
      return "a record of its metadata cannot be changed";
    }
  }
  for (auto& [volume, results] : second.volumes) {
    for (archive::ResultModel& result : results) {
      for (archive::ValueSetModel& set : result.sets) {
        if (set.pmid == was) set.pmid = is;
      }
    }
  }
  return std::nullopt;
}

NotApplicable OtherVersion(ArchivePlan& second, Random& random) {
  Result<ArchivePlan> other = ToVersion(second, 5 - second.label.version);
  if (!other) return "it cannot be expressed in the other version: " + other.error().message;
  second = std::move(*other);
  if (second.label.version == 2) return std::nullopt;
  const auto of_context = [](const LabelRecordModel& labels) {
    return static_cast<LabelClass>(labels.label_class) == LabelClass::kContext;
  };
  if (MetaRecords<LabelRecordModel>(second, of_context).empty()) {
    // Version 3 is expected to have them (ARC-1524).
    const LabelRecordModel none{second.label.start,
                                static_cast<std::uint32_t>(LabelClass::kContext),
                                0xffffffff,
                                {{kInstanceNull, "{}", {}, 0}}};
    InsertTimedMeta(second, second.label.start, {none}, random);
  }
  return std::nullopt;
}

}  // namespace pmproof::generators
