// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_
#define PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_

#include <cstddef>
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
#include "validator/check/stretches_ahead.h"
#include "validator/check/work_pool.h"
#include "validator/text/progress.h"

namespace pmproof::validator {

// The walk over the data volumes of an archive, in their order: frames and times one after the
// other, the values of volumes that are not compressed in stretches on several threads.
class DataWalk {
 public:
  struct Rules {
    OrderRules& order;
    IndexRules* index = nullptr;  // nothing if there is no index that can be read
    MetadataTimeRules* times = nullptr;
  };

  struct Volume {
    archive::Source* source = nullptr;  // stands after the label
    archive::Part part = 0;
    int version = 2;
    // What `source` shows, if that is not compressed, so that all threads may read it; else one
    // does.
    const archive::StoredFile* file = nullptr;
    std::uint64_t after = 0;  // how many bytes the next one has, if that is begun early
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

  // `stretch` is how many bytes of a volume one thread checks at a time, at most. No record is
  // earlier than `from`, if all is well.
  DataWalk(const MetricTable& metrics, Rules rules, FindingCollector& collector, WorkPool& pool,
           std::size_t stretch, Timestamp from, ProgressSink* progress);

  // `next`, if there is one, is a volume that is walked over after this one: threads that have no
  // more to do here begin with it. Until then it stays as it is.
  VolumeOutcome Walk(const Volume& volume, const Volume* next = nullptr);

  // So many bytes a volume has at least that is begun while the one before it is walked over.
  static std::uint64_t LeastBegunEarly(std::size_t stretch);

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
  class VolumeWalk;

  [[gnu::always_inline]] inline void OnRecord(const DataEvent& event);
  bool Pass(const DataEvent& first, const DataEvent& last, std::uint32_t longest);
  std::unique_ptr<StretchesAhead> Ahead(const Volume& volume);
  // So many records come before those that the stretch counts.
  void Absorb(Stretch& stretch, std::uint64_t records_before);

  const MetricTable& metrics_;
  Rules rules_;
  FindingCollector& collector_;
  WorkPool& pool_;
  std::size_t stretch_;
  Timestamp from_;
  ProgressSink* progress_;
  Outcome outcome_;
  ValueTotals totals_;
  std::uint64_t refused_ = 0;
  bool lost_ = false;  // there were records between the last one and what is read next
  StretchBuffers buffers_;
  std::unique_ptr<StretchesAhead> begun_;  // of the next volume; uses what is above
};

// Passes over what is left of a file: how many bytes it has in all.
Result<std::uint64_t> SizeToTheEnd(archive::Source& source);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DATA_WALK_H_
