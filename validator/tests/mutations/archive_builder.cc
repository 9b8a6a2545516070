// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/mutations/archive_builder.h"

#include <utility>

#include "reference/archive/layout.h"

namespace pmproof::validator::testing {

using archive::BlockModel;
using archive::ValueSetModel;
using generators::PlannedIndexEntry;

ValueSetModel Insitu(Pmid pmid, const std::vector<std::pair<std::int32_t, std::uint32_t>>& values) {
  ValueSetModel set{pmid, archive::kInsitu, {}, 0};
  for (const auto& [instance, value] : values) set.values.push_back({instance, value});
  return set;
}

ValueSetModel InBlocks(Pmid pmid, MetricType type,
                       const std::vector<std::pair<std::int32_t, std::string>>& payloads) {
  ValueSetModel set{pmid, archive::kDynamic, {}, 0};
  for (const auto& [instance, payload] : payloads) {
    set.values.push_back(
        {instance, BlockModel{static_cast<std::uint8_t>(type), payload, std::nullopt}});
  }
  return set;
}

archive::LabelSetModel LabelSet(LabelClass label_class, std::int32_t instance,
                                const std::vector<std::pair<std::string, std::string>>& labels) {
  archive::LabelSetModel set;
  set.instance = instance;
  if (labels.empty()) return set;
  for (const auto& [name, value] : labels) {
    set.json += set.json.empty() ? "{\"" : ",\"";
    set.json += name;
    set.json += "\":";
    set.json += value;
    const std::size_t value_offset = set.json.size() - value.size();
    set.entries.push_back(
        {static_cast<std::uint16_t>(value_offset - 2 - name.size()),
         static_cast<std::uint8_t>(name.size()), static_cast<std::uint8_t>(label_class),
         static_cast<std::uint16_t>(value_offset), static_cast<std::uint16_t>(value.size())});
  }
  set.json += "}";
  return set;
}

archive::ResultModel Logue(Timestamp time) {
  const auto text = [](const std::string& string) { return string + '\0'; };
  return {time,
          {InBlocks(Pmid::Of(2, 3, 3), MetricType::kString, {{77, text("testhost")}}),
           Insitu(Pmid::Of(2, 3, 0), {{77, 4330}}),
           InBlocks(Pmid::Of(2, 3, 2), MetricType::kString, {{77, text("/var/log/pcp/base")}}),
           InBlocks(Pmid::Of(2, 0, 23), MetricType::kU64,
                    {{kInstanceNull, generators::BigEndian({0, 1234})}}),
           Insitu(Pmid::Of(2, 0, 24), {{kInstanceNull, 3}})}};
}

ArchiveBuilder::ArchiveBuilder(int version, Timestamp start) : time_(start) {
  plan_.label.version = version;
  plan_.label.pid = 77;
  plan_.label.start = start;
  plan_.label.host = "testhost";
  plan_.label.timezone = "UTC";
  if (version == 3) plan_.label.zoneinfo = ":UTC";
}

void ArchiveBuilder::Desc(Pmid pmid, std::vector<std::string> names, MetricType type,
                          Semantics semantics, Indom indom, std::uint32_t units) {
  plan_.meta.emplace_back(
      archive::DescModel{{pmid, type, indom, semantics, Units{units}}, std::move(names)});
}

void ArchiveBuilder::Instances(Indom indom, std::vector<archive::InstanceModel> instances) {
  plan_.meta.emplace_back(archive::IndomModel{time_, indom, std::move(instances), false});
}

void ArchiveBuilder::Change(Indom indom, std::vector<archive::InstanceModel> delta,
                            std::vector<archive::InstanceModel> all) {
  if (version() == 3) {
    plan_.meta.emplace_back(archive::IndomModel{time_, indom, std::move(delta), true});
  } else {
    Instances(indom, std::move(all));
  }
}

void ArchiveBuilder::Labels(LabelClass label_class, std::uint32_t identifier,
                            std::vector<archive::LabelSetModel> sets) {
  plan_.meta.emplace_back(archive::LabelRecordModel{time_, static_cast<std::uint32_t>(label_class),
                                                    identifier, std::move(sets)});
}

void ArchiveBuilder::Text(TextType type, std::uint32_t identifier, std::string text) {
  plan_.meta.emplace_back(
      archive::TextModel{static_cast<std::uint32_t>(type), identifier, std::move(text)});
}

void ArchiveBuilder::LogueMetadata() {
  const Indom loggers = Indom::Of(2, 1);
  Desc(Pmid::Of(2, 3, 3), {"pmcd.pmlogger.host"}, MetricType::kString, Semantics::kDiscrete,
       loggers);
  Desc(Pmid::Of(2, 3, 0), {"pmcd.pmlogger.port"}, MetricType::kU32, Semantics::kDiscrete, loggers);
  Desc(Pmid::Of(2, 3, 2), {"pmcd.pmlogger.archive"}, MetricType::kString, Semantics::kDiscrete,
       loggers);
  Desc(Pmid::Of(2, 0, 23), {"pmcd.pid"}, MetricType::kU64, Semantics::kDiscrete);
  Desc(Pmid::Of(2, 0, 24), {"pmcd.seqnum"}, MetricType::kU32, Semantics::kDiscrete);
  Instances(loggers, {{77, "77"}});
}

void ArchiveBuilder::Record(std::vector<ValueSetModel> sets, bool indexed) {
  std::vector<archive::ResultModel>& results = plan_.volumes[volume_];
  if (results.empty() || indexed) plan_.index.push_back({time_, volume_, meta_, results.size()});
  results.push_back({time_, std::move(sets)});
}

generators::ArchivePlan ArchiveBuilder::Finish() {
  const std::size_t last = plan_.volumes.at(volume_).size() - 1;
  const PlannedIndexEntry& entry = plan_.index.back();
  if (entry.volume != volume_ || entry.data_record != last)
    plan_.index.push_back({time_, volume_, meta_, last});
  return std::move(plan_);
}

}  // namespace pmproof::validator::testing
