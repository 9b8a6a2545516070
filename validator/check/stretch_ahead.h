// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_
#define PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference/archive/copying_source.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"
#include "validator/check/parts_ahead.h"
#include "validator/check/record_note.h"
#include "validator/check/rules/logue.h"
#include "validator/check/stretch.h"
#include "validator/check/work_pool.h"

namespace pmproof::validator {

// A stretch that is checked while those in front of it are, by a thread that does not know yet
// whether a record begins where one seems to (SkipToRecord), how many come before it, and whether
// one of these has a later time. Its outcome counts if all that turns out as it was taken to be.
// It ends where something about the frames is to be said: whoever takes the outcome goes on there.
class StretchAhead final : public WorkPool::Job {
 public:
  struct Task {
    const archive::StoredFile* file = nullptr;  // a data volume, not compressed; outlives this
    archive::Part part = 0;
    int version = 2;
    Timestamp from;  // no record is earlier, if all is well
    FilePart where;
    std::optional<Timestamp> latest;          // the largest time in front, as far as is known
    archive::CopyBuffers* buffers = nullptr;  // outlive this
  };

  // So many records at most: their notes take memory.
  static constexpr std::size_t kMostRecords = std::size_t{1} << 16;

  // `spare` is memory for the notes.
  StretchAhead(Task task, const MetricTable& metrics, FindingCollector collector,
               std::vector<RecordNote> spare)
      : stretch(metrics, std::move(collector), task.version), notes(std::move(spare)), task_(task) {
    notes.clear();
  }

  void Run() override;

  FilePart part() const { return task_.where; }

  // After Run(): whether the outcome counts, the records in front of it ending at `position`, with
  // `latest` as their largest time.
  bool Follows(std::uint64_t position, const std::optional<Timestamp>& latest) const;

  // The outcome. Records are counted from 0.
  Stretch stretch;
  std::vector<RecordNote> notes;                      // of each record
  std::vector<std::pair<std::size_t, Logue>> logues;  // by the number of the record

 private:
  const Task task_;
  std::optional<std::uint64_t> start_;  // where the first record begins
  std::optional<Timestamp> first_time_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_
