// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/frame_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pmproof::archive {
namespace {

// So much of a file is looked at in one way, before it is asked again which one is better. Asking
// takes as long as some frames where it is dear to map: after it was so a few times, more is.
constexpr std::uint64_t kStretch = std::uint64_t{2} << 20;
constexpr std::uint64_t kMostStretches = 16;
// Where something is not in memory, so much of the file is looked at where it is mapped: then the
// system reads ahead.
constexpr std::uint64_t kAfterRefusal = std::uint64_t{128} << 10;
// What is read at once: between so many bytes, four times as much as before if the end of the next
// record is close, else a quarter. A read of the least takes half a microsecond, one of kClose as
// long again; where most records are looked into, what lies between is not read for nothing. Where
// nothing but one frame was of use, a few times, no more than that is read.
constexpr std::size_t kLeastRead = 256;
constexpr std::size_t kMostRead = std::size_t{64} << 10;
constexpr std::size_t kOneFrame = 32;
constexpr int kFewTimes = 4;
constexpr std::uint64_t kClose = std::uint64_t{6} << 10;
constexpr std::uint64_t kCloseIfLookedInto = std::uint64_t{24} << 10;
// Of so many bytes, the latest, it is known how many were looked into.
constexpr std::uint64_t kKnown = std::uint64_t{1} << 20;

}  // namespace

FrameReader::FrameReader(Source& source, const StoredFile& file, Part part, int version,
                         Reporter& reporter)
    : source_(source),
      file_(file),
      reporter_(reporter),
      part_(part),
      version_(version),
      mapped_(source.mapped().has_value()),
      content_(source.mapped().value_or(Bytes())),
      position_(source.position()) {}

Result<std::optional<RecordFraming>> FrameReader::NextInFile() {
  const std::uint64_t left = content_.size() - position_;
  if (!mapped_ || left < kMinRecord) return NextOfRest();
  if (position_ >= stretch_end_) BeginStretch();
  if (!reading_) return Next();
  const std::optional<std::size_t> length = ReadFrame();
  return length ? Give(*length, head_.data()) : NextOfRest();
}

void FrameReader::BeginStretch() {
  if (position_ < refused_until_) {  // a part of it that could not be read is behind
    reading_ = true;
    stretch_end_ = refused_until_;
    return;
  }
  reading_ = file_.IsDearToMap(position_);
  dear_in_a_row_ = reading_ ? dear_in_a_row_ + 1 : 0;
  const std::uint64_t stretches = std::clamp<std::uint64_t>(dear_in_a_row_ / 4, 1, kMostStretches);
  stretch_end_ = (position_ / kStretch + stretches) * kStretch;
}

std::optional<RecordFraming> FrameReader::At(std::uint64_t offset) const {
  if (!mapped_ || offset > content_.size()) return std::nullopt;
  const std::uint64_t left = content_.size() - offset;
  if (left < kMinRecord) return std::nullopt;
  const std::uint8_t* const head = content_.data() + offset;
  const std::size_t length = LoadU32(head);
  if (length < kMinRecord || length > left) return std::nullopt;
  if (LoadU32(head + length - kLengthWord) != length) return std::nullopt;
  return RecordFraming{{content_.subspan(offset, length), offset, 0, part_}, head};
}

std::optional<RecordFraming> FrameReader::Before(std::uint64_t offset) const {
  if (!mapped_ || offset > content_.size() || offset < kMinRecord) return std::nullopt;
  const std::size_t length = LoadU32(content_.data() + offset - kLengthWord);
  if (length > offset) return std::nullopt;
  const std::optional<RecordFraming> found = At(offset - length);
  return found && found->view.bytes.size() == length ? found : std::nullopt;
}

// The length of the record at position_; nothing if its length words are not those of the plain
// case, or cannot be read.
std::optional<std::size_t> FrameReader::ReadFrame() {
  const std::uint64_t left = content_.size() - position_;
  const std::uint64_t size = std::min<std::uint64_t>(left, kHead);
  const std::uint8_t* const head = Show(position_, size);
  if (head == nullptr) return std::nullopt;
  std::memcpy(head_.data(), head, size);
  const std::size_t length = LoadU32(head_.data());
  if (length < kMinRecord || length > left) return std::nullopt;
  const std::uint8_t* const trailer = Show(position_ + length - kLengthWord, kLengthWord);
  if (trailer == nullptr || LoadU32(trailer) != length) return std::nullopt;
  ++frames_in_block_;
  return length;
}

// So many bytes of the file; null if they cannot be read.
const std::uint8_t* FrameReader::Show(std::uint64_t offset, std::size_t size) {
  const bool there = offset >= block_begin_ && offset + size <= block_begin_ + block_size_;
  if (!there && !Fill(offset)) return nullptr;
  return block_.data() + (offset - block_begin_);
}

bool FrameReader::Fill(std::uint64_t offset) {
  passed_ += offset - std::min(offset, block_begin_);
  const std::uint64_t distance = 2 * looked_into_ > passed_ ? kCloseIfLookedInto : kClose;
  if (passed_ > kKnown) {
    passed_ /= 2;
    looked_into_ /= 2;
  }
  const bool close = offset >= block_begin_ && offset < block_begin_ + block_size_ + distance;
  useless_ = close || frames_in_block_ > 1 ? 0 : useless_ + 1;
  frames_in_block_ = 0;
  const std::size_t least = useless_ < kFewTimes ? kLeastRead : kOneFrame;
  read_ = std::clamp(close ? 4 * read_ : read_ / 4, least, kMostRead);
  if (block_.size() < read_) block_.resize(read_);
  block_begin_ = offset;
  block_size_ = std::min<std::uint64_t>(content_.size() - offset, read_);
  reading_ = file_.TryRead(offset, std::span(block_).first(block_size_));
  if (reading_) return true;
  block_size_ = 0;
  refused_until_ = std::exchange(stretch_end_, std::min(stretch_end_, position_ + kAfterRefusal));
  return false;
}

Result<std::optional<RecordFraming>> FrameReader::NextOfRest() {
  if (!rest_ || (mapped_ && !ended_)) {
    source_.Skip(position_ - source_.position());
    rest_.emplace(source_, part_, version_, reporter_, ordinal_);
  }
  const Result<std::optional<RecordView>> view = rest_->Next();
  if (!view) return tl::unexpected(view.error());
  if (!*view) {
    ended_ = true;
    return std::nullopt;
  }
  position_ = rest_->position();
  ++ordinal_;
  return RecordFraming{**view, (*view)->bytes.data()};
}

bool FrameReader::Copy(const RecordView& record, std::span<std::uint8_t> into) {
  if (!reading_ || record.bytes.size() > kLargestCopy) return false;
  looked_into_ += into.size();
  if (record.offset >= block_begin_ &&
      record.offset + record.bytes.size() <= block_begin_ + block_size_) {
    std::memcpy(into.data(), block_.data() + (record.offset - block_begin_), into.size());
    return true;
  }
  return file_.TryRead(record.offset, into);
}

Bytes FrameReader::CopyOrView(const RecordView& record) {
  const std::size_t size = record.bytes.size();
  if (!reading_ || size > kLargestCopy) return record.bytes;
  if (copy_.size() < size) copy_.resize(size);
  const std::span<std::uint8_t> copy(copy_.data(), size);
  return Copy(record, copy) ? Bytes(copy) : record.bytes;
}

}  // namespace pmproof::archive
