// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "reference/core/label_set.h"
#include "validator/testee/archive_lookup.h"
#include "validator/testee/operation.h"

// Operation archive.labels: the labels of a metric and its instances at a time, set by set and
// merged (ARC-400..402, MET-921, MET-922).

namespace pmproof::validator {
namespace {

using archive::LabelRecord;

// Of the sets of a metric, without those of instances.
constexpr std::size_t kLevels = 5;
// What all merged texts of an answer may take.
constexpr std::size_t kMostMerged = std::size_t{16} << 20;

bool Names(const LabelRecord& record, LabelClass label_class, const Descriptor& metric) {
  // The bits of 0x40 and 0x80 do not count.
  if ((static_cast<std::uint32_t>(record.label_class) & 0x3f) !=
      static_cast<std::uint32_t>(label_class)) {
    return false;
  }
  switch (label_class) {  // ARC-392
    case LabelClass::kContext:
      return true;
    case LabelClass::kDomain:
      return record.identifier == metric.pmid.domain();
    case LabelClass::kCluster:
      return record.identifier == Pmid::Of(metric.pmid.domain(), metric.pmid.cluster(), 0).value;
    case LabelClass::kItem:
      return record.identifier == metric.pmid.value;
    case LabelClass::kIndom:
    case LabelClass::kInstances:
      return !metric.indom.IsNull() && record.identifier == metric.indom.value;
  }
  return false;
}

// ARC-400: the last one up to `time`; of those with one time the first in the file.
const LabelRecord* InForce(const replay::ReplayArchive& archive, LabelClass label_class,
                           const Descriptor& metric, Timestamp time) {
  const LabelRecord* found = nullptr;
  for (const archive::OpenedMember& member : archive.members()) {
    for (const LabelRecord& record : member.metadata.labels) {
      if (!Names(record, label_class, metric) || time < record.time.Normalised()) continue;
      if (found == nullptr || found->time.Normalised() < record.time.Normalised()) found = &record;
    }
  }
  return found;
}

class LabelsAnswer {
 public:
  LabelsAnswer(const replay::ReplayArchive& archive, const Descriptor& metric, Timestamp time,
               PcpVersion version)
      : archive_(archive), metric_(metric), time_(time), version_(version) {}

  Outcome Write() {
    Json sets = Json::array();
    for (std::size_t i = 0; i < kLevels; ++i) {
      const LabelClass label_class = kLabelPrecedence[i];
      levels_[i] = SetOf(label_class);
      if (levels_[i]) {
        sets.push_back({{"class", ToText(label_class)}, {"labels", TextOf(*levels_[i])}});
      }
    }
    Json json = CodeJson(ErrorCode::kOk);
    json["sets"] = std::move(sets);
    json["merged"] = Merged(std::nullopt);
    Json instances = Json::array();
    if (const LabelRecord* record = InForce(archive_, LabelClass::kInstances, metric_, time_)) {
      std::map<std::int32_t, std::string_view> of_instances;
      record->ForEachSet(
          [&](const archive::LabelSet& set) { of_instances.emplace(set.instance, set.json); });
      for (const auto& [instance, labels] : of_instances) {
        if (merged_ > kMostMerged) return Failure{"the merged labels are too long"};
        instances.push_back({{"instance", instance},
                             {"labels", TextOf(labels)},
                             {"merged", Merged(std::optional(labels))}});
      }
    }
    json["instances"] = std::move(instances);
    return Answered{DumpJson(json, -1)};
  }

 private:
  std::optional<std::string_view> SetOf(LabelClass label_class) {
    std::optional<std::string_view> text;
    if (const LabelRecord* record = InForce(archive_, label_class, metric_, time_)) {
      record->ForEachSet([&](const archive::LabelSet& set) {
        if (!text) text = set.json;
      });
    }
    if (text || label_class != LabelClass::kContext) return text;
    const bool ever = std::ranges::any_of(archive_.members(), [&](const auto& member) {
      return std::ranges::any_of(member.metadata.labels, [&](const LabelRecord& record) {
        return Names(record, label_class, metric_);
      });
    });
    if (ever) return text;
    // ARC-402
    host_ = DumpJson({{"hostname", archive_.members().front().label->host}}, -1);
    return host_;
  }

  // Null where the sets cannot be merged.
  Json Merged(std::optional<std::string_view> instance) {
    std::array<std::optional<std::string_view>, kLevels + 1> sets;
    std::copy(levels_.begin(), levels_.end(), sets.begin());
    sets[kLevels] = instance;
    const auto text = MergeLabelSets(sets, version_);
    if (!text) return nullptr;
    merged_ += text->size();
    return TextOf(*text);
  }

  const replay::ReplayArchive& archive_;
  const Descriptor& metric_;
  const Timestamp time_;
  const PcpVersion version_;
  std::array<std::optional<std::string_view>, kLevels> levels_;
  std::string host_;
  std::size_t merged_ = 0;
};

class ArchiveLabels final : public Operation {
 public:
  explicit ArchiveLabels(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.labels"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.args(), "args", {"metric", "time", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const std::string metric = reader.NeededText(reader.args(), "metric", "args");
    const std::optional<Timestamp> time = TakeTime(&reader, "time");
    if (!time) reader.Fail("args.time: missing");
    const auto archive = TakeArchive(&reader, storage_, version);
    if (reader.stopped()) return reader.Stop();
    const auto pmid = FindMetric(*archive, metric);
    if (!pmid) {
      Json json = CodeJson(pmid.error());
      json.update({{"sets", Json::array()}, {"merged", ""}, {"instances", Json::array()}});
      return Answered{DumpJson(json, -1)};
    }
    return LabelsAnswer(*archive, archive->metrics().at(*pmid).descriptor, *time, version).Write();
  }

 private:
  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveLabels(const archive::Storage& storage) {
  return std::make_unique<ArchiveLabels>(storage);
}

}  // namespace pmproof::validator
