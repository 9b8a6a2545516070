// SPDX-License-Identifier: Apache-2.0
// The temporal index by itself, and what needs all of the archive. What the records of the volumes
// show is in index_walk.cc.

#include "validator/check/rules/index_rules.h"

#include <algorithm>
#include <utility>

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::IndexEntry;
using archive::Layout;
using archive::LayoutOf;
using archive::Location;

}  // namespace

IndexRules::IndexRules(archive::IndexView index, Archive archive, archive::Reporter& reporter)
    : index_(index, archive.memory), archive_(std::move(archive)), reporter_(reporter) {
  entries_ = index_.size();
  if (!Afford(0)) return;
  flags_.resize(entries_);
  JudgeEntries();
  SortEntries();
}

bool IndexRules::Afford(std::size_t more) {
  const std::size_t taken = index_.memory() + entries_;
  if (!index_.exceeded() && taken <= archive_.memory && more <= archive_.memory - taken)
    return true;
  failure_ =
      Status{.kind = Status::Kind::kBudget,
             .message = "the rules on the index need more than " + std::to_string(archive_.memory) +
                        " bytes of memory for its " + std::to_string(index_.total()) + " entries"};
  entries_ = 0;
  return false;
}

Location IndexRules::At(std::size_t entry, Field field) const {
  const Layout& layout = LayoutOf(archive_.version);
  const std::size_t offset_size = archive_.version == 3 ? 8 : 4;
  const std::uint64_t begin = index_.OffsetOf(entry);
  const std::uint64_t behind_time = begin + layout.timestamp;
  switch (field) {
    case Field::kTime:
      return {archive::kIndexPart, begin, layout.timestamp, entry + 1};
    case Field::kVolume:
      return {archive::kIndexPart, behind_time, 4, entry + 1};
    case Field::kMeta:
      return {archive::kIndexPart, behind_time + 4, offset_size, entry + 1};
    case Field::kData:
      return {archive::kIndexPart, behind_time + 4 + offset_size, offset_size, entry + 1};
    case Field::kWhole:
      break;
  }
  return {archive::kIndexPart, begin, layout.index_entry, entry + 1};
}

void IndexRules::JudgeEntries() {
  Predecessors before;
  const auto judge = [&](std::size_t i) {
    const IndexEntry entry = index_[i];
    JudgeOffsets(i, entry);
    JudgeVolume(i, entry, before);
    JudgeTime(i, entry, before);
    if ((flags_[i] & (kBadVolume | kBadData)) == 0) {
      if (before.data && before.data_volume == entry.volume &&
          entry.data_offset < before.data_offset) {
        flags_[i] |= kDataInverted;
        flags_[*before.data] |= kDataInverted;
      }
      before.data = i;
      before.data_volume = entry.volume;
      before.data_offset = entry.data_offset;
    }
  };
  index_.ForEachStretch(
      [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) judge(i);
      },
      [&](std::size_t place, std::size_t count) { JudgeZeros(place, count); });
  const archive::IndexView& file = index_.file();
  if (file.partial_bytes() != 0) {
    const Location where{archive::kIndexPart, file.OffsetOf(file.size()), file.partial_bytes(),
                         file.size() + 1};
    reporter_.Report("ARC-1901"_clause, where, [&] {
      return Details{"", std::to_string(file.partial_bytes()) + " bytes",
                     std::to_string(LayoutOf(archive_.version).index_entry) + " bytes",
                     "the index ends inside an entry"};
    });
  }
}

// One finding for a stretch, however long it is.
void IndexRules::JudgeZeros(std::size_t place, std::size_t count) {
  const std::uint64_t size = LayoutOf(archive_.version).index_entry;
  const Location where{archive::kIndexPart, index_.file().OffsetOf(place), count * size, place + 1};
  reporter_.Report("ARC-1926"_clause, where, [&] {
    return Details{"", "zeros", "",
                   count == 1 ? "the index entry consists of zeros"
                              : std::to_string(count) +
                                    " index entries, this one and those that "
                                    "follow, consist of zeros"};
  });
}

void IndexRules::JudgeOffsets(std::size_t i, const IndexEntry& entry) {
  const auto label = static_cast<std::int64_t>(LayoutOf(archive_.version).label);
  const auto expected = [label] { return "at least " + std::to_string(label); };
  if (entry.data_offset == 0) {
    flags_[i] |= entry.meta_offset == 0 ? kBadData | kBadMeta : kBadData;
    reporter_.Report("ARC-1926"_clause, At(i, Field::kData), [&] {
      return Details{"offset in volume", "0", expected(),
                     "the data offset of the index entry is 0"};
    });
  } else if (entry.data_offset < label) {
    flags_[i] |= kBadData;
    reporter_.Report("ARC-1914"_clause, At(i, Field::kData), [&] {
      return Details{"offset in volume", std::to_string(entry.data_offset), expected(),
                     "the data offset lies inside the label of the volume"};
    });
  }
  if (entry.meta_offset == 0 && (flags_[i] & kBadMeta) == 0) {
    flags_[i] |= kBadMeta;
    reporter_.Report(
        "ARC-1926"_clause, At(i, Field::kMeta),
        [&] {
          return Details{"offset in .meta", "0", expected(),
                         "the .meta offset of the index entry is 0"};
        },
        archive::Gravity::kWarning);  // no reader uses it
  } else if (entry.meta_offset < label && (flags_[i] & kBadMeta) == 0) {
    flags_[i] |= kBadMeta;
    reporter_.Report("ARC-1910"_clause, At(i, Field::kMeta), [&] {
      return Details{"offset in .meta", std::to_string(entry.meta_offset), expected(),
                     "the .meta offset lies inside the label of .meta"};
    });
  }
}

bool IndexRules::IsKnownVolume(archive::Part volume) const {
  const std::vector<archive::Part>& known = archive_.volumes;
  if (archive_.volumes_missing) {
    return known.empty() || (volume >= known.front() && volume <= known.back());
  }
  return std::binary_search(known.begin(), known.end(), volume);
}

void IndexRules::JudgeVolume(std::size_t i, const IndexEntry& entry, Predecessors& before) {
  if (entry.volume < 0) {
    flags_[i] |= kBadVolume;
    reporter_.Report("ARC-1902"_clause, At(i, Field::kVolume), [&] {
      return Details{"volume", std::to_string(entry.volume), "0 or more",
                     "the volume number is negative"};
    });
    return;
  }
  if (!IsKnownVolume(entry.volume)) {
    flags_[i] |= kBadVolume;
    reporter_.Report("ARC-1903"_clause, At(i, Field::kVolume), [&] {
      return Details{"volume", std::to_string(entry.volume), "",
                     "the entry names a volume that does not exist"};
    });
    return;
  }
  if (before.volume && entry.volume < before.volume_number) {
    flags_[i] |= kBadVolume | kDisplaced;
    flags_[*before.volume] |= kBadVolume | kDisplaced;
    reporter_.Report("ARC-1904"_clause, At(i, Field::kVolume), [&] {
      return Details{"volume", std::to_string(entry.volume),
                     "at least " + std::to_string(before.volume_number),
                     "the volume number is less than that of the entry before"};
    });
  }
  before.volume = i;
  before.volume_number = entry.volume;
}

void IndexRules::JudgeTime(std::size_t i, const IndexEntry& entry, Predecessors& before) {
  if (entry.time.seconds < 0) {
    flags_[i] |= kBadTime;
    reporter_.Report("ARC-1905"_clause, At(i, Field::kTime), [&] {
      return Details{"timestamp", std::to_string(entry.time.seconds), "0 or later",
                     "the seconds are negative"};
    });
  }
  if (!archive::FractionInRange(entry.fraction, archive_.version)) {
    flags_[i] |= kBadTime;
    reporter_.Report("ARC-1906"_clause, At(i, Field::kTime), [&] {
      return Details{"timestamp", std::to_string(entry.fraction),
                     archive_.version == 3 ? "0..999999999" : "0..999999",
                     "the fraction of the timestamp is out of range"};
    });
  }
  if ((flags_[i] & kBadTime) == 0 && archive_.label_start && entry.time < *archive_.label_start) {
    flags_[i] |= kBadTime;
    reporter_.Report("ARC-1907"_clause, At(i, Field::kTime), [&] {
      return Details{"timestamp", ToEpochText(entry.time),
                     "at least " + ToEpochText(*archive_.label_start),
                     "the entry lies before the start that the label states"};
    });
  }
  if ((flags_[i] & kBadTime) != 0) {
    times_ordered_ = false;
    return;
  }
  if (before.time && entry.time < before.timestamp) {
    times_ordered_ = false;
    // An entry that was moved as a whole has gone back in its volume already.
    if ((flags_[i] & kDisplaced) == 0) {
      reporter_.Report("ARC-1908"_clause, At(i, Field::kTime), [&] {
        return Details{"timestamp", ToEpochText(entry.time),
                       "at least " + ToEpochText(before.timestamp),
                       "the entry is earlier than the entry before it"};
      });
    }
    flags_[i] |= kBadTime | kDisplaced;
    flags_[*before.time] |= kBadTime | kDisplaced;
  } else if (before.time && entry.time == before.timestamp) {
    reporter_.Report("ARC-1909"_clause, At(i, Field::kTime), [&] {
      return Details{"timestamp", ToEpochText(entry.time), "",
                     "the entry has the time of the entry before it"};
    });
  }
  before.time = i;
  before.timestamp = entry.time;
}

void IndexRules::SortEntries() {
  Arrange(kBadVolume | kBadData, [this](std::size_t a, std::size_t b) {
    const IndexEntry x = index_[a];
    const IndexEntry y = index_[b];
    if (x.volume != y.volume) return x.volume < y.volume;
    return x.data_offset != y.data_offset ? x.data_offset < y.data_offset : a < b;
  });
}

std::optional<std::uint64_t> IndexRules::MetaOffsetAfter(Timestamp time) const {
  if (!times_ordered_) return std::nullopt;
  std::size_t low = 0;
  std::size_t high = entries_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (TimeOf(middle) > time) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (low == entries_ || (flags_[low] & kBadMeta) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(index_[low].meta_offset);
}

std::optional<std::string> IndexRules::NotChecked() const {
  const std::uint64_t skipped = index_.left_out();
  if (unchecked_ == 0 && unchecked_meta_ == 0 && skipped == 0) return std::nullopt;
  std::string text;
  const auto add = [&text](std::uint64_t count, const char* what) {
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + what;
  };
  add(unchecked_, " index entries that point to data that could not be read");
  add(unchecked_meta_, " index entries that point to metadata that could not be read");
  add(skipped, " index entries beyond the first 4294967295");
  return text;
}

}  // namespace pmproof::validator
