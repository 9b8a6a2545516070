// SPDX-License-Identifier: Apache-2.0
// The temporal index against .meta and against the archive as a whole, when all data were read.

#include <algorithm>

#include "validator/check/rules/index_rules.h"

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::IndexEntry;
using archive::LayoutOf;
using archive::Location;
using archive::RecordPosition;

}  // namespace

void IndexRules::OnEnd(std::span<const RecordPosition> meta, const ReadExtent& meta_extent,
                       bool complete) {
  DrainEarlier(complete);
  if (cursor_ < OrderedCount()) {
    volume_ = std::numeric_limits<archive::Part>::max();
    SkipToVolume();
  }
  JudgeMetaOffsets(meta, meta_extent, complete);
  JudgeOffsetOrder();
  if (index_.total() == 0 || failure_) return;
  // An entry of zeros was reported.
  if (entries_ > 0 && index_.PlaceOf(0) == 0) JudgeFirst();
  if (complete && entries_ > 0 && IsLast(entries_ - 1)) JudgeLast();
  JudgeVolumeStarts();
}

void IndexRules::JudgeMetaOffsets(std::span<const RecordPosition> meta, const ReadExtent& extent,
                                  bool complete) {
  Arrange(kBadMeta, [this](std::size_t a, std::size_t b) {
    const std::int64_t x = index_[a].meta_offset;
    const std::int64_t y = index_[b].meta_offset;
    return x != y ? x < y : a < b;
  });
  // Metadata later than all data is reported by itself (ARC-2002).
  const Timestamp end = complete && latest_ != kAlways ? latest_ : kNever;
  std::optional<Timestamp> latest;  // of the records in front of the offset
  std::size_t next = 0;             // the first record not in front of it
  for (std::size_t k = 0; k < OrderedCount(); ++k) {
    const std::size_t i = Ordered(k);
    if ((flags_[i] & kBadMeta) != 0) continue;
    const IndexEntry entry = index_[i];
    const auto offset = static_cast<std::uint64_t>(entry.meta_offset);
    if (extent.size && offset > *extent.size) {
      flags_[i] |= kBadMeta;
      reporter_.Report("ARC-1911"_clause, At(i, Field::kMeta), [&] {
        return Details{"offset in .meta", std::to_string(offset),
                       "at most " + std::to_string(*extent.size),
                       "the .meta offset lies after the end of .meta"};
      });
      continue;
    }
    for (; next < meta.size() && meta[next].offset < offset; ++next) {
      const std::optional<Timestamp>& time = meta[next].time;
      if (time && *time <= end && (!latest || *time > *latest)) latest = time;
    }
    const std::uint64_t read_to =
        next == 0 ? LayoutOf(archive_.version).label : meta[next - 1].end();
    const bool at_record = next < meta.size() && meta[next].offset == offset;
    if (offset > read_to && !at_record) {
      ++unchecked_meta_;
    } else if (offset < read_to && !at_record) {
      flags_[i] |= kBadMeta;
      reporter_.Report("ARC-1913"_clause, At(i, Field::kMeta), [&] {
        return Details{"offset in .meta", std::to_string(offset), "",
                       "no metadata record starts or ends at the .meta offset"};
      });
    } else if (latest && *latest > entry.time && (flags_[i] & kBadTime) == 0) {
      flags_[i] |= kBadMeta;
      reporter_.Report("ARC-1920"_clause, At(i, Field::kMeta), [&] {
        return Details{"offset in .meta", std::to_string(offset), "",
                       "metadata of " + ToEpochText(*latest) +
                           " lies before the .meta offset of the entry of " +
                           ToEpochText(entry.time)};
      });
    }
  }
}

void IndexRules::JudgeOffsetOrder() {
  struct Before {
    std::optional<std::size_t> entry;
    std::int64_t offset = 0;
    std::int32_t volume = 0;
  };
  Before meta;
  Before data;
  for (std::size_t i = 0; i < entries_; ++i) {
    if ((flags_[i] & kEndForm) != 0 && ends_ <= starts_) {
      ReportMisplaced(i, TimeOf(i), TimeOf(i), archive::Gravity::kAsCatalogued);
    }
    if ((flags_[i] & kDisplaced) != 0) continue;
    const IndexEntry entry = index_[i];
    if ((flags_[i] & kBadMeta) == 0) {
      if (meta.entry && entry.meta_offset < meta.offset) {
        flags_[i] |= kBadMeta;
        flags_[*meta.entry] |= kBadMeta;
        reporter_.Report("ARC-1912"_clause, At(i, Field::kMeta), [&] {
          return Details{"offset in .meta", std::to_string(entry.meta_offset),
                         "at least " + std::to_string(meta.offset),
                         "the .meta offset is less than that of the entry before"};
        });
      }
      meta = {i, entry.meta_offset, 0};
    }
    if ((flags_[i] & (kBadVolume | kBadData)) == 0) {
      if (data.entry && data.volume == entry.volume && entry.data_offset < data.offset) {
        flags_[i] |= kReported;
        flags_[*data.entry] |= kReported;
        reporter_.Report("ARC-1916"_clause, At(i, Field::kData), [&] {
          return Details{
              "offset in volume", std::to_string(entry.data_offset),
              "at least " + std::to_string(data.offset),
              "the data offset is less than that of the entry before in the same volume"};
        });
      }
      data = {i, entry.data_offset, entry.volume};
    }
  }
}

void IndexRules::JudgeFirst() {
  const IndexEntry entry = index_[0];
  const std::uint8_t flags = flags_[0];
  const auto label = static_cast<std::int64_t>(LayoutOf(archive_.version).label);
  const bool at_start = (archive_.label_start && entry.time == *archive_.label_start) ||
                        (first_time_ && entry.time == *first_time_) ||
                        (!archive_.label_start && !first_time_);
  const bool wrong_time = (flags & (kBadTime | kReported)) == 0 && !at_start;
  const bool wrong_volume = (flags & kBadVolume) == 0 && !archive_.volumes.empty() &&
                            entry.volume != archive_.volumes.front();
  const bool wrong_data =
      (flags & (kBadData | kBadVolume | kReported | kDisplaced | kDataInverted)) == 0 &&
      entry.data_offset != label;
  const bool wrong_meta = (flags & kBadMeta) == 0 && entry.meta_offset != label;
  if (wrong_time || wrong_volume || wrong_data) {
    reporter_.Report("ARC-1921"_clause, At(0, Field::kWhole), [&] {
      return Details{"",
                     ToEpochText(entry.time) + ", volume " + std::to_string(entry.volume) +
                         ", .meta " + std::to_string(entry.meta_offset) + ", data " +
                         std::to_string(entry.data_offset),
                     "the first record of the archive, with both offsets " + std::to_string(label),
                     "the first entry does not stand for the first record: forward reading misses "
                     "what lies before"};
    });
  } else if (wrong_meta) {
    // ARC-456: 11 good archives, and harmless, since .meta is always read from its start (ARC-457).
    reporter_.Report(
        "ARC-1921"_clause, At(0, Field::kMeta),
        [&] {
          return Details{"offset in .meta", std::to_string(entry.meta_offset),
                         std::to_string(label),
                         "the .meta offset of the first entry is not the end of the label"};
        },
        archive::Gravity::kWarning);
  }
}

void IndexRules::JudgeLast() {
  const std::size_t i = entries_ - 1;
  const IndexEntry entry = index_[i];
  if ((flags_[i] & (kBadTime | kBadVolume | kBadData | kReported)) != 0 || !first_time_) return;
  const auto offset = static_cast<std::uint64_t>(entry.data_offset);
  // A volume after the last record has nothing but its label yet.
  if (entry.volume > last_data_volume_ ||
      (entry.volume == last_data_volume_ && offset >= last_data_offset_))
    return;
  reporter_.Report("ARC-1922"_clause, At(i, Field::kWhole), [&] {
    return Details{"",
                   "volume " + std::to_string(entry.volume) + ", offset " + std::to_string(offset),
                   "volume " + std::to_string(last_data_volume_) + ", offset " +
                       std::to_string(last_data_offset_),
                   "the last entry does not stand for the last record"};
  });
}

void IndexRules::JudgeVolumeStarts() {
  if (without_entry_.empty()) return;
  // An entry that was reported may be the one that was meant for the volume.
  for (std::size_t i = 0; i < entries_; ++i) {
    if ((flags_[i] & (kBadVolume | kBadData | kDataInverted | kReported)) != 0)
      without_entry_.erase(TimeOf(i));
  }
  for (const auto& first : without_entry_) {
    const Location& where = first.second;
    // Only the entry of the last volume can be still to come (14.13).
    const bool last = where.part == archive_.volumes.back();
    reporter_.Report(
        "ARC-1923"_clause, where,
        [&where] {
          return Details{
              "", "", "",
              "no index entry stands for the first record of volume " + std::to_string(where.part)};
        },
        last ? archive::Gravity::kAsCatalogued : archive::Gravity::kWarning);
  }
}

}  // namespace pmproof::validator
