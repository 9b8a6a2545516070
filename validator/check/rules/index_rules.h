// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_INDEX_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_INDEX_RULES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/index.h"
#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "reference/core/bounded_sort.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/data_event.h"
#include "validator/check/rules/index_entries.h"

namespace pmproof::validator {

// The rules on the temporal index: ARC-1901..1927 (ARC-450..459). What single entries show is
// reported by the constructor, what the data volumes show while the records pass, the rest by
// OnEnd.
//
// One violation gives one finding: a field that was reported is not compared any more, and both
// entries of a pair that is out of order are left out of the comparisons with the files, because
// nothing says which of them is wrong. An entry is not held against a record whose own time is
// reported by another rule (OrderRules).
class IndexRules {
 public:
  struct Archive {
    int version = 2;
    std::optional<Timestamp> label_start;  // nothing if its fraction is out of range (ARC-1219)
    std::vector<archive::Part> volumes;    // that exist, ascending
    // Other rules report volumes that are missing: between the first and the last, or, if there are
    // none, any. An entry may name these.
    bool volumes_missing = false;
    std::size_t memory = std::numeric_limits<std::size_t>::max();  // what this may take, in bytes
  };

  // `index` and `reporter` outlive this. 1 byte of memory for an entry, 5 if they are disordered;
  // entries that consist of zeros take none, but 16 for each stretch of them.
  IndexRules(archive::IndexView index, Archive archive, archive::Reporter& reporter);

  // Each data record once, in the order of the volumes. Inline, so that `event` need not be in
  // memory.
  [[gnu::always_inline]] void OnRecord(const DataEvent& event) {
    if (event.volume != volume_) StartVolume(event.volume);
    const bool sound = IsSound(event);
    const bool trusted = sound && event.time >= previous_data_;
    if (event.offset >= next_offset_ || previous_.volume < 0) JudgeUpTo(event, trusted);
    Follow(event, sound, trusted);
    if (event.time >= earlier_from_) ResolveEarlier();
  }

  // Whether there is nothing to say of records with sound times that rise, `first` to `last`, none
  // of them a mark. Then Pass() takes these in place of all; `longest` is the greatest length.
  bool CanPass(const DataEvent& first, const DataEvent& last) const {
    return first.volume == volume_ && previous_.volume >= 0 && first_time_ &&
           last.offset < next_offset_ && last.time < earlier_from_ && IsSound(first) &&
           first.time >= previous_data_;
  }
  void Pass(const DataEvent& last, std::uint32_t longest) {
    largest_ = std::max(largest_, longest);
    Follow(last, true, true);
  }

  // After the records of a volume, also of one without records.
  void OnVolumeEnd(archive::Part volume, const ReadExtent& extent);

  // After the last volume. `meta` are the positions of Metadata; nothing is judged about .meta
  // where it could not be read. `complete`: all volumes were read to their ends.
  void OnEnd(std::span<const archive::RecordPosition> meta, const ReadExtent& meta_extent,
             bool complete);

  // The .meta offset of the first entry later than `time` (for ARC-1336); nothing if there is none,
  // or if the times of the index are in no order. Logarithmic.
  std::optional<std::uint64_t> MetaOffsetAfter(Timestamp time) const;

  // kBudget if the index would have taken more memory than Archive::memory: then nothing was
  // judged that needs it.
  const std::optional<Status>& failure() const { return failure_; }

  // Which entries were not held against the files, and why; nothing if all were.
  std::optional<std::string> NotChecked() const;

 private:
  // What is known of an entry: reasons not to judge it further.
  enum Flag : std::uint8_t {
    kBadTime = 1,
    kBadVolume = 2,
    kBadMeta = 4,
    kBadData = 8,
    kDisplaced = 16,     // one of a pair whose times or volumes are out of order
    kDataInverted = 32,  // one of a pair whose data offsets are out of order
    kReported = 64,      // against the records of its volume, or not to be judged against them
    kEndForm = 128,      // points to the end of the record with its time, where another one starts
  };
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  static constexpr Timestamp kAlways = {std::numeric_limits<std::int64_t>::min(), 0};
  static constexpr Timestamp kNever = {std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int32_t>::max()};

  // A record of the volume that is being read, as far as entries are compared with it.
  struct Seen {
    Timestamp time;
    std::uint64_t end = 0;
    archive::Part volume = -1;
    bool trusted = false;
  };

  // An entry later than the record it points to: ARC-1924 if no record comes up to it, else
  // ARC-1918.
  struct Earlier {
    Timestamp time;    // of the entry
    Timestamp record;  // of the record
    std::uint32_t entry = 0;
    bool operator<(const Earlier& other) const { return time > other.time; }  // the earliest on top
  };

  // The entries that the next one is compared with: those before whose field was not reported.
  struct Predecessors {
    std::optional<std::size_t> volume;
    archive::Part volume_number = 0;
    std::optional<std::size_t> time;
    Timestamp timestamp;
    std::optional<std::size_t> data;
    archive::Part data_volume = 0;
    std::int64_t data_offset = 0;
  };

  enum class Field : std::uint8_t { kTime, kVolume, kMeta, kData, kWhole };
  archive::Location At(std::size_t entry, Field field) const;
  Timestamp TimeOf(std::size_t entry) const { return index_[entry].time; }
  // In the file, where zeros may follow.
  bool IsLast(std::size_t entry) const {
    return entry + 1 == entries_ && index_.PlaceOf(entry) + 1 == index_.total();
  }

  // What needs no other file.
  void JudgeEntries();
  void JudgeOffsets(std::size_t i, const archive::IndexEntry& entry);
  void JudgeVolume(std::size_t i, const archive::IndexEntry& entry, Predecessors& before);
  void JudgeTime(std::size_t i, const archive::IndexEntry& entry, Predecessors& before);
  void SortEntries();
  void JudgeZeros(std::size_t place, std::size_t count);
  bool IsKnownVolume(archive::Part volume) const;

  // What the records of a volume show of the entries that point into it.
  void StartVolume(archive::Part volume);
  void SkipToVolume();
  void NextEntry();
  std::size_t Ordered(std::size_t k) const { return order_.empty() ? k : order_[k]; }
  std::size_t OrderedCount() const { return order_.empty() ? entries_ : order_.size(); }

  // Makes Ordered(0), Ordered(1), ... go through the entries as `less` orders them, of those with
  // one of the flags `left_out` perhaps none. The list is kept only if the file has them otherwise.
  template <typename Less>
  void Arrange(std::uint8_t left_out, Less less) {
    order_.clear();
    std::size_t count = 0;
    std::size_t previous = 0;
    bool ordered = true;
    for (std::size_t i = 0; i < entries_; ++i) {
      if ((flags_[i] & left_out) != 0) continue;
      ordered = ordered && (count == 0 || less(previous, i));
      previous = i;
      ++count;
    }
    if (ordered || !Afford(count * sizeof(std::uint32_t))) return;
    order_.reserve(count);
    for (std::size_t i = 0; i < entries_; ++i) {
      if ((flags_[i] & left_out) == 0) order_.push_back(static_cast<std::uint32_t>(i));
    }
    BoundedSort(order_.begin(), order_.end(), less);
  }
  // False, with failure(), if `more` bytes beside the flags are beyond the budget.
  bool Afford(std::size_t more);
  void JudgeUpTo(DataEvent event, bool trusted);
  void JudgeAgainst(std::size_t i, const archive::IndexEntry& entry, const DataEvent* here,
                    bool trusted);
  bool IsFoundByTheEntryBefore(std::size_t i, const archive::IndexEntry& entry) const;
  void ReportNoBoundary(std::size_t i, const archive::IndexEntry& entry);
  void ReportMisplaced(std::size_t i, Timestamp time, Timestamp record, archive::Gravity gravity);
  void EndDistance(std::uint64_t at);
  void ResolveEarlier();
  void DrainEarlier(bool complete);

  // What only the whole archive shows.
  void JudgeMetaOffsets(std::span<const archive::RecordPosition> meta, const ReadExtent& extent,
                        bool complete);
  void JudgeOffsetOrder();
  void JudgeFirst();
  void JudgeLast();
  void JudgeVolumeStarts();

  // Of a record whose own time is reported by OrderRules nothing is concluded.
  bool IsSound(const DataEvent& event) const {
    return archive::FractionInRange(event.fraction, archive_.version) && event.time.seconds >= 0 &&
           !(archive_.label_start && event.time < *archive_.label_start);
  }

  [[gnu::always_inline]] void Follow(const DataEvent& event, bool sound, bool trusted) {
    if (event.length > largest_) largest_ = event.length;
    previous_.time = event.time;
    previous_.end = event.end();
    previous_.volume = event.volume;
    previous_.trusted = trusted;
    if (trusted && event.time > latest_) latest_ = event.time;
    if (event.IsMark()) return;
    if (!first_time_) first_time_ = Timestamp(event.time);
    last_data_volume_ = event.volume;
    last_data_offset_ = event.offset;
    if (!sound) return;
    previous_data_ = event.time;
    if (trusted && event.time > volume_latest_) volume_latest_ = event.time;
  }

  IndexEntries index_;
  Archive archive_;
  archive::Reporter& reporter_;
  std::size_t entries_ = 0;  // those that are not zeros
  std::vector<std::uint8_t> flags_;
  bool times_ordered_ = true;

  std::vector<std::uint32_t> order_;  // see Arrange

  // The walk, in the order of volume and data offset.
  std::size_t cursor_ = 0;
  std::uint64_t next_offset_ = kNone;  // of the entry at the cursor, if it is in this volume
  archive::Part volume_ = -1;
  Seen previous_;  // its volume is -1 before the first record of a volume
  std::uint64_t volume_begin_ = 0;
  Timestamp volume_latest_ = kAlways;  // of its trusted records, marks left out
  std::pair<Timestamp, archive::Location> first_of_volume_;
  bool volume_has_first_ = false;    // an entry for its first record
  std::uint64_t distance_from_ = 0;  // the last place an entry points to
  std::uint32_t largest_ = 0;        // record since then

  archive::Part last_data_volume_ = -1;  // of the last record that is not a mark
  std::uint64_t last_data_offset_ = 0;
  std::optional<Timestamp> first_time_;
  Timestamp previous_data_ = kAlways;
  Timestamp latest_ = kAlways;
  std::uint64_t starts_ =
      0;  // entries that point to the start of their record, the first one left out
  std::uint64_t ends_ = 0;
  std::vector<Earlier> earlier_;  // a heap
  Timestamp earlier_from_ = kNever;
  std::multimap<Timestamp, archive::Location> without_entry_;  // first records of volumes, by time
  std::uint64_t unchecked_ = 0;
  std::uint64_t unchecked_meta_ = 0;
  std::optional<Status> failure_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_INDEX_RULES_H_
