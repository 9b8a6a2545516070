// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RECORD_DIGEST_H_
#define PMPROOF_VALIDATOR_CHECK_RECORD_DIGEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/timestamp.h"
#include "validator/check/record_note.h"
#include "validator/check/rules/gap_finder.h"

namespace pmproof::validator {

// What the notes of a stretch come to, as far as that does not depend on what is before it: so that
// whoever takes the stretch need not go through all of them.
class RecordDigest {
 public:
  // So many records in a row are looked at together.
  static constexpr std::size_t kRun = 16;

  // The records of notes [n * kRun, (n + 1) * kRun), if none is a mark or a logue.
  struct Run {
    std::uint64_t length = 0;   // of all; 0: they are to be looked at one by one
    std::uint32_t longest = 0;  // of one
  };

  RecordDigest(archive::Part part, int version) : part_(part), version_(version) {}

  // The next record, which begins at `offset`; the first one has the ordinal 0.
  [[gnu::always_inline]] void Add(const RecordNote& note, std::uint64_t offset, bool logue) {
    const std::uint64_t ordinal = count_++;
    if (!sound_) return;
    TakeTime(note, {part_, offset, note.length, ordinal});
    alike_ = alike_ && !logue && note.set_count != 0;
    run_.length += note.length;
    run_.longest = std::max(run_.longest, note.length);
    if (count_ % kRun != 0) return;
    runs_.push_back(alike_ ? run_ : Run());
    run_ = {};
    alike_ = true;
  }

  // True if each record has a sound time before 2038, and those that are no marks are each later
  // than the one before. Only then the others below say something.
  bool sound() const { return sound_; }
  // The number of the first record that is not a mark; nothing if all are.
  std::optional<std::uint64_t> first() const { return first_; }
  const GapsAhead& gaps() const { return gaps_; }
  const std::vector<Run>& runs() const { return runs_; }

 private:
  [[gnu::always_inline]] void TakeTime(const RecordNote& note, const archive::Location& where) {
    const Timestamp time = TimeOf(note, version_);
    const bool mark = note.set_count == 0;
    if (!HasTime(note, version_) || !archive::FractionInRange(note.fraction, version_) ||
        static_cast<std::uint64_t>(time.seconds) >= std::uint64_t{1} << 31 ||
        (!mark && first_ && time <= last_)) [[unlikely]] {
      sound_ = false;
    } else if (mark) [[unlikely]] {
      gaps_.Break();
    } else {
      if (!first_) first_ = where.record;
      last_ = time;
      gaps_.Add(time, GapFinder::KindOf(note.set_count, note.first_metric), where);
    }
  }

  const archive::Part part_;
  const int version_;
  std::uint64_t count_ = 0;
  bool sound_ = true;
  bool alike_ = true;  // the records of run_
  Run run_;
  std::vector<Run> runs_;
  std::optional<std::uint64_t> first_;
  Timestamp last_;
  GapsAhead gaps_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RECORD_DIGEST_H_
