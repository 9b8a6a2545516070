// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_ORDER_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_ORDER_RULES_H_

#include <cstdint>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/data_event.h"
#include "validator/check/rules/gap_finder.h"
#include "validator/check/rules/logue.h"

namespace pmproof::validator {

// The rules on the order of data records in time, on marks, and on prologue and epilogue
// (ARC-500..512, ARC-590..594): ARC-1222, 1226, 1718..1724, 2004, 2007..2010.
//
// A record is compared with the one before it, not with the latest so far, so that one record that
// stands too early or too late gives one finding and not one for each record that follows. A record
// whose time cannot be right by itself (ARC-1718, ARC-1722, or ARC-1719 where it also goes back)
// gives that finding only, and the next one is compared with the record before it.
class OrderRules {
 public:
  // `label_start` is that of the archive's label (ARC-107), nothing if its fraction is out of range
  // (ARC-1219). `reporter` outlives this.
  OrderRules(std::optional<Timestamp> label_start, int version, archive::Reporter& reporter);

  // Each record once, in the order of the volumes. Inline, so that `event` need not be in memory:
  // what is seldom called takes a copy.
  [[gnu::always_inline]] void OnRecord(const DataEvent& event) {
    if (steady_ && event.volume == last_place_.part && !event.IsMark() && event.time > last_time_ &&
        archive::FractionInRange(event.fraction, version_) &&
        static_cast<std::uint64_t>(event.time.seconds) < seconds_limit_) {
      AddTime(event);
      Follow(event);
    } else {
      OnUnsteadyRecord(event);
    }
  }

  // The records that come next, up to EndRun(), have sound times that rise, marks left out, before
  // 2038. `first` is the first of them that is not a mark, `gaps` took them all, and the marks as
  // breaks. False, and nothing is done, where these are not what OnRecord() would add. True: they
  // are, and it does not add them.
  bool BeginRun(const DataEvent& first, const GapsAhead& gaps, std::uint64_t records_before);
  void EndRun() { in_run_ = false; }

  // Whether there is nothing to say of the records that come next in a run, if none of them is a
  // mark or a logue. Then Pass() takes the last of them in place of all.
  bool CanPass() const { return in_run_ && steady_; }
  void Pass(const DataEvent& last) { Follow(last); }

  // After the records of a volume.
  void OnVolumeEnd(const ReadExtent& extent);

  // In place of a volume that cannot be read. What stands where it should be is not judged:
  // whether the records after it begin the archive (ARC-1222, ARC-1723, ARC-2008).
  void OnVolumeLost() { OnRecordsLost(); }

  // `any_values`: some record has a value set with numval > 0. `complete`: all volumes were read to
  // their ends; otherwise what is missing (ARC-2007..2009, the end of ARC-1723) is not judged.
  void OnEnd(bool any_values, bool complete);

 private:
  void OnUnsteadyRecord(DataEvent event);
  void OnMark(const DataEvent& event);
  void OnDataRecord(const DataEvent& event);
  // Leaves out a record whose time is wrong by itself.
  void PassOver(const DataEvent& event);
  void OnFirstDataRecord(const DataEvent& event);
  void ReportEqualTime(const DataEvent& event);
  void OnRecordsLost();
  void ReportMark(const DataEvent& mark, const char* message);
  void ReportLogues(bool complete);
  void ReportGaps();
  bool BeforeLabel(const DataEvent& event) const {
    return label_start_ && event.time < *label_start_;
  }

  [[gnu::always_inline]] void AddTime(const DataEvent& event) {
    if (in_run_) return;
    gaps_.Add(event.time, GapFinder::KindOf(event.set_count, event.first_metric), event.Whole());
  }

  [[gnu::always_inline]] void Follow(const DataEvent& event) {
    last_time_ = event.time;
    last_place_ = event.Whole();
    TakeLogue(event);
  }

  [[gnu::always_inline]] void TakeLogue(const DataEvent& event) {
    if (event.logue != nullptr) [[unlikely]] {
      last_logue_ = *event.logue;
    } else {
      last_logue_.reset();
    }
  }

  const std::optional<Timestamp> label_start_;
  const int version_;
  archive::Reporter& reporter_;

  // The last data record that others are compared with.
  Timestamp last_time_;
  archive::Location last_place_;
  bool has_last_ = false;
  bool steady_ = false;  // it is the predecessor, in order, and no mark came since
  std::uint64_t seconds_limit_ =
      1ULL << 31;  // times from here on are looked at singly (ARC-1226, ARC-1722)

  std::optional<DataEvent> mark_;  // the last one since then whose time is in order
  bool behind_mark_ = false;       // the predecessor is a mark, ...
  bool mark_reported_ = false;     // ... for which ARC-1723 was reported
  DataEvent last_mark_;
  std::optional<Timestamp> first_mark_;  // in front of the first data record
  bool any_record_ = false;
  bool beginning_lost_ = false;  // there were data records in front of first_data_

  std::optional<DataEvent> first_data_;
  std::optional<Logue> prologue_;
  std::optional<Logue> last_logue_;  // that the last data record is
  GapFinder gaps_;
  bool in_run_ = false;  // gaps_ has what comes next
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_ORDER_RULES_H_
