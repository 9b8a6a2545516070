// SPDX-License-Identifier: Apache-2.0
// The entries of the temporal index held against the records of the volumes, while these pass.

#include <algorithm>

#include "validator/check/rules/index_rules.h"

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::IndexEntry;
using archive::LayoutOf;

// ARC-456: entries written at a mark, or by pmlogreduce, are this much off.
constexpr std::int64_t kNear = 1'000'000;  // nanoseconds

// ARC-625, ARC-644: writers make an entry after every 100000 bytes, with the next record.
constexpr std::uint64_t kLongDistance = 200'000;

// Entries that wait for a later record; a sane index has one or two of them at a time.
constexpr std::size_t kMostEarlier = 1U << 16;

bool IsNear(Timestamp a, Timestamp b) {
  const std::int64_t distance = NanosecondsBetween(a, b);
  return distance >= -kNear && distance <= kNear;
}

}  // namespace

void IndexRules::StartVolume(archive::Part volume) {
  volume_ = volume;
  volume_begin_ = LayoutOf(archive_.version).label;
  previous_ = {};
  volume_latest_ = kAlways;
  volume_has_first_ = false;
  distance_from_ = volume_begin_;
  largest_ = 0;
  SkipToVolume();
}

// Moves the cursor to the first entry that points into this volume or a later one.
void IndexRules::SkipToVolume() {
  next_offset_ = kNone;
  for (; cursor_ < OrderedCount(); ++cursor_) {
    const std::size_t i = Ordered(cursor_);
    if ((flags_[i] & (kBadVolume | kBadData)) != 0) continue;
    const IndexEntry entry = index_[i];
    if (entry.volume >= volume_) {
      if (entry.volume == volume_) next_offset_ = static_cast<std::uint64_t>(entry.data_offset);
      return;
    }
    ++unchecked_;  // its volume was not read, or not to this place
  }
}

void IndexRules::NextEntry() {
  ++cursor_;
  SkipToVolume();
}

void IndexRules::JudgeUpTo(DataEvent event, bool trusted) {
  if (previous_.volume < 0) first_of_volume_ = {event.time, event.Whole()};
  const std::uint64_t read_to = previous_.volume < 0 ? volume_begin_ : previous_.end;
  while (next_offset_ <= event.offset) {
    const std::size_t i = Ordered(cursor_);
    const IndexEntry entry = index_[i];
    if (next_offset_ == event.offset) {
      EndDistance(event.offset);
      JudgeAgainst(i, entry, &event, trusted);
    } else if (next_offset_ >= read_to) {
      ++unchecked_;  // between records that have a time
    } else {
      ReportNoBoundary(i, entry);
    }
    NextEntry();
  }
}

void IndexRules::OnVolumeEnd(archive::Part volume, const ReadExtent& extent) {
  if (volume != volume_) StartVolume(volume);
  const std::uint64_t read_to = previous_.volume < 0 ? volume_begin_ : previous_.end;
  while (next_offset_ != kNone) {
    const std::size_t i = Ordered(cursor_);
    const IndexEntry entry = index_[i];
    if (extent.size && next_offset_ > *extent.size) {
      flags_[i] |= kBadData;
      reporter_.Report("ARC-1915"_clause, At(i, Field::kData), [&] {
        return Details{"offset in volume", std::to_string(entry.data_offset),
                       "at most " + std::to_string(*extent.size),
                       "the data offset lies after the end of its volume"};
      });
    } else if (next_offset_ < read_to) {
      ReportNoBoundary(i, entry);
    } else if (next_offset_ == read_to && extent.HasNoMore() && read_to == extent.end) {
      EndDistance(read_to);
      JudgeAgainst(i, entry, nullptr, true);
    } else {
      ++unchecked_;
    }
    NextEntry();
  }
  EndDistance(extent.end);
  if (previous_.volume < 0) return;
  if (!volume_has_first_ && !archive_.volumes.empty() && volume != archive_.volumes.front()) {
    without_entry_.insert(first_of_volume_);
  }
}

void IndexRules::ReportNoBoundary(std::size_t i, const IndexEntry& entry) {
  flags_[i] |= kBadData;
  reporter_.Report("ARC-1917"_clause, At(i, Field::kData), [&] {
    return Details{"offset in volume", std::to_string(entry.data_offset), "",
                   "no record of volume " + std::to_string(entry.volume) +
                       " starts or ends at the data offset"};
  });
}

// ARC-454: an entry points to the start of the record with its time; in old archives, and at the
// end of the index, it may be the end of that record. `here` is the record that starts at the
// offset, nothing at the end of the volume.
void IndexRules::JudgeAgainst(std::size_t i, const IndexEntry& entry, const DataEvent* here,
                              bool trusted) {
  if (here != nullptr && previous_.volume < 0) volume_has_first_ = true;
  if ((flags_[i] & (kBadTime | kDisplaced | kDataInverted)) != 0) return;
  const Timestamp time = entry.time;
  const bool last = IsLast(i);
  if (here != nullptr && here->time == time) {
    if (i != 0 || index_.PlaceOf(0) != 0) ++starts_;
    return;
  }
  const Seen* const before =
      previous_.volume >= 0 && previous_.end == static_cast<std::uint64_t>(entry.data_offset)
          ? &previous_
          : nullptr;
  if (here == nullptr && before == nullptr) return;  // a volume without records
  const bool found = IsFoundByTheEntryBefore(i, entry);
  if (before != nullptr && before->time == time) {
    if (here != nullptr && found) return;
    if (here == nullptr && last) {
      reporter_.Report("ARC-1927"_clause, At(i, Field::kWhole), [&] {
        return Details{
            "offset in volume", std::to_string(entry.data_offset), "",
            "the last entry points to the end of the volume, with the time of the last record"};
      });
    } else if (here != nullptr && !last) {
      flags_[i] |= kEndForm;  // judged when it is known what the other entries point to
      ++ends_;
    }
    return;
  }
  // OrderRules has reported the record: which of the two times is wrong is known.
  const bool unsure =
      here != nullptr
          ? !trusted || (before != nullptr && here->time == before->time && here->time < time)
          : !before->trusted;
  if (unsure) {
    flags_[i] |= kReported;
    return;
  }
  const Timestamp record = here != nullptr ? here->time : before->time;
  if (IsNear(record, time) || (before != nullptr && IsNear(before->time, time))) {
    ReportMisplaced(i, time, IsNear(record, time) ? record : before->time,
                    archive::Gravity::kWarning);
  } else if (volume_latest_ > time) {
    flags_[i] |= kReported;
    reporter_.Report("ARC-1919"_clause, At(i, Field::kData), [&] {
      return Details{"offset in volume", std::to_string(entry.data_offset), "",
                     "a record of " + ToEpochText(volume_latest_) +
                         " lies before the data offset of the entry of " + ToEpochText(time)};
    });
  } else if (record > time) {
    // Later than the entry: records with its time are hidden, if there are any and no other entry
    // leads to them.
    const bool hidden = previous_data_ == time && !found;
    ReportMisplaced(i, time, record,
                    hidden ? archive::Gravity::kAsCatalogued : archive::Gravity::kWarning);
  } else if (here == nullptr) {
    // The only trace of a volume that was cut at the end of a record.
    flags_[i] |= kReported;
    reporter_.Report("ARC-1915"_clause, At(i, Field::kData), [&] {
      return Details{"offset in volume", std::to_string(entry.data_offset),
                     "less than " + std::to_string(entry.data_offset),
                     "the volume ends where the entry says that the record of " +
                         ToEpochText(time) + " begins; its last record is of " +
                         ToEpochText(record)};
    });
  } else if (earlier_.size() < kMostEarlier) {
    earlier_.push_back({time, record, static_cast<std::uint32_t>(i)});
    std::push_heap(earlier_.begin(), earlier_.end());
    earlier_from_ = earlier_.front().time;
  } else {
    ReportMisplaced(i, time, record, archive::Gravity::kWarning);
  }
}

// ARC-458: of entries with one time readers take the first. Where that one points to the record, or
// in front of it, the others hide nothing.
bool IndexRules::IsFoundByTheEntryBefore(std::size_t i, const IndexEntry& entry) const {
  if (i == 0) return false;
  constexpr std::uint8_t kDoubtful =
      kBadTime | kBadVolume | kBadData | kDisplaced | kDataInverted | kReported | kEndForm;
  const IndexEntry before = index_[i - 1];
  return (flags_[i - 1] & kDoubtful) == 0 && before.time == entry.time &&
         before.volume == entry.volume && before.data_offset <= entry.data_offset;
}

void IndexRules::ReportMisplaced(std::size_t i, Timestamp time, Timestamp record,
                                 archive::Gravity gravity) {
  flags_[i] |= kReported;
  reporter_.Report(
      "ARC-1918"_clause, At(i, Field::kData),
      [&] {
        const std::string offset = std::to_string(index_[i].data_offset);
        if (record == time) {
          return Details{"offset in volume", offset, "",
                         "the data offset is the end of the record of " + ToEpochText(time) +
                             " and not its start, so that readers miss the record"};
        }
        return Details{"offset in volume", offset, "",
                       "the record at the data offset is of " + ToEpochText(record) +
                           ", the entry of " + ToEpochText(time)};
      },
      gravity);
}

// ARC-1925.
void IndexRules::EndDistance(std::uint64_t at) {
  if (index_.total() == 0) return;  // ARC-1005
  const std::uint64_t distance = at > distance_from_ ? at - distance_from_ : 0;
  if (distance > kLongDistance + largest_) {
    reporter_.Report("ARC-1925"_clause, {volume_, distance_from_, distance, 0}, [&] {
      return Details{"", std::to_string(distance) + " bytes", "about 100000 bytes",
                     "no index entry points into " + std::to_string(distance) + " bytes of data"};
    });
  }
  distance_from_ = at;
  largest_ = 0;
}

// A record has come up to the earliest of the entries that wait.
void IndexRules::ResolveEarlier() {
  while (!earlier_.empty() && earlier_.front().time <= latest_) {
    const Earlier entry = earlier_.front();
    std::pop_heap(earlier_.begin(), earlier_.end());
    earlier_.pop_back();
    ReportMisplaced(entry.entry, entry.time, entry.record, archive::Gravity::kWarning);
  }
  earlier_from_ = earlier_.empty() ? kNever : earlier_.front().time;
}

void IndexRules::DrainEarlier(bool complete) {
  std::sort(earlier_.begin(), earlier_.end(),
            [](const Earlier& a, const Earlier& b) { return a.entry < b.entry; });
  for (const Earlier& entry : earlier_) {
    if (entry.time <= latest_) {
      ReportMisplaced(entry.entry, entry.time, entry.record, archive::Gravity::kWarning);
      continue;
    }
    flags_[entry.entry] |= kReported;
    if (!complete) {
      ++unchecked_;
      continue;
    }
    reporter_.Report("ARC-1924"_clause, At(entry.entry, Field::kTime), [&] {
      return Details{"timestamp", ToEpochText(entry.time), "at most " + ToEpochText(latest_),
                     "the entry is later than the last record"};
    });
  }
  earlier_.clear();
  earlier_from_ = kNever;
}

}  // namespace pmproof::validator
