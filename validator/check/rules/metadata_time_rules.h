// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_METADATA_TIME_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_METADATA_TIME_RULES_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/data_event.h"

namespace pmproof::validator {

// The rules on the timestamps of metadata against the data and against each other (ARC-502,
// ARC-503): ARC-2001, 2002, 2003, 2005. Instance domains that go back against an earlier instance
// domain are ARC-1426's; ARC-2003 is for all other pairs.
class MetadataTimeRules {
 public:
  // `label_start` is nothing if its fraction is out of range (ARC-1219). `meta` and `reporter`
  // outlive this.
  MetadataTimeRules(std::optional<Timestamp> label_start, int version,
                    std::span<const archive::RecordPosition> meta, archive::Reporter& reporter);

  // Each data record once, in the order of the volumes.
  [[gnu::always_inline]] void OnRecord(const DataEvent& event) {
    if (event.IsMark()) return;
    if (!archive::FractionInRange(event.fraction, version_) || event.time.seconds < 0 ||
        (label_start_ && event.time < *label_start_)) {
      misplaced_ = true;
    } else if (event.time > latest_) {
      latest_ = event.time;
      if (event.time >= next_) AdvanceTo(event.time);
      misplaced_ = false;
    } else {
      misplaced_ = true;
      if (event.time < latest_) MarkEarlier(event.time);
    }
  }

  // Whether there is nothing to say of records with sound times that rise, `first` to `last`, none
  // of them a mark. Then Pass() takes the last of them in place of all.
  bool CanPass(const DataEvent& first, const DataEvent& last) const {
    return !(label_start_ && first.time < *label_start_) && first.time > latest_ &&
           last.time < next_;
  }
  void Pass(const DataEvent& last) {
    latest_ = last.time;
    misplaced_ = false;
  }

  // `complete`: all volumes were read to their ends; otherwise ARC-2002 and ARC-2005 are not
  // judged.
  void OnEnd(bool complete);

 private:
  static constexpr Timestamp kAlways = {std::numeric_limits<std::int64_t>::min(), 0};
  static constexpr Timestamp kNever = {std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int32_t>::max()};

  void AdvanceTo(Timestamp time);
  void MarkEarlier(Timestamp time);
  // `time` is one of indom_times_.
  bool HasRecordAt(Timestamp time);
  archive::Location TimeField(const archive::RecordPosition& position) const;

  const std::optional<Timestamp> label_start_;
  const int version_;
  const std::span<const archive::RecordPosition> meta_;
  archive::Reporter& reporter_;

  std::vector<Timestamp> indom_times_;  // sorted, each once
  std::vector<bool> met_;               // by a data record, or perhaps by one that is misplaced
  std::size_t cursor_ = 0;              // the first that is later than the latest record
  std::size_t asked_ = 0;               // the last one that HasRecordAt() was asked about
  Timestamp next_ = kNever;             // indom_times_[cursor_]
  Timestamp latest_ = kAlways;
  // A record since the latest one has a time that is not its own (OrderRules reports it): instance
  // domains up to the next record may be of that record.
  bool misplaced_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_METADATA_TIME_RULES_H_
