// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_OBSERVATION_READER_H_
#define PMPROOF_REFERENCE_REPLAY_OBSERVATION_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference/replay/bounds.h"
#include "reference/replay/pmid_table.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

// A metric that is asked for, and which of its instances.
struct WantedMetric {
  Descriptor descriptor;
  bool singular = false;
  std::vector<std::int32_t> instances;  // ascending; of a singular metric one, kInstanceNull
};

// The instances of all wanted metrics, counted through.
std::size_t CountCells(std::span<const WantedMetric> metrics);

// Receives what concerns the wanted metrics, in record order.
class ObservationSink {
 public:
  virtual ~ObservationSink() = default;
  // `cell` counts the instances of all wanted metrics. Opaque values hold until the call returns.
  virtual void OnObservation(std::size_t cell, const Observation& observation) = 0;
  virtual void OnBarrier(const Barrier& barrier) = 0;
};

// Finds the observations of the wanted metrics in the records of a walk (INT-301, INT-305, INT-307,
// INT-308, INT-411), and what else one walk shows.
class ObservationReader final : public RecordVisitor {
 public:
  // The metrics have distinct identifiers; they and the sink outlive this. `believes`: in an
  // archive that is taken to be sound (INT-311), a metric is in a record no more than once
  // (ARC-1713).
  ObservationReader(std::span<const WantedMetric> metrics, ObservationSink& sink,
                    bool believes = false);

  bool OnRecord(const archive::DataRecord& record, const Moment& moment,
                const RecordPlace& place) override;
  bool OnMark(const Moment& moment, const RecordPlace& place) override;
  bool OnDamage(const Moment& moment, const Status& status) override;
  void OnOverlap(std::size_t, const Status& status) override { overlap_ = status; }

  // Calls visit(cell) for each wanted cell that a record has a value of.
  template <typename Visit>
  void ForEachCell(const archive::DataRecord& record, Visit&& visit) {
    ForEachWanted(record, [&](std::size_t slot, const archive::ValueSet& set) {
      for (std::uint32_t i = 0; i < set.count(); ++i) {
        if (const auto cell = CellOf(slots_[slot], set.Instance(i))) visit(*cell);
      }
    });
  }

  // Only a FLOAT may be stored in two forms, the first of which its later ones must have (INT-411).
  // True if those of all wanted metrics were seen.
  bool FormsKnown() const;

  // The walk has gone over a record that readers do not refuse, without it being delivered here.
  void NoteEnd(const Moment& moment) { end_ = moment; }

  // INT-207: of the last record that readers do not refuse; nothing in an archive without any.
  const std::optional<Moment>& end() const { return end_; }
  // Why records that follow were not read; nothing if there are none.
  const std::optional<Status>& overlap() const { return overlap_; }
  // INT-311: a record that was believed and whose sets are not all within it.
  const std::optional<RecordPlace>& broken() const { return broken_; }
  // What was damaged, by the number of the record.
  const std::vector<std::pair<std::uint64_t, Status>>& damage() const { return damage_; }

 private:
  struct Slot {
    std::size_t metric = 0;
    std::size_t first_cell = 0;
    std::size_t hint = 0;        // where the last instance was found
    std::optional<bool> insitu;  // how its values were stored so far
  };

  // Calls visit(slot, set) for each set of a wanted metric. Returns false if a set does not lie
  // within the record.
  template <typename Visit>
  bool ForEachWanted(const archive::DataRecord& record, Visit&& visit) {
    std::size_t left = believes_ ? slots_.size() : record.set_count;
    return record.ForEachSetUntil([&](const archive::ValueSet& set) {
      const std::size_t slot = table_.Find(set.pmid());
      if (slot == PmidTable::kNone) return false;
      if (set.numval() > 0) visit(slot, set);  // INT-301
      return --left == 0;
    });
  }
  void TakeSet(Slot& slot, const archive::ValueSet& set, const Moment& moment);
  void TakeBrokenSet(const Slot& slot, const Moment& moment);
  std::optional<std::size_t> CellOf(Slot& slot, std::int32_t instance) const;
  void Note(std::size_t cell, const Observation& observation);

  std::span<const WantedMetric> metrics_;
  ObservationSink& sink_;
  bool believes_;
  PmidTable table_;                                         // numbers are those of slots_
  std::vector<Slot> slots_;                                 // of each metric
  std::vector<std::pair<std::size_t, Observation>> found_;  // in the record at hand
  std::vector<std::uint64_t> found_in_;                     // of each cell: the last record
  std::vector<std::size_t> found_at_;                       // of each cell: where in found_
  std::vector<std::pair<std::uint64_t, Status>> damage_;
  std::optional<Moment> end_;
  std::optional<Status> overlap_;
  std::optional<RecordPlace> broken_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_OBSERVATION_READER_H_
