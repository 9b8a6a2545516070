// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/skipping_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pmproof::replay {
namespace {

// So many frames are kept at most.
constexpr std::size_t kMostSkipped = std::size_t{1} << 16;
// So many of them, at most, are remembered as checked; a search that goes farther back decodes the
// others again.
constexpr std::size_t kMostChecked = std::size_t{1} << 12;
// Likewise, where records are copied: so many bytes of them.
constexpr std::size_t kMostCopied = std::size_t{1} << 20;
static_assert(kMostCopied >= archive::FrameReader::kLargestCopy);

}  // namespace

bool SkippingReader::Advance(const Moment& moment) {
  disordered_ = disordered_ || (latest_ && moment.at < *latest_);
  latest_ = moment.at;
  return !disordered_;
}

double SkippingReader::WantedFrom() const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  return leaves_out_ && skipping_ && !left_out_ ? next_time_ : -kNever;
}

// INT-311: what was skipped before is as if it had been left out.
void SkippingReader::NoteGap(const RecordFrame& frame) {
  if (read_until_ != 0 && frame.place.offset > read_until_) {
    left_out_ = skipped_.empty() ? read_until_ : skipped_.front().offset;
    after_left_out_ = frame;
    skipped_.clear();
  }
  read_until_ = frame.place.offset + frame.place.length;
}

bool SkippingReader::OnFrame(const RecordFrame& frame, const ReplayArchive& archive) {
  if (!Advance(frame.moment)) return false;
  if (leaves_out_) NoteGap(frame);
  if (!skipping_ || !frame.lasting) return Deliver(frame, archive);
  if (frame.moment.at > next_time_) return DeliverSkipped(archive) && Deliver(frame, archive);
  if (frame.MayBeMark() && frame.InMemory().Decode()) {
    skipped_.clear();  // no search of a time after it goes across it
    left_out_.reset();
    return Deliver(frame, archive);
  }
  if (skipped_.size() == kMostSkipped && !DeliverSkipped(archive)) return false;
  Skip(frame);
  return true;
}

void SkippingReader::Skip(const RecordFrame& frame) {
  if (skipped_.empty()) first_skipped_ = frame;
  // Memory that grows is taken and filled again and again; what is not used yet costs nothing.
  if (skipped_.capacity() == 0) skipped_.reserve(kMostSkipped);
  skipped_.push_back({frame.view.offset, frame.moment.at, frame.moment.time.seconds,
                      frame.moment.time.nanoseconds,
                      static_cast<std::uint32_t>(frame.view.bytes.size())});
}

RecordFrame SkippingReader::FrameOf(std::size_t i) const {
  const Skipped& skipped = skipped_[i];
  RecordFrame frame = first_skipped_;
  const std::uint8_t* const bytes = frame.view.bytes.data() + (skipped.offset - frame.view.offset);
  frame.view.bytes = {bytes, skipped.length};
  frame.view.offset = frame.place.offset = skipped.offset;
  frame.view.ordinal += i;
  frame.place.length = skipped.length;
  frame.moment = {skipped.at, {skipped.seconds, skipped.nanoseconds}, frame.moment.record + i};
  return frame;
}

bool SkippingReader::OnVolumeEnd(const ReplayArchive& archive) {
  read_until_ = 0;
  return DeliverSkipped(archive);
}

bool SkippingReader::Deliver(const RecordFrame& frame, const ReplayArchive& archive) {
  if (!frame.Deliver(archive, *this)) return false;
  forms_known_ = forms_known_ || frame.believed || reader_.FormsKnown();
  const double at = frame.moment.at;
  next_time_ = finder_.NextTime(at);
  skipping_ = forms_known_ && next_time_ > at && !finder_.IsOpenBefore(at);
  return true;
}

// Delivers the last of the skipped records, as many as the searches of the next time meet.
bool SkippingReader::DeliverSkipped(const ReplayArchive& archive) {
  const std::size_t first = FirstNeeded();
  bool going = DeliverLeftOut(archive);
  for (std::size_t i = first; i < skipped_.size() && going; ++i) going = DeliverChecked(i, archive);
  skipped_.clear();
  checked_.clear();
  keeps_ = true;
  copied_ = 0;
  return going;
}

bool SkippingReader::DeliverChecked(std::size_t i, const ReplayArchive& archive) {
  const std::size_t behind = skipped_.size() - 1 - i;
  return behind < checked_.size() ? FrameOf(i).DeliverDecoded(checked_[behind], *this)
                                  : FrameOf(i).Deliver(archive, *this);
}

// Decodes a record, and remembers what it is decoded to if it did so of all behind it and there is
// room for one more.
std::optional<archive::DataRecord> SkippingReader::Check(std::size_t i) {
  RecordFrame frame = FrameOf(i);
  keeps_ = keeps_ && checked_.size() < kMostChecked;
  if (frame.reader != nullptr && frame.reader->copies()) {
    const std::size_t size = frame.view.bytes.size();
    keeps_ = keeps_ && size <= kMostCopied - copied_;
    if (!keeps_) {
      frame = frame.InMemory();
    } else {
      if (!copies_) copies_ = std::make_unique_for_overwrite<std::uint8_t[]>(kMostCopied);
      const std::span<std::uint8_t> copy(copies_.get() + copied_, size);
      if (frame.reader->Copy(frame.view, copy)) {
        frame.view.bytes = copy;
        copied_ += size;
      }
    }
  }
  std::optional<archive::DataRecord> record = frame.Decode();
  if (record && keeps_) checked_.push_back(*record);
  return record;
}

std::size_t SkippingReader::FirstNeeded() {
  ++search_;
  found_ = 0;
  search_ended_ = true;
  for (std::size_t i = skipped_.size(); i-- > 0;) {
    const std::optional<archive::DataRecord> record = Check(i);
    if (!record) {  // no search goes across it
      if (i + 1 == skipped_.size()) NoteEndBefore(i);
      return i;
    }
    if (EndsSearch(*record, skipped_[i].at)) return i;
  }
  search_ended_ = false;
  return 0;
}

// INT-311: goes on with the search that FirstNeeded() has begun.
bool SkippingReader::DeliverLeftOut(const ReplayArchive& archive) {
  if (!left_out_) return true;
  const std::uint64_t begin = *left_out_;
  left_out_.reset();
  needed_.clear();
  RecordFrame frame = after_left_out_;
  while (!search_ended_ && frame.place.offset > begin) {
    const std::optional<RecordFrame> before = FrameBefore(frame, archive);
    if (!before || before->place.offset < begin) {
      return reader_.OnDamage(frame.moment, {.kind = Status::Kind::kDamaged,
                                             .file = archive.FileName(frame.place),
                                             .offset = frame.place.offset,
                                             .clause = "ARC-1104"_clause,
                                             .message = "no record ends where this one begins"});
    }
    disordered_ = disordered_ || before->moment.at > frame.moment.at;
    frame = *before;
    const std::optional<archive::DataRecord> record = frame.Decode();
    const bool barrier = !record || record->IsMark();
    const std::size_t found = found_;
    search_ended_ = barrier || EndsSearch(*record, frame.moment.at);
    if (barrier || found_ > found) needed_.push_back(frame);
  }
  return !disordered_ && std::all_of(needed_.rbegin(), needed_.rend(), [&](const auto& needed) {
    return needed.Deliver(archive, reader_);
  });
}

std::optional<RecordFrame> SkippingReader::FrameBefore(const RecordFrame& frame,
                                                       const ReplayArchive& archive) const {
  const auto framing = frame.reader->Before(frame.place.offset);
  if (!framing || framing->view.bytes.size() < archive::LayoutOf(frame.version).mark) {
    return std::nullopt;
  }
  RecordFrame before = frame;
  before.view = framing->view;
  before.place.offset = framing->view.offset;
  before.place.length = framing->view.bytes.size();
  const Timestamp time =
      archive::LoadTimestamp(framing->head + archive::kLengthWord, frame.version);
  before.moment = {archive.origin().Relative(time), time, frame.moment.record - 1};
  return before;
}

// INT-207: the end of the archive is that of the last record that is not refused.
void SkippingReader::NoteEndBefore(std::size_t i) {
  while (i-- > 0) {
    const RecordFrame frame = FrameOf(i);
    if (!frame.InMemory().Decode()) continue;
    return reader_.NoteEnd(frame.moment);
  }
}

// True if there is nothing to search for before this record.
bool SkippingReader::EndsSearch(const archive::DataRecord& record, double at) {
  if (std::isinf(next_time_)) return true;
  if (at < 0) return false;  // INT-305
  reader_.ForEachCell(record, [&](std::size_t cell) {
    if (found_in_[cell] == search_) return;
    found_in_[cell] = search_;
    ++found_;
  });
  return found_ == found_in_.size();
}

bool SkippingReader::OnRecord(const archive::DataRecord& record, const Moment& moment,
                              const RecordPlace& place) {
  return reader_.OnRecord(record, moment, place);
}

bool SkippingReader::OnMark(const Moment& moment, const RecordPlace& place) {
  return Advance(moment) && reader_.OnMark(moment, place);
}

bool SkippingReader::OnDamage(const Moment& moment, const Status& status) {
  return reader_.OnDamage(moment, status);  // which frames go back in time is known already
}

}  // namespace pmproof::replay
