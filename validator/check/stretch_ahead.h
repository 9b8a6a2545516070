// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_
#define PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "reference/archive/copying_source.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"
#include "validator/check/parts_ahead.h"
#include "validator/check/record_digest.h"
#include "validator/check/record_note.h"
#include "validator/check/rules/logue.h"
#include "validator/check/stretch.h"
#include "validator/check/work_pool.h"

namespace pmproof::validator {

// Memory for the notes of a stretch, used again: new memory costs as much as to fill it. What was
// given back last is the next one. A resource: not copied. From any thread.
class NoteBuffers {
 public:
  // An empty one, with room for `most` notes.
  std::vector<RecordNote> Take(std::size_t most);
  void GiveBack(std::vector<RecordNote> notes);

 private:
  std::mutex mutex_;
  std::vector<std::vector<RecordNote>> spare_;
};

// What stretches have learned, for those that begin: as many as are checked at a time. A resource:
// not copied. From any thread.
class LearnedByStretches {
 public:
  // Nothing if there is nothing that is not in use.
  std::optional<ValueChecker::Learned> Take(int version);
  void GiveBack(int version, ValueChecker::Learned learned);

 private:
  std::mutex mutex_;
  std::vector<std::pair<int, ValueChecker::Learned>> spare_;
};

// What stretches take from each other.
struct StretchBuffers {
  archive::CopyBuffers copies;
  NoteBuffers notes;
  LearnedByStretches learned;
};

// A stretch that is checked while those in front of it are, by a thread that does not know yet
// whether a record begins where one seems to (SkipToRecord), how many come before it, and whether
// one of these has a later time. Its outcome counts if all that turns out as it was taken to be.
// It ends where something about the frames is to be said: whoever takes the outcome goes on there.
//
// Several lie side by side, and each is written to for each record, by another thread: none has a
// line of a cache in common with the next. (Processors fetch two lines at a time.)
class alignas(128) StretchAhead final : public WorkPool::Job {
 public:
  struct Task {
    const archive::StoredFile* file = nullptr;  // a data volume, not compressed; outlives this
    archive::Part part = 0;
    int version = 2;
    Timestamp from;  // no record is earlier, if all is well
    FilePart where;
    std::optional<Timestamp> latest;    // the largest time in front, as far as is known
    StretchBuffers* buffers = nullptr;  // outlive this
  };

  // So many records at most: their notes take memory.
  static constexpr std::size_t kMostRecords = std::size_t{1} << 15;

  StretchAhead(Task task, const MetricTable& metrics, FindingCollector collector)
      : stretch(metrics, std::move(collector), task.version), task_(task) {}
  StretchAhead(const StretchAhead&) = delete;
  StretchAhead& operator=(const StretchAhead&) = delete;
  ~StretchAhead() override { task_.buffers->notes.GiveBack(std::move(notes)); }

  void Run() override;

  FilePart part() const { return task_.where; }

  // After Run(): whether the outcome counts, the records in front of it ending at `position`, with
  // `latest` as their largest time.
  bool Follows(std::uint64_t position, const std::optional<Timestamp>& latest) const;

  // The outcome. Records are counted from 0.
  Stretch stretch;
  std::vector<RecordNote> notes;                      // of each record
  std::vector<std::pair<std::size_t, Logue>> logues;  // by the number of the record
  std::optional<RecordDigest> digest;                 // of the notes, if there are any

 private:
  const Task task_;
  std::optional<std::uint64_t> start_;  // where the first record begins
  std::optional<Timestamp> first_time_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_STRETCH_AHEAD_H_
