// SPDX-License-Identifier: Apache-2.0
#include "validator/check/data_walk.h"

#include <algorithm>
#include <utility>

#include "validator/check/record_note.h"
#include "validator/check/rules/logue.h"

namespace pmproof::validator {
namespace {

using archive::RecordView;

// Smaller volumes would be looked at for longer than they are checked.
constexpr std::uint64_t kLeastEarly = std::uint64_t{256} << 10;

// Told to the progress display each time this much was read.
constexpr std::uint64_t kProgressStep = std::uint64_t{4} << 20;

}  // namespace

void DataWalk::OnRecord(const DataEvent& event) {
  if (event.IsMark()) ++outcome_.marks;
  if (!outcome_.first) outcome_.first = Timestamp(event.time);
  if (!outcome_.latest || event.time > *outcome_.latest) {
    outcome_.latest = Timestamp(event.time);
  }
  rules_.order.OnRecord(event);
  if (rules_.index != nullptr) rules_.index->OnRecord(event);
  if (rules_.times != nullptr) rules_.times->OnRecord(event);
}

// As OnRecord() of each of the records from `first` to `last`, a run of RecordDigest of which one
// has `longest` bytes. False, and nothing is done, if there is more to do.
bool DataWalk::Pass(const DataEvent& first, const DataEvent& last, std::uint32_t longest) {
  if (!rules_.order.CanPass() || (rules_.index != nullptr && !rules_.index->CanPass(first, last)) ||
      (rules_.times != nullptr && !rules_.times->CanPass(first, last))) {
    return false;
  }
  if (!outcome_.first) outcome_.first = Timestamp(first.time);
  if (!outcome_.latest || last.time > *outcome_.latest) outcome_.latest = Timestamp(last.time);
  rules_.order.Pass(last);
  if (rules_.index != nullptr) rules_.index->Pass(last, longest);
  if (rules_.times != nullptr) rules_.times->Pass(last);
  return true;
}

// The walk over one volume: from record to record, and over stretches that were checked ahead.
class DataWalk::VolumeWalk {
 public:
  // `ahead` is of this volume, and stretches may have been begun.
  VolumeWalk(DataWalk& walk, const Volume& volume, const Volume* next,
             std::unique_ptr<StretchesAhead> ahead)
      : walk_(walk),
        source_(*volume.source),
        part_(volume.part),
        version_(volume.version),
        next_(next),
        ahead_(std::move(ahead)),
        reader_(std::in_place, source_, part_, version_, walk.collector_) {}

  VolumeOutcome Run() {
    while (true) {
      if (const auto stretch = NextStretch()) {
        Take(*stretch);
      } else if (!ReadUpTo(ahead_->next())) {
        break;
      }
      ShowProgress(kProgressStep);
    }
    VolumeOutcome volume{.extent = {reader_->position(), std::nullopt},
                         .records = ordinal_ - 1,
                         .lost = reader_->lost(),
                         .error = error_};
    if (!volume.error) {
      const Result<std::uint64_t> size = SizeToTheEnd(source_);
      if (size) {
        volume.extent.size = *size;
      } else {
        volume.error = size.error();
      }
    }
    if (walk_.progress_ != nullptr)
      walk_.progress_->AddBytes(volume.extent.size.value_or(reader_->position()) - reported_);
    return volume;
  }

 private:
  // Null if there is none; then the threads are at work all the same.
  std::unique_ptr<StretchAhead> NextStretch() {
    ahead_->Plan(reader_->position(), walk_.outcome_.latest);
    if (walk_.begun_ != nullptr) {
      walk_.begun_->BeginAfter(*ahead_, next_->source->position(), walk_.outcome_.latest);
    }
    auto stretch = ahead_->Take(reader_->position(), walk_.outcome_.latest);
    // Others take memory that this thread may need to go through this volume by itself.
    if (ahead_->given_up()) walk_.begun_.reset();
    return stretch;
  }

  // Frames records from where the walk is up to `end` and checks them. False if none follow.
  bool ReadUpTo(std::uint64_t end) {
    Stretch stretch(walk_.metrics_, walk_.collector_.Fresh(), version_);
    std::optional<Timestamp> latest = walk_.outcome_.latest;
    const std::uint64_t begin = reader_->position();
    // One thread needs no stretches, but where they are short others are, too.
    end = std::min(end, walk_.pool_.threads() == 0 ? end : begin + walk_.stretch_);
    bool more = true;
    while (more && reader_->position() < end) {
      more = Read(std::min(end, reader_->position() + kProgressStep), stretch, &latest);
      ShowProgress(kProgressStep);
    }
    walk_.Absorb(stretch, 0);
    return more;
  }

  bool Read(std::uint64_t end, Stretch& stretch, std::optional<Timestamp>* latest) {
    while (reader_->position() < end) {
      const Result<std::optional<RecordView>> next = reader_->Next();
      if (!next) error_ = next.error();
      if (!next || !*next) return false;
      const RecordView& record = **next;
      ++ordinal_;
      const RecordNote note = NoteOf(record.bytes, version_);
      if (MayBeLogue(note.set_count)) [[unlikely]] {
        OnPossibleLogue(record);
      } else if (HasTime(note, version_)) {
        walk_.OnRecord(EventOf(note, part_, record.offset, record.ordinal, version_));
      }
      stretch.CheckRecord(record, latest);
    }
    return true;
  }

  // Apart, so that the event of other records stays in registers.
  [[gnu::noinline]] void OnPossibleLogue(const RecordView& record) {
    const RecordNote note = NoteOf(record.bytes, version_);
    const std::optional<Logue> logue = RecogniseLogue(record.bytes, version_);
    DataEvent event = EventOf(note, part_, record.offset, record.ordinal, version_);
    event.logue = logue ? &*logue : nullptr;
    walk_.OnRecord(event);
  }

  void Take(StretchAhead& stretch) {
    const std::uint64_t first = ordinal_;
    const bool in_run = BeginRun(stretch);
    std::uint64_t position = reader_->position();
    auto logue = stretch.logues.begin();
    for (std::size_t i = 0; i < stretch.notes.size();) {
      if (in_run && i % RecordDigest::kRun == 0 && Pass(stretch, i, position)) {
        position += stretch.digest->runs()[i / RecordDigest::kRun].length;
        i += RecordDigest::kRun;
        ordinal_ += RecordDigest::kRun;
        continue;
      }
      const RecordNote& note = stretch.notes[i];
      if (HasTime(note, version_)) {
        DataEvent event = EventOf(note, part_, position, ordinal_, version_);
        if (logue != stretch.logues.end() && logue->first == i) {
          event.logue = &logue->second;
          ++logue;
        }
        walk_.OnRecord(event);
      }
      ++i;
      ++ordinal_;
      position += note.length;
    }
    walk_.rules_.order.EndRun();
    walk_.Absorb(stretch.stretch, first);
    source_.Skip(static_cast<std::size_t>(position - source_.position()));
    reader_.emplace(source_, part_, version_, walk_.collector_, ordinal_);
  }

  // Whether what the digest says of the notes holds here.
  bool BeginRun(const StretchAhead& stretch) {
    const RecordDigest& digest = *stretch.digest;
    if (!digest.sound() || !digest.first()) return false;
    // Its place says nothing but the volume.
    const DataEvent event = EventOf(stretch.notes[*digest.first()], part_, 0, 0, version_);
    return walk_.rules_.order.BeginRun(event, digest.gaps(), ordinal_);
  }

  // Passes over the run of records from the n-th on, which begins at `position`, if that is all
  // that there is to be done.
  bool Pass(const StretchAhead& stretch, std::size_t n, std::uint64_t position) {
    if (stretch.notes.size() - n < RecordDigest::kRun) return false;
    const RecordDigest::Run& run = stretch.digest->runs()[n / RecordDigest::kRun];
    if (run.length == 0) return false;
    const RecordNote& last = stretch.notes[n + RecordDigest::kRun - 1];
    return walk_.Pass(EventOf(stretch.notes[n], part_, position, ordinal_, version_),
                      EventOf(last, part_, position + run.length - last.length,
                              ordinal_ + RecordDigest::kRun - 1, version_),
                      run.longest);
  }

  void ShowProgress(std::uint64_t least) {
    const std::uint64_t more = reader_->position() - reported_;
    if (walk_.progress_ == nullptr || more < least) return;
    walk_.progress_->AddBytes(more);
    reported_ += more;
  }

  DataWalk& walk_;
  archive::Source& source_;
  const archive::Part part_;
  const int version_;
  const Volume* const next_;
  const std::unique_ptr<StretchesAhead> ahead_;
  std::optional<archive::RecordReader> reader_;
  std::uint64_t ordinal_ = 1;   // of the next record
  std::uint64_t reported_ = 0;  // to the progress display
  std::optional<Status> error_;
};

DataWalk::DataWalk(const MetricTable& metrics, Rules rules, FindingCollector& collector,
                   WorkPool& pool, std::size_t stretch, Timestamp from, ProgressSink* progress)
    : metrics_(metrics),
      rules_(rules),
      collector_(collector),
      pool_(pool),
      stretch_(stretch),
      from_(from),
      progress_(progress),
      totals_(metrics, collector) {}

void DataWalk::Absorb(Stretch& stretch, std::uint64_t records_before) {
  stretch.checker.Settle();
  if (std::exchange(lost_, false)) totals_.ForgetSeries();
  totals_.Absorb(stretch.checker, records_before);
  refused_ += stretch.refused;
  collector_.Merge(std::move(stretch.collector), records_before);
}

std::unique_ptr<StretchesAhead> DataWalk::Ahead(const Volume& volume) {
  return std::make_unique<StretchesAhead>(
      pool_, metrics_, collector_,
      StretchesAhead::Volume{volume.file, volume.part, volume.version, from_, volume.after},
      stretch_, buffers_);
}

std::uint64_t DataWalk::LeastBegunEarly(std::size_t stretch) {
  return std::min<std::uint64_t>(kLeastEarly, stretch);
}

DataWalk::VolumeOutcome DataWalk::Walk(const Volume& volume, const Volume* next) {
  std::unique_ptr<StretchesAhead> ahead = std::move(begun_);
  if (ahead == nullptr) ahead = Ahead(volume);
  if (next != nullptr) begun_ = Ahead(*next);
  VolumeOutcome outcome = VolumeWalk(*this, volume, next, std::move(ahead)).Run();
  outcome_.records += outcome.records;
  if (!outcome.extent.Whole()) lost_ = true;
  rules_.order.OnVolumeEnd(outcome.extent);
  if (rules_.index != nullptr) rules_.index->OnVolumeEnd(volume.part, outcome.extent);
  return outcome;
}

void DataWalk::OnVolumeLost() {
  lost_ = true;
  rules_.order.OnVolumeLost();
}

void DataWalk::Finish(bool complete) { totals_.Finish(complete && refused_ == 0); }

Result<std::uint64_t> SizeToTheEnd(archive::Source& source) {
  if (source.mapped()) return source.mapped()->size();
  while (true) {
    const Result<Bytes> window = source.Window(1);
    if (!window) return tl::unexpected(window.error());
    if (window->empty()) return source.position();
    source.Skip(window->size());
  }
}

}  // namespace pmproof::validator
