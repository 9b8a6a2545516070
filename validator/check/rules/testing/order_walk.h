// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_TESTING_ORDER_WALK_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_TESTING_ORDER_WALK_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/index.h"
#include "reference/archive/metadata.h"
#include "reference/archive/testing/recording_reporter.h"
#include "validator/check/rules/data_event.h"
#include "validator/check/rules/index_rules.h"
#include "validator/check/rules/logue.h"
#include "validator/check/rules/metadata_time_rules.h"
#include "validator/check/rules/order_rules.h"

// Walks an archive in memory as `check` does, but with nothing but the rules on time and on the
// index.

namespace pmproof::validator::testing {

// All rules on time and on the index over one archive: every violation they report, sorted by rule,
// but for ARC-2008 and ARC-2009 (the base archive has no prologue and no epilogue; OrderRules' own
// tests are on them).
class OrderWalk {
 public:
  explicit OrderWalk(const generators::ArchivePlan& plan)
      : OrderWalk(generators::Encode(plan), plan.label.version) {}

  OrderWalk(const generators::ArchiveImage& image, int version) : image_(image), version_(version) {
    for (const auto& [suffix, content] : image_.files) {
      if (suffix != "meta" && suffix != "index") volumes_.push_back(std::stoi(suffix));
    }
    std::sort(volumes_.begin(), volumes_.end());
    const auto& first = image_.files.at(std::to_string(volumes_.front()));
    const Timestamp start = archive::LoadTimestamp(first.data() + 12, version_);
    Run(start, Positions());
  }

  std::vector<std::string> Rules() const {
    std::vector<std::string> rules;
    for (const auto& violation : violations) rules.push_back(violation.rule.ToString());
    return rules;
  }

  const archive::testing::Recorded& Only() const { return violations.at(0); }

  std::vector<archive::testing::Recorded> violations;
  std::vector<std::string> all_rules;  // ARC-2008 and ARC-2009 too
  std::optional<std::string> not_checked;

 private:
  using Content = std::vector<std::uint8_t>;

  // The end of the last whole record, and the size of the file.
  ReadExtent Extent(const std::string& file) const {
    const std::size_t last = image_.Records(file).back();
    return {last + image_.Word(file, last), image_.files.at(file).size()};
  }

  std::vector<archive::RecordPosition> Positions() const {
    std::vector<archive::RecordPosition> positions;
    const Content& content = image_.files.at("meta");
    std::uint64_t ordinal = 0;
    for (const std::size_t offset : image_.Records("meta")) {
      archive::RecordPosition position;
      position.offset = offset;
      position.length = image_.Word("meta", offset);
      position.ordinal = ordinal++;
      position.type = static_cast<archive::RecordType>(image_.Word("meta", offset + 4));
      if (position.type != archive::RecordType::kDesc &&
          position.type != archive::RecordType::kText) {
        position.time = archive::LoadTimestamp(content.data() + offset + 8, version_);
      }
      if (position.ordinal != 0) positions.push_back(position);
    }
    return positions;
  }

  void Run(Timestamp start, const std::vector<archive::RecordPosition>& meta) {
    archive::testing::RecordingReporter reporter;
    OrderRules order(start, version_, reporter);
    MetadataTimeRules metadata(start, version_, meta, reporter);
    archive::IndexView view;
    if (image_.files.contains("index")) {
      view = archive::IndexView(
          Bytes(image_.files.at("index")).subspan(archive::LayoutOf(version_).label), version_);
    }
    IndexRules index(view, {version_, start, volumes_}, reporter);
    bool any_values = false;
    bool complete = true;
    for (const archive::Part volume : volumes_) {
      const std::string file = std::to_string(volume);
      const Content& content = image_.files.at(file);
      const std::size_t behind_time = 4 + archive::LayoutOf(version_).timestamp;
      std::uint64_t ordinal = 0;
      for (const std::size_t offset : image_.Records(file)) {
        const std::uint8_t* p = content.data() + offset;
        if (ordinal++ == 0) continue;
        const std::optional<Logue> logue = RecogniseLogue({p, LoadU32(p)}, version_);
        const DataEvent event{volume,
                              offset,
                              LoadU32(p),
                              ordinal - 1,
                              archive::LoadTimestamp(p + 4, version_),
                              archive::LoadFraction(p + 4, version_),
                              LoadU32(p + behind_time),
                              LoadU32(p + behind_time + 4),
                              logue ? &*logue : nullptr};
        if (!event.IsMark() && LoadI32(p + behind_time + 8) > 0) any_values = true;
        order.OnRecord(event);
        metadata.OnRecord(event);
        index.OnRecord(event);
      }
      complete = complete && Extent(file).Whole();
      order.OnVolumeEnd(Extent(file));
      index.OnVolumeEnd(volume, Extent(file));
    }
    order.OnEnd(any_values, complete);
    metadata.OnEnd(complete);
    if (image_.files.contains("index")) {
      index.OnEnd(meta, Extent("meta"), complete);
      not_checked = index.NotChecked();
    }
    for (auto& violation : reporter.violations) {
      all_rules.push_back(violation.rule.ToString());
      if (violation.rule != "ARC-2008"_clause && violation.rule != "ARC-2009"_clause) {
        violations.push_back(std::move(violation));
      }
    }
    std::stable_sort(violations.begin(), violations.end(),
                     [](const auto& a, const auto& b) { return a.rule < b.rule; });
    std::sort(all_rules.begin(), all_rules.end());
  }

  const generators::ArchiveImage image_;
  const int version_;
  std::vector<archive::Part> volumes_;
};

// T + `seconds` of the base archive (ARC-1000).
inline Timestamp At(std::int64_t seconds, std::int32_t nanoseconds = 0) {
  return {generators::kBaseTime + seconds, nanoseconds};
}

// The base archive with its records spread over several volumes, `sizes` records in each, an index
// entry for the first record of each and one for the last of all.
inline generators::ArchivePlan SpreadBase(int version, const std::vector<std::size_t>& sizes) {
  generators::ArchivePlan plan = generators::BaseArchive(version);
  const std::vector<archive::ResultModel> records = plan.volumes.at(0);
  plan.volumes.clear();
  plan.index.clear();
  std::size_t next = 0;
  for (std::size_t volume = 0; volume < sizes.size(); ++volume) {
    const auto number = static_cast<std::int32_t>(volume);
    for (std::size_t i = 0; i < sizes[volume]; ++i)
      plan.volumes[number].push_back(records.at(next + i));
    plan.index.push_back({records.at(next).time, number,
                          next == 0   ? 0
                          : next >= 4 ? plan.meta.size()
                                      : plan.meta.size() - 1,
                          0});
    next += sizes[volume];
  }
  plan.index.push_back({records.at(next - 1).time, static_cast<std::int32_t>(sizes.size() - 1),
                        plan.meta.size(), sizes.back() - 1});
  return plan;
}

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_TESTING_ORDER_WALK_H_
