// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretch_ahead.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/archive/guess_record.h"
#include "reference/archive/record_reader.h"
#include "validator/check/report_watch.h"

namespace pmproof::validator {

std::vector<RecordNote> NoteBuffers::Take(std::size_t most) {
  std::vector<RecordNote> notes;
  {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      notes = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  notes.clear();
  notes.reserve(most);
  return notes;
}

void NoteBuffers::GiveBack(std::vector<RecordNote> notes) {
  if (notes.capacity() == 0) return;
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(notes));
}

std::optional<ValueChecker::Learned> LearnedByStretches::Take(int version) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(spare_.rbegin(), spare_.rend(),
                                  [&](const auto& spare) { return spare.first == version; });
  if (found == spare_.rend()) return std::nullopt;
  ValueChecker::Learned learned = std::move(found->second);
  spare_.erase(std::next(found).base());
  return learned;
}

void LearnedByStretches::GiveBack(int version, ValueChecker::Learned learned) {
  const std::lock_guard lock(mutex_);
  spare_.emplace_back(version, std::move(learned));
}

void StretchAhead::Run() {
  const archive::NewSource source = archive::MakeCopyingSource(
      *task_.file, {task_.where.begin, task_.where.end}, &task_.buffers->copies);
  if (!task_.where.exact && !archive::SkipToRecord(*source, *task_.file, task_.where.end,
                                                   {task_.part, task_.version, task_.from})) {
    return;
  }
  start_ = source->position();
  // Not all of it is touched, if records are long.
  notes = task_.buffers->notes.Take(std::min<std::uint64_t>(
      kMostRecords, (task_.where.end - task_.where.begin) / archive::kMinRecord + 1));
  digest.emplace(task_.part, task_.version);
  if (auto learned = task_.buffers->learned.Take(task_.version))
    stretch.checker.Use(*std::move(learned));
  ReportWatch watch;
  archive::RecordReader reader(*source, task_.part, task_.version, watch, 0);
  std::optional<Timestamp> latest = task_.latest;
  while (reader.position() < task_.where.end && notes.size() < kMostRecords) {
    const Result<std::optional<archive::RecordView>> next = reader.Next();
    if (!next || !*next || watch.any()) break;
    const archive::RecordView& record = **next;
    // Made where it stays: what was just stored word by word is slow to be copied as a whole.
    RecordNote& note = notes.emplace_back();
    note = NoteOf(record.bytes, task_.version);
    bool is_logue = false;
    if (MayBeLogue(note.set_count)) [[unlikely]] {
      if (const std::optional<Logue> logue = RecogniseLogue(record.bytes, task_.version)) {
        logues.emplace_back(record.ordinal, *logue);
        is_logue = true;
      }
    }
    digest->Add(note, record.offset, is_logue);
    if (!first_time_ && HasTime(note, task_.version)) first_time_ = TimeOf(note, task_.version);
    stretch.CheckRecord(record, &latest);
  }
  task_.buffers->learned.GiveBack(task_.version, stretch.checker.TakeLearned());
}

bool StretchAhead::Follows(std::uint64_t position, const std::optional<Timestamp>& latest) const {
  if (start_ != position) return false;
  return latest == task_.latest || !latest || !first_time_ || *first_time_ >= *latest;
}

}  // namespace pmproof::validator
