// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.10 that concern the offsets of an entry.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/fresh.h"
#include "generators/mutations/index_mutations.h"

namespace pmproof::generators {
namespace {

using archive::kMetaPart;
using archive::LayoutOf;
using Place = IndexEntries::Place;

constexpr std::int64_t kMillisecond = 1'000'000;

std::uint64_t LabelSize(const ArchivePlan& plan) { return LayoutOf(plan.label.version).label; }

}  // namespace

NotApplicable MetaOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const archive::IndexEntryModel* before = index.Before(wanted);
    return before != nullptr && before->meta_offset > LabelSize(plan);
  });
  if (!place) return "its index has no entry after one that is after metadata";
  const std::vector<std::size_t>& records = index.OffsetsOf(kMetaPart);
  const auto end =
      std::lower_bound(records.begin(), records.end(), index.Before(*place)->meta_offset);
  index.entries[place->entry].meta_offset =
      records[random.Below(static_cast<std::uint64_t>(end - records.begin()))];
  index.Store();
  return std::nullopt;
}

// After metadata that is later than the entry.
NotApplicable MetaOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  std::optional<Timestamp> latest;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const std::optional<Timestamp> time = TimeOf(record);
    if (time && (!latest || *time > *latest)) latest = time;
  }
  return EditEntry(
      image, plan, random, [&](const Place& place) { return latest && place.time < *latest; },
      [&](IndexEntries& index, const Place& place) {
        std::vector<std::uint64_t> behind;
        for (std::size_t i = 0; i < plan.meta.size(); ++i) {
          const std::optional<Timestamp> time = TimeOf(plan.meta[i]);
          if (!behind.empty() || (time && *time > place.time))
            behind.push_back(index.OffsetsOf(kMetaPart)[i + 1]);
        }
        index.entries[place.entry].meta_offset = random.Pick(behind);
      });
}

// The first entry leaves out metadata, though none that is later (ARC-1920).
NotApplicable MetaOffsetOfFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  std::vector<std::uint64_t> offsets;
  const auto wanted = [](const Place& place) { return place.exists && place.entry == 0; };
  NotApplicable lack =
      EditEntry(image, plan, random, wanted, [&](IndexEntries& index, const Place& place) {
        const archive::IndexEntryModel* behind = index.Behind(place);
        for (std::size_t i = 0; i < plan.meta.size(); ++i) {
          const std::size_t end = index.OffsetsOf(kMetaPart)[i + 1];
          const std::optional<Timestamp> time = TimeOf(plan.meta[i]);
          if ((time && *time > place.time) || (behind != nullptr && end > behind->meta_offset))
            break;
          offsets.push_back(end);
        }
        if (!offsets.empty()) index.entries[0].meta_offset = random.Pick(offsets);
      });
  if (!lack && offsets.empty()) return "it has no metadata between its first two entries";
  return lack;
}

NotApplicable DataOffsetsSwapped(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const archive::IndexEntryModel* before = index.Before(wanted);
    return before != nullptr && before->volume == wanted.volume &&
           before->data_offset < index.OffsetOf(wanted);
  });
  if (!place) return "its index has no two entries for one volume";
  std::swap(index.entries[place->entry - 1].data_offset, index.entries[place->entry].data_offset);
  index.Store();
  return std::nullopt;
}

// To a record in front of that of the entry before.
NotApplicable DataOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const archive::IndexEntryModel* before = index.Before(wanted);
    return wanted.spare && before != nullptr && before->volume == wanted.volume &&
           before->data_offset > LabelSize(plan);
  });
  if (!place) return "its index has no entry after one that is after the first record";
  const std::vector<std::size_t>& records = index.OffsetsOf(place->volume);
  const auto end =
      std::lower_bound(records.begin(), records.end(), index.Before(*place)->data_offset);
  index.entries[place->entry].data_offset =
      records[random.Below(static_cast<std::uint64_t>(end - records.begin()))];
  index.Store();
  return std::nullopt;
}

// To the end of the record, where most other entries point to the start of theirs.
NotApplicable DataOffsetOfNext(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.spare && index.Before(wanted) != nullptr && index.Behind(wanted) != nullptr &&
           wanted.record + 1 < plan.volumes.at(wanted.volume).size() &&
           index.TimeOf(wanted.volume, wanted.record + 1) > wanted.time + kMillisecond;
  });
  if (!place) return "no entry of its index stands between two others and in front of a record";
  index.entries[place->entry].data_offset = index.OffsetsOf(place->volume)[place->record + 1];
  // Entries at the ends of records are right where they are the rule (ARC-454).
  const auto at_ends = [&] {
    std::int64_t more = 0;
    for (std::size_t i = 1; i < index.entries.size(); ++i) {
      const archive::IndexEntryModel& entry = index.entries[i];
      const auto results = plan.volumes.find(entry.volume);
      if (results == plan.volumes.end()) continue;
      const std::vector<std::size_t>& offsets = index.OffsetsOf(entry.volume);
      const auto found = std::lower_bound(offsets.begin(), offsets.end(), entry.data_offset);
      if (found == offsets.end() || *found != entry.data_offset) continue;
      const auto record = static_cast<std::size_t>(found - offsets.begin());
      if (record < results->second.size() && index.TimeOf(entry.volume, record) == entry.time)
        --more;
      if (record > 0 && index.TimeOf(entry.volume, record - 1) == entry.time) ++more;
    }
    return more > 0;
  };
  while (at_ends()) {
    if (!index.Add(random)) return "most entries of its index point to the ends of their records";
  }
  index.Store();
  return std::nullopt;
}

NotApplicable DataOffsetOfEarlier(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  // The records that the entry can point to without going back after the one before. None of those
  // that have the time of a mark or record beside them.
  const auto records = [&](const Place& place) {
    std::vector<std::size_t> found;
    const archive::IndexEntryModel* before = index.Before(place);
    const std::vector<std::size_t>& offsets = index.OffsetsOf(place.volume);
    for (std::size_t i = place.record; i > 0; --i) {
      if (before != nullptr && before->volume == place.volume &&
          offsets[i - 1] < before->data_offset)
        break;
      if (!plan.volumes.at(place.volume)[i - 1].sets.empty() &&
          (i < 2 || index.TimeOf(place.volume, i - 2) < index.TimeOf(place.volume, i - 1)))
        found.push_back(i - 1);
    }
    return found;
  };
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.spare && wanted.entry != 0 && !records(wanted).empty();
  });
  if (!place) return "its index has no entry with a record in front of it";
  const std::vector<std::size_t> found = records(*place);
  index.entries[place->entry].data_offset = index.OffsetsOf(place->volume)[random.Pick(found)];
  index.Store();
  return std::nullopt;
}

// After a record that is later than the entry.
NotApplicable DataOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  // Records that begin after a later one, as far as the next entry allows.
  const auto records = [&](const Place& place) {
    std::vector<std::size_t> found;
    const archive::IndexEntryModel* behind = index.Behind(place);
    const auto& results = plan.volumes.at(place.volume);
    for (std::size_t i = place.record + 2; i < results.size(); ++i) {
      if (behind != nullptr && behind->volume == place.volume &&
          index.OffsetsOf(place.volume)[i] > behind->data_offset)
        break;
      if (!results[i].sets.empty() && !results[i - 1].sets.empty() &&
          index.TimeOf(place.volume, i - 1) > place.time + kMillisecond)
        found.push_back(i);
    }
    return found;
  };
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.spare && wanted.entry != 0 && !records(wanted).empty();
  });
  if (!place) return "its index has no entry with two records between it and the next one";
  const std::vector<std::size_t> found = records(*place);
  index.entries[place->entry].data_offset = index.OffsetsOf(place->volume)[random.Pick(found)];
  index.Store();
  return std::nullopt;
}

NotApplicable FinalEntryAtEnd(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return index.Behind(wanted) == nullptr && index.Before(wanted) != nullptr &&
           wanted.record > 0 && wanted.volume == plan.volumes.rbegin()->first &&
           wanted.record + 1 == plan.volumes.at(wanted.volume).size();
  });
  if (!place) return "its last record is a mark, or the first one of its volume";
  index.entries[place->entry].data_offset = index.OffsetsOf(place->volume).back();
  index.Store();
  return std::nullopt;
}

}  // namespace pmproof::generators
