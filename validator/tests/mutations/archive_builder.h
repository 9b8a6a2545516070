// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_MUTATIONS_ARCHIVE_BUILDER_H_
#define PMPROOF_VALIDATOR_TESTS_MUTATIONS_ARCHIVE_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/core/metric.h"

namespace pmproof::validator::testing {

// Value sets in the format that their type asks for.
archive::ValueSetModel Insitu(Pmid pmid,
                              const std::vector<std::pair<std::int32_t, std::uint32_t>>& values);
archive::ValueSetModel InBlocks(Pmid pmid, MetricType type,
                                const std::vector<std::pair<std::int32_t, std::string>>& payloads);

// A label set as compact JSON with its entries (ARC-391, ARC-393); `labels` are sorted by name, the
// values as in JSON.
archive::LabelSetModel LabelSet(LabelClass label_class, std::int32_t instance,
                                const std::vector<std::pair<std::string, std::string>>& labels);

// What pmlogger starts and ends an archive with (ARC-590).
archive::ResultModel Logue(Timestamp time);

// Makes a plan result by result, as a logger does: metadata comes before the record that needs it,
// and an index entry points to both.
class ArchiveBuilder {
 public:
  ArchiveBuilder(int version, Timestamp start);

  int version() const { return plan_.label.version; }
  Timestamp time() const { return time_; }

  // What follows is of this time.
  void At(Timestamp time) {
    time_ = time;
    meta_ = plan_.meta.size();
  }

  void Desc(Pmid pmid, std::vector<std::string> names, MetricType type, Semantics semantics,
            Indom indom = Indom::Null(), std::uint32_t units = 0);
  void Instances(Indom indom, std::vector<archive::InstanceModel> instances);
  // The domain changes: `delta` (ARC-370) in version 3, all that there is then in version 2.
  void Change(Indom indom, std::vector<archive::InstanceModel> delta,
              std::vector<archive::InstanceModel> all);
  void Labels(LabelClass label_class, std::uint32_t identifier,
              std::vector<archive::LabelSetModel> sets);
  void Text(TextType type, std::uint32_t identifier, std::string text);
  void LogueMetadata();

  // The record, with an index entry if it is the first of its volume or `indexed`. No sets: a mark.
  void Record(std::vector<archive::ValueSetModel> sets, bool indexed = false);
  void NextVolume() { ++volume_; }

  // The plan, with an index entry for the last record.
  generators::ArchivePlan Finish();

 private:
  generators::ArchivePlan plan_;
  Timestamp time_;
  std::size_t meta_ = 0;  // records of metadata before those of time_
  std::int32_t volume_ = 0;
};

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_MUTATIONS_ARCHIVE_BUILDER_H_
