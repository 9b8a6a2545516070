// SPDX-License-Identifier: Apache-2.0
#include "validator/check/data_walk.h"

#include <algorithm>
#include <utility>

#include "validator/check/frame_foresight.h"

namespace pmproof::validator {
namespace {

using archive::LayoutOf;
using archive::RecordView;

// Told to the progress display each time this much was read.
constexpr std::uint64_t kProgressStep = std::uint64_t{4} << 20;

// Volumes are prepared in parts of this size, so many bytes ahead of the frames that are read.
constexpr std::size_t kPreparePart = std::size_t{2} << 20;
constexpr std::size_t kPrepareAhead = 4 * kPreparePart;

// False for a record that is too short to have a time. `event` stays in registers: a copy of what
// was just written field by field costs more than all rules on order.
[[gnu::always_inline]] inline bool LoadEvent(const RecordView& record, int version,
                                             DataEvent* event) {
  const archive::Layout& layout = LayoutOf(version);
  if (record.bytes.size() < layout.mark) return false;
  const std::uint8_t* data = record.bytes.data();
  event->volume = record.part;
  event->offset = record.offset;
  event->length = static_cast<std::uint32_t>(record.bytes.size());
  event->ordinal = record.ordinal;
  event->time = archive::LoadTimestamp(data + archive::kLengthWord, version);
  event->fraction = archive::LoadFraction(data + archive::kLengthWord, version);
  event->set_count = LoadU32(data + archive::kLengthWord + layout.timestamp);
  event->sets = data + archive::kLengthWord + layout.timestamp + archive::kLengthWord;
  return true;
}

}  // namespace

DataWalk::DataWalk(const MetricTable& metrics, Rules rules, FindingCollector& collector,
                   unsigned jobs, std::size_t stretch, ProgressSink* progress)
    : metrics_(metrics),
      rules_(rules),
      collector_(collector),
      jobs_(std::max(jobs, 1U)),
      stretch_(stretch),
      progress_(progress),
      totals_(metrics, collector),
      pool_(jobs_ - 1) {}

std::unique_ptr<Stretch> DataWalk::NewStretch(archive::Part part, int version) {
  auto stretch = std::make_unique<Stretch>(metrics_, collector_.Fresh(), part, version);
  stretch->behind_lost = std::exchange(lost_, false);
  return stretch;
}

void DataWalk::Absorb(std::unique_ptr<Stretch> stretch) {
  stretch->checker.Settle();
  if (stretch->behind_lost) totals_.ForgetSeries();
  totals_.Absorb(stretch->checker);
  refused_ += stretch->refused;
  collector_.Merge(std::move(stretch->collector));
}

void DataWalk::OnRecord(const RecordView& record, int version) {
  ++outcome_.records;
  DataEvent event;
  if (!LoadEvent(record, version, &event)) return;
  if (event.IsMark()) ++outcome_.marks;
  if (!outcome_.first) outcome_.first = Timestamp(event.time);
  if (!outcome_.latest || event.time > *outcome_.latest) {
    outcome_.latest = Timestamp(event.time);
  }
  rules_.order.OnRecord(event);
  if (rules_.index != nullptr) rules_.index->OnRecord(event);
  if (rules_.times != nullptr) rules_.times->OnRecord(event);
}

void DataWalk::Put(std::unique_ptr<Stretch> stretch) {
  pool_.Put(std::move(stretch));
  while (pool_.size() > 2 * std::size_t{jobs_}) Absorb(pool_.Take());
}

DataWalk::VolumeOutcome DataWalk::Walk(archive::Source& source, archive::Part part, int version,
                                       std::shared_ptr<const archive::StoredFile> content) {
  VolumeOutcome volume;
  archive::RecordReader reader(source, part, version, collector_);
  const std::uint64_t before = outcome_.records;
  const bool at_once = jobs_ == 1 || !source.mapped();
  std::unique_ptr<Stretch> stretch = NewStretch(part, version);
  stretch->latest = latest_;
  std::uint64_t reported = 0;
  FrameForesight foresight;
  std::size_t prepared = 0;

  while (true) {
    const Result<std::optional<RecordView>> next = reader.Next();
    if (!next) volume.error = next.error();
    if (!next || !*next) break;
    const RecordView& record = **next;
    OnRecord(record, version);
    if (at_once) {
      stretch->CheckRecord(record, &latest_);
    } else {
      foresight.After(record.bytes);
      if (content != nullptr && record.offset + kPrepareAhead > prepared) {
        const Bytes all = *source.mapped();
        if (prepared < all.size()) {
          pool_.PrepareSoon(all.subspan(prepared, std::min(kPreparePart, all.size() - prepared)),
                            content);
        }
        prepared += kPreparePart;
      }
      if (stretch->bytes.empty()) {
        stretch->bytes = record.bytes;
        stretch->content = content;
        stretch->offset = record.offset;
        stretch->ordinal = record.ordinal;
      } else {
        stretch->bytes = Bytes(stretch->bytes.data(), stretch->bytes.size() + record.bytes.size());
      }
      latest_ = outcome_.latest;
      if (stretch->bytes.size() >= stretch_) {
        Put(std::exchange(stretch, NewStretch(part, version)));
        stretch->latest = latest_;
      }
    }
    if (progress_ != nullptr && reader.position() - reported >= kProgressStep) {
      progress_->AddBytes(reader.position() - reported);
      reported = reader.position();
    }
  }
  if (at_once) {
    while (pool_.size() > 0) Absorb(pool_.Take());
    Absorb(std::move(stretch));
  } else if (!stretch->bytes.empty()) {
    Put(std::move(stretch));
  } else {
    lost_ = stretch->behind_lost;
  }

  volume.records = outcome_.records - before;
  volume.lost = reader.lost();
  volume.extent.end = reader.position();
  if (!volume.error) {
    const Result<std::uint64_t> size = SizeToTheEnd(source);
    if (size) {
      volume.extent.size = *size;
    } else {
      volume.error = size.error();
    }
  }
  if (progress_ != nullptr)
    progress_->AddBytes(volume.extent.size.value_or(reader.position()) - reported);
  if (!volume.extent.Whole()) lost_ = true;
  rules_.order.OnVolumeEnd(volume.extent);
  if (rules_.index != nullptr) rules_.index->OnVolumeEnd(part, volume.extent);
  return volume;
}

void DataWalk::OnVolumeLost() {
  lost_ = true;
  rules_.order.OnVolumeLost();
}

void DataWalk::Finish(bool complete) {
  while (pool_.size() > 0) Absorb(pool_.Take());
  totals_.Finish(complete && refused_ == 0);
}

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
