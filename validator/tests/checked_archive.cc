// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/checked_archive.h"

#include <set>
#include <utility>
#include <variant>

namespace pmproof::validator::testing {

namespace {

// What is true of the base archive and not of a logger's: it has no prologue and no epilogue.
bool OfTheBaseArchive(const Finding& finding) {
  return finding.rule == "ARC-2008"_clause || finding.rule == "ARC-2009"_clause;
}

}  // namespace

CheckedArchive::CheckedArchive()
    : plan(generators::BaseArchive(GetParam())), catalogue_(Catalogue::Shipped()) {
  options.now = {1800000000, 0};
  options.max_findings = 1000;
}

generators::ArchiveImage& CheckedArchive::image() {
  if (!image_) image_ = generators::Encode(plan);
  return *image_;
}

const ArchiveReport& CheckedArchive::Check() {
  if (!report_) {
    if (storage.files.empty()) image().Store("base", &storage);
    report_ = CheckArchive(storage, "base", catalogue_, options);
    EXPECT_TRUE(report_->internal_errors.empty()) << report_->internal_errors.front();
  }
  return *report_;
}

void CheckedArchive::Reset() {
  image_.reset();
  storage.files.clear();
  report_.reset();
}

std::vector<std::string> CheckedArchive::Rules() {
  std::set<std::string> rules;
  for (const Finding& finding : Check().findings) {
    if (!OfTheBaseArchive(finding)) rules.insert(finding.rule.ToString());
  }
  return {rules.begin(), rules.end()};
}

std::vector<std::string> CheckedArchive::RulesWithSeverity() {
  std::set<std::string> rules;
  for (const Finding& finding : Check().findings) {
    if (!OfTheBaseArchive(finding))
      rules.insert(finding.rule.ToString() + " " + ToText(finding.severity));
  }
  return {rules.begin(), rules.end()};
}

Finding CheckedArchive::FindingOf(const std::string& rule) {
  for (const Finding& finding : Check().findings) {
    if (finding.rule.ToString() == rule) return finding;
  }
  ADD_FAILURE() << "no finding of " << rule;
  return {};
}

archive::DescModel& CheckedArchive::Desc(const std::string& name) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* desc = std::get_if<archive::DescModel>(&record);
    if (desc != nullptr && desc->names.front() == name) return *desc;
  }
  throw std::out_of_range(name);
}

archive::ValueSetModel& CheckedArchive::Set(std::size_t record, std::uint32_t item) {
  for (archive::ValueSetModel& set : Result(record).sets) {
    if (set.pmid == Pmid::Of(29, 0, item)) return set;
  }
  throw std::out_of_range("no such set");
}

archive::IndomModel& CheckedArchive::FirstIndom() {
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) return *indom;
  }
  throw std::out_of_range("no indom");
}

archive::LabelRecordModel& CheckedArchive::Labels(std::uint32_t label_class) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* labels = std::get_if<archive::LabelRecordModel>(&record);
    if (labels != nullptr && labels->label_class == label_class) return *labels;
  }
  throw std::out_of_range("no such labels");
}

archive::TextModel& CheckedArchive::Text(std::uint32_t type) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* text = std::get_if<archive::TextModel>(&record);
    if (text != nullptr && text->type == type) return *text;
  }
  throw std::out_of_range("no such text");
}

archive::RawRecordModel CheckedArchive::Raw(const archive::MetaRecordModel& record,
                                            const std::string& behind) const {
  archive::Buffer bytes;
  archive::AppendMetaRecord(record, version(), &bytes);
  return {std::string(bytes.begin() + 4, bytes.end() - 4) + behind};
}

void CheckedArchive::AddMeta(archive::MetaRecordModel record, bool at_end) {
  plan.meta.insert(at_end ? plan.meta.end() : plan.meta.end() - 1, std::move(record));
  const std::size_t change = plan.meta.size() - 1;
  for (generators::PlannedIndexEntry& entry : plan.index) {
    if (entry.meta_record == 0) continue;
    entry.meta_record = entry.time.seconds >= generators::kBaseTime + 5 ? plan.meta.size()
                        : at_end                                        ? change - 1
                                                                        : change;
  }
}

archive::ResultModel CheckedArchive::Logue(Timestamp time, std::uint32_t seqnum) {
  const auto block = [](MetricType type, std::string payload) {
    return archive::BlockModel{static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
  };
  const auto text = [&block](const char* string) {
    return block(MetricType::kString, std::string(string) + '\0');
  };
  return {
      time,
      {{Pmid::Of(2, 3, 3), 1, {{77, text("host")}}, 0},
       {Pmid::Of(2, 3, 0), 0, {{77, 4330U}}, 0},
       {Pmid::Of(2, 3, 2), 1, {{77, text("/base")}}, 0},
       {Pmid::Of(2, 0, 23), 1, {{-1, block(MetricType::kU64, std::string(7, '\0') + '\x09')}}, 0},
       {Pmid::Of(2, 0, 24), 0, {{-1, seqnum}}, 0}}};
}

void CheckedArchive::AddLogueMetadata() {
  const Indom of_logger = Indom::Of(2, 1);
  const auto add = [this](Pmid pmid, const char* name, MetricType type, Indom indom) {
    AddMeta(archive::DescModel{{pmid, type, indom, Semantics::kDiscrete, Units{0}}, {name}});
  };
  add(Pmid::Of(2, 3, 3), "pmcd.pmlogger.host", MetricType::kString, of_logger);
  add(Pmid::Of(2, 3, 0), "pmcd.pmlogger.port", MetricType::kU32, of_logger);
  add(Pmid::Of(2, 3, 2), "pmcd.pmlogger.archive", MetricType::kString, of_logger);
  add(Pmid::Of(2, 0, 23), "pmcd.pid", MetricType::kU64, Indom::Null());
  add(Pmid::Of(2, 0, 24), "pmcd.seqnum", MetricType::kU32, Indom::Null());
  AddMeta(archive::IndomModel{At(0), of_logger, {{77, "77"}}, false});
}

void CheckedArchive::ShiftTo(std::int64_t start) {
  const auto shift = [by = start - generators::kBaseTime](Timestamp& time) { time.seconds += by; };
  std::erase_if(plan.meta, [](const archive::MetaRecordModel& record) {
    const auto* desc = std::get_if<archive::DescModel>(&record);
    return desc != nullptr && desc->descriptor.pmid.item() >= 8;
  });
  shift(plan.label.start);
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) shift(indom->time);
    if (auto* labels = std::get_if<archive::LabelRecordModel>(&record)) shift(labels->time);
  }
  for (archive::ResultModel& result : plan.volumes.at(0)) {
    shift(result.time);
    std::erase_if(result.sets,
                  [](const archive::ValueSetModel& set) { return set.pmid.item() >= 8; });
  }
  for (generators::PlannedIndexEntry& entry : plan.index) shift(entry.time);
  plan.index.at(1).meta_record = plan.meta.size() - 1;
}

void CheckedArchive::SplitIntoVolumes() {
  std::vector<archive::ResultModel> results = std::move(plan.volumes.at(0));
  plan.volumes.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    plan.volumes[static_cast<std::int32_t>(i / 2)].push_back(std::move(results[i]));
  }
  const std::int64_t t = generators::kBaseTime;
  const std::size_t change = plan.meta.size() - 1;
  plan.index = {{{t, 0}, 0, 0, 0},
                {{t + 2, 0}, 1, change, 0},
                {{t + 3, 0}, 1, change, 1},
                {{t + 4, 0}, 2, change + 1, 0},
                {{t + 5, 0}, 2, change + 1, 1}};
}

std::string VersionName(const ::testing::TestParamInfo<int>& info) {
  return "V" + std::to_string(info.param);
}

}  // namespace pmproof::validator::testing
