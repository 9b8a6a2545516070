// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_
#define PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/record_reader.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/check/finding_collector.h"
#include "validator/check/rules/data_event.h"
#include "validator/check/rules/index_rules.h"
#include "validator/check/rules/metadata_time_rules.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/order_rules.h"
#include "validator/check/rules/value_totals.h"
#include "validator/check/stretch.h"
#include "validator/text/progress.h"

namespace pmproof::validator {

// The walk over the data volumes of an archive, in their order: frames and times one after the
// other, the values of mapped volumes in stretches on several threads.
class DataWalk {
 public:
  struct Rules {
    OrderRules& order;
    IndexRules* index = nullptr;  // nothing if there is no index that can be read
    MetadataTimeRules* times = nullptr;
  };

  // What the records of all volumes came to.
  struct Outcome {
    std::uint64_t records = 0;  // marks included
    std::uint64_t marks = 0;
    std::optional<Timestamp> first;
    std::optional<Timestamp> latest;
  };

  // How one volume was read.
  struct VolumeOutcome {
    ReadExtent extent;
    std::uint64_t records = 0;
    std::optional<std::uint64_t> lost;  // where framing was lost
    std::optional<Status> error;        // why reading ended before the end of the file
  };

  // `stretch` is how many bytes of a volume one thread checks at a time.
  DataWalk(const MetricTable& metrics, Rules rules, FindingCollector& collector, unsigned jobs,
           std::size_t stretch, ProgressSink* progress);

  // `source` stands after the label. What is mapped of it lives until Finish(), or as long as
  // `content` is referred to.
  VolumeOutcome Walk(archive::Source& source, archive::Part part, int version,
                     std::shared_ptr<const archive::StoredFile> content = nullptr);

  // In place of a volume that cannot be read. Nothing is known of what it held: a mark, perhaps.
  void OnVolumeLost();

  // Ends the checks of values that are under way. `complete` is false where records could not be
  // read.
  void Finish(bool complete);

  const Outcome& outcome() const { return outcome_; }
  const ValueTotals& totals() const { return totals_; }
  // Data records that readers refuse. Known after Finish().
  std::uint64_t refused() const { return refused_; }

 private:
  void OnRecord(const archive::RecordView& record, int version);
  void Absorb(std::unique_ptr<Stretch> stretch);
  std::unique_ptr<Stretch> NewStretch(archive::Part part, int version);
  // Hands a stretch on. Few wait at a time: each of them takes memory.
  void Put(std::unique_ptr<Stretch> stretch);

  const MetricTable& metrics_;
  Rules rules_;
  FindingCollector& collector_;
  unsigned jobs_;
  std::size_t stretch_;
  ProgressSink* progress_;
  Outcome outcome_;
  std::optional<Timestamp> latest_;  // of the records whose values were handed on
  ValueTotals totals_;
  std::uint64_t refused_ = 0;
  bool lost_ = false;  // there were records between the last one and what is read next
  StretchPool pool_;
};

// Passes over what is left of a file: how many bytes it has in all.
Result<std::uint64_t> SizeToTheEnd(archive::Source& source);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_
