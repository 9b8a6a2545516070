// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.10: the temporal index.

#include "generators/mutations/index_mutations.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/volumes.h"

namespace pmproof::generators {
namespace {

using archive::IndexEntryModel;
using archive::Part;
using Place = IndexEntries::Place;

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

// As far as times go in the archive.
bool Fits(Timestamp time, const ArchivePlan& plan) {
  return plan.label.version == 3 || time.seconds <= std::numeric_limits<std::int32_t>::max();
}

std::uint64_t InLabel(const ArchivePlan& plan, Random& random) {
  return 1 + random.Below(archive::LayoutOf(plan.label.version).label - 1);
}

// Inside the record of a file at `offset`, or the last one if there is none.
std::uint64_t InRecord(const std::vector<std::size_t>& offsets, std::uint64_t offset,
                       Random& random) {
  auto next = std::upper_bound(offsets.begin(), offsets.end() - 1, offset);
  const std::uint64_t begin = *(next - 1);
  return begin + 1 + random.Below(*next - begin - 1);
}

NotApplicable TwoVolumes(ArchivePlan& plan, Random& random) {
  return plan.has_index ? DivideInto(plan, 2, random) : kNoIndex;
}

// The last entry of one volume and the first one of the next change places.
NotApplicable VolumesSwapped(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const IndexEntryModel* before = index.Before(wanted);
    return wanted.entry > 1 && before->volume < wanted.volume && index.IsSpare([&](std::size_t i) {
      return i + 1 == wanted.entry || (wanted.exists && i == wanted.entry);
    });
  });
  if (!place) return "no volume but the first begins after two entries of the index";
  std::swap(index.entries[place->entry - 1], index.entries[place->entry]);
  index.Store();
  return std::nullopt;
}

// An entry after the first one of its volume gets the number of the volume before.
NotApplicable VolumeGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const IndexEntryModel* before = index.Before(wanted);
    return before != nullptr && before->volume == wanted.volume &&
           wanted.volume != plan.volumes.begin()->first && index.IsSpare([&](std::size_t i) {
             return i + 1 == wanted.entry || (wanted.exists && i == wanted.entry);
           });
  });
  if (!place) return "no volume but the first has two entries in the index";
  index.entries[place->entry].volume = std::prev(plan.volumes.find(place->volume))->first;
  index.Store();
  return std::nullopt;
}

NotApplicable BeforeTheStart(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::int64_t start = plan.label.start.seconds;
  if (start < 1) return "it begins with 1970";
  return EditEntry(image, plan, random, AnyEntry, [&](IndexEntries& index, const Place& place) {
    index.entries[place.entry].time.seconds =
        start - random.Between(1, std::min<std::int64_t>(start, 1000));
  });
}

NotApplicable LaterThanTheNext(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const std::int64_t by = random.Between(1, 1'000'000) * kMillisecond;
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const IndexEntryModel* behind = index.Behind(wanted);
    return wanted.entry > 0 && behind != nullptr && Fits(behind->time + by, plan);
  });
  if (!place) return "its index has no entry between two others";
  index.entries[place->entry].time = index.Behind(*place)->time + by;
  index.Store();
  return std::nullopt;
}

NotApplicable EarlierThanTheOneBefore(ArchiveImage& image, const ArchivePlan& plan,
                                      Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.entry > 1 && index.Before(wanted)->time > plan.label.start;
  });
  if (!place) return "its index has no entry after two others";
  const std::int64_t microseconds =
      NanosecondsBetween(plan.label.start, index.Before(*place)->time) / kMicrosecond;
  index.entries[place->entry].time =
      plan.label.start + random.Between(0, microseconds - 1) * kMicrosecond;
  index.Store();
  return std::nullopt;
}

// Not where metadata came with the record: they would be after the entry (ARC-1336).
NotApplicable ALittleLate(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const std::int64_t by = random.Between(1, 1000) * kMicrosecond;
  const auto place = index.Pick(random, [&](const Place& wanted) {
    const IndexEntryModel* behind = index.Behind(wanted);
    const std::uint64_t next =
        behind == nullptr ? index.OffsetsOf(archive::kMetaPart).back() : behind->meta_offset;
    return wanted.exists && wanted.entry > 0 && Fits(wanted.time + by, plan) &&
           index.entries[wanted.entry].meta_offset == next &&
           (behind == nullptr || wanted.time + by < behind->time);
  });
  if (!place) return "metadata stands after each entry of its index but the first one";
  index.entries[place->entry].time = place->time + by;
  index.Store();
  return std::nullopt;
}

// Not where metadata in front of the entry would be later (ARC-1920).
NotApplicable ALittleEarly(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const std::int64_t by = random.Between(1, 1000) * kMicrosecond;
  const auto later_in_front = [&](const Place& place) {
    const std::vector<std::size_t>& offsets = index.OffsetsOf(archive::kMetaPart);
    for (std::size_t i = 0; i < plan.meta.size(); ++i) {
      if (offsets[i] >= index.entries[place.entry].meta_offset) break;
      const std::optional<Timestamp> time = TimeOf(plan.meta[i]);
      if (time && *time + by > place.time) return true;
    }
    return false;
  };
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.exists && wanted.entry > 0 && wanted.record > 0 &&
           index.Before(wanted)->time + by < wanted.time &&
           index.TimeOf(wanted.volume, wanted.record - 1) + by < wanted.time &&
           !later_in_front(wanted);
  });
  if (!place) return "its index has no entry with enough time between its record and that before";
  index.entries[place->entry].time = place->time + -by;
  index.Store();
  return std::nullopt;
}

NotApplicable LaterThanTheLastRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  Timestamp latest;
  for (const ResultPlace& place : Results(plan))
    latest = std::max(latest, index.TimeOf(place.volume, place.record));
  latest = latest + (random.Between(0, 1000) * kSecond + 2 * kMillisecond);
  if (!Fits(latest, plan)) return "it reaches up to the end of time";
  const auto place = index.Pick(random, [&](const Place& wanted) {
    return wanted.entry > 0 && index.Behind(wanted) == nullptr;
  });
  if (!place) return "the last entry of its index does not stand for a record";
  index.entries[place->entry].time = latest;
  index.entries[place->entry].meta_offset = index.OffsetsOf(archive::kMetaPart).back();
  index.Store();
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1901"_clause,
     .edit = "bytes that are not a whole entry are added at the end of the index",
     .image = PartOfAnEntry},
    {.rule = "ARC-1902"_clause,
     .edit = "the volume of an index entry is negative",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace&, Random& random) {
                         entry.volume = -1 - static_cast<Part>(random.Below(1000));
                       }>},
    {.rule = "ARC-1903"_clause,
     .edit = "the volume of an index entry is one that does not exist",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.volume = at.plan.volumes.rbegin()->first + 1 +
                                        static_cast<Part>(random.Below(1000));
                       }>},
    {.rule = "ARC-1904"_clause,
     .edit = "index entries of two volumes change places",
     .plan = TwoVolumes,
     .image = VolumesSwapped},
    {.rule = "ARC-1904"_clause,
     .edit = "the volume of an index entry is the one before",
     .plan = TwoVolumes,
     .image = VolumeGoesBack},
    {.rule = "ARC-1905"_clause,
     .edit = "the seconds of an index entry are negative",
     .image =
         SetEntry<AnyEntry, [](IndexEntryModel& entry, const EntryPlace&,
                               Random& random) { entry.time.seconds = -random.Between(1, 1000); }>},
    {.rule = "ARC-1906"_clause,
     .edit = "the fraction of an index entry is a second or more",
     .image = SetEntry<AnyEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         const std::int64_t least =
                             at.plan.label.version == 3 ? 1'000'000'000 : 1'000'000;
                         entry.fraction = static_cast<std::int32_t>(
                             random.Between(least, std::numeric_limits<std::int32_t>::max()));
                       }>},
    {.rule = "ARC-1906"_clause,
     .edit = "the fraction of an index entry is negative",
     .image = SetEntry<AnyEntry,
                       [](IndexEntryModel& entry, const EntryPlace&, Random& random) {
                         entry.fraction = -static_cast<std::int32_t>(random.Between(1, 1'000'000));
                       }>},
    {.rule = "ARC-1907"_clause,
     .edit = "an index entry is earlier than the start of the archive",
     .image = BeforeTheStart},
    {.rule = "ARC-1908"_clause,
     .edit = "an index entry is later than the next one",
     .image = LaterThanTheNext},
    {.rule = "ARC-1908"_clause,
     .edit = "an index entry is earlier than the one before",
     .image = EarlierThanTheOneBefore},
    {.rule = "ARC-1909"_clause, .edit = "an index entry is repeated", .image = Repeated},
    {.rule = "ARC-1910"_clause,
     .edit = "the .meta offset of an index entry lies in the label",
     .image =
         SetEntry<AnyEntry, [](IndexEntryModel& entry, const EntryPlace& at,
                               Random& random) { entry.meta_offset = InLabel(at.plan, random); }>},
    {.rule = "ARC-1911"_clause,
     .edit = "the .meta offset of an index entry lies after the end of .meta",
     .image = SetEntry<AnyEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.meta_offset = at.index.OffsetsOf(archive::kMetaPart).back() + 1 +
                                             random.Below(1'000'000);
                       }>},
    {.rule = "ARC-1912"_clause,
     .edit = "the .meta offset of an index entry is less than that of the one before",
     .image = MetaOffsetGoesBack},
    {.rule = "ARC-1913"_clause,
     .edit = "the .meta offset of an index entry lies inside a record",
     .image = SetEntry<AnyEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.meta_offset = InRecord(at.index.OffsetsOf(archive::kMetaPart),
                                                      entry.meta_offset, random);
                       }>},
    {.rule = "ARC-1914"_clause,
     .edit = "the data offset of an index entry lies in the label",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.data_offset = InLabel(at.plan, random);
                       }>},
    {.rule = "ARC-1915"_clause,
     .edit = "the data offset of an index entry lies after the end of the volume",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.data_offset = at.index.OffsetsOf(at.place.volume).back() + 1 +
                                             random.Below(1'000'000);
                       }>},
    {.rule = "ARC-1915"_clause,
     .edit = "an index entry is added for a record after the last one",
     .image = EntryForMissingRecord},
    {.rule = "ARC-1916"_clause,
     .edit = "two index entries of a volume swap their data offsets",
     .image = DataOffsetsSwapped},
    {.rule = "ARC-1916"_clause,
     .edit = "the data offset of an index entry is less than that of the one before",
     .image = DataOffsetGoesBack},
    {.rule = "ARC-1917"_clause,
     .edit = "the data offset of an index entry lies inside a record",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace& at, Random& random) {
                         entry.data_offset = InRecord(at.index.OffsetsOf(at.place.volume),
                                                      entry.data_offset, random);
                       }>},
    {.rule = "ARC-1918"_clause,
     .edit = "an index entry points to the record after its own",
     .image = DataOffsetOfNext},
    {.rule = "ARC-1918"_clause,
     .edit = "an index entry points to a record before its own",
     .image = DataOffsetOfEarlier},
    {.rule = "ARC-1918"_clause,
     .edit = "an index entry is up to a millisecond later than its record",
     .image = ALittleLate},
    {.rule = "ARC-1918"_clause,
     .edit = "an index entry is up to a millisecond earlier than its record",
     .image = ALittleEarly},
    {.rule = "ARC-1919"_clause,
     .edit = "an index entry points after records that are later",
     .image = DataOffsetBehindLater},
    {.rule = "ARC-1920"_clause,
     .edit = "the .meta offset of an index entry lies after metadata that is later",
     .image = MetaOffsetBehindLater},
    {.rule = "ARC-1921"_clause,
     .edit = "the first index entry is left out",
     .image = WithoutTheFirst},
    {.rule = "ARC-1921"_clause,
     .edit = "the .meta offset of the first index entry is after the first record",
     .image = MetaOffsetOfFirst},
    {.rule = "ARC-1922"_clause,
     .edit = "the last index entry is left out",
     .image = WithoutTheLast},
    {.rule = "ARC-1923"_clause,
     .edit = "the first index entry of a volume is left out",
     .plan = TwoVolumes,
     .image = WithoutAVolumesFirst},
    {.rule = "ARC-1924"_clause,
     .edit = "the last index entry is later than the last record",
     .image = LaterThanTheLastRecord},
    {.rule = "ARC-1925"_clause,
     .edit = "two records of 250 kB are without an index entry between them",
     .plan = FarApart},
    {.rule = "ARC-1926"_clause,
     .edit = "the data offset of an index entry is 0",
     .image = SetEntry<SpareEntry, [](IndexEntryModel& entry, const EntryPlace&,
                                      Random&) { entry.data_offset = 0; }>},
    {.rule = "ARC-1926"_clause,
     .edit = "the .meta offset of an index entry is 0",
     .image = SetEntry<AnyEntry, [](IndexEntryModel& entry, const EntryPlace&,
                                    Random&) { entry.meta_offset = 0; }>},
    {.rule = "ARC-1926"_clause,
     .edit = "both offsets of an index entry are 0",
     .image = SetEntry<SpareEntry,
                       [](IndexEntryModel& entry, const EntryPlace&, Random&) {
                         entry.meta_offset = 0;
                         entry.data_offset = 0;
                       }>},
    {.rule = "ARC-1926"_clause, .edit = "an entry of zeros is put into the index", .image = Zeros},
    {.rule = "ARC-1927"_clause,
     .edit = "the last index entry points to the end of the volume",
     .image = FinalEntryAtEnd},
};

}  // namespace

std::span<const Mutation> IndexMutations() { return kMutations; }

}  // namespace pmproof::generators
