// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.10 for which entries are added or left out.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/index_mutations.h"

namespace pmproof::generators {

using archive::IndexEntryModel;
using archive::LayoutOf;
using archive::Part;

namespace {

constexpr char kFinalAtEnd[] = "its last entry points to the end of its record, and must stay last";

}  // namespace

NotApplicable PartOfAnEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  std::string bytes(1 + random.Below(LayoutOf(plan.label.version).index_entry - 1), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
  image.Append("index", bytes);
  return std::nullopt;
}

NotApplicable Repeated(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return EditEntry(image, plan, random, AnyEntry,
                   [](IndexEntries& index, const IndexEntries::Place& place) {
                     const IndexEntryModel entry = index.entries[place.entry];
                     index.entries.insert(
                         index.entries.begin() + static_cast<std::ptrdiff_t>(place.entry), entry);
                   });
}

// An entry after all others, for a record that would follow the last one.
NotApplicable EntryForMissingRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return "it has no temporal index";
  IndexEntries index(image, plan);
  if (index.entries.empty()) return "its index has no entry";
  const archive::Part volume = plan.volumes.rbegin()->first;
  const std::size_t records = plan.volumes.at(volume).size();
  if (records == 0) return "its last volume has no record";
  const archive::IndexEntryModel last = index.entries.back();
  const Timestamp end = index.TimeOf(volume, records - 1);
  if (last.time > end || last.volume > volume) return "its last entry is later than its data";
  if (IsAtEnd(plan, plan.index.back())) return kFinalAtEnd;
  constexpr std::int64_t kMillisecond = 1'000'000;
  index.entries.push_back({end + kMillisecond * (2 + 1000 * random.Between(0, 999)), volume,
                           index.OffsetsOf(archive::kMetaPart).back(),
                           index.OffsetsOf(volume).back()});
  index.Store();
  return std::nullopt;
}

NotApplicable WithoutTheFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  if (index.entries.size() < 2 && !index.Add(random)) return "its index has no two entries";
  if (!index.IsSpare([](std::size_t i) { return i == 0; }))
    return "its first entry is needed, for the second one is far away";
  index.entries.erase(index.entries.begin());
  index.Store();
  return std::nullopt;
}

NotApplicable WithoutTheLast(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto [volume, record] = index.LastRecord();
  const std::uint64_t offset = index.OffsetsOf(volume).at(record);
  const auto at_last = [&, last = volume](const IndexEntryModel& entry) {
    return entry.volume > last || (entry.volume == last && entry.data_offset >= offset);
  };
  if (index.entries.empty() || !at_last(index.entries.back()))
    return "its last entry does not stand for the last record";
  if (record == 0) return "its last record is the first one of its volume";
  if (std::count_if(index.entries.begin(), index.entries.end(), at_last) ==
          std::ssize(index.entries) &&
      !index.Add(random))
    return "its index has no entry but for the last record";
  if (!index.IsSpare([&](std::size_t i) { return at_last(index.entries[i]); }))
    return "its last entry is needed, for the one before is far away";
  while (!index.entries.empty() && at_last(index.entries.back())) index.entries.pop_back();
  if (index.entries.empty()) return "its index has no entry but for the last record";
  index.Store();
  return std::nullopt;
}

NotApplicable WithoutAVolumesFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  IndexEntries index(image, plan);
  const auto [last_volume, last_record] = index.LastRecord();
  std::vector<Part> volumes;
  for (const auto& [volume, results] : plan.volumes) {
    const auto stands = [&, number = volume](std::size_t i) {
      return index.entries[i].volume == number &&
             index.entries[i].data_offset == index.OffsetsOf(number).front();
    };
    // The entry of the last record stays (ARC-1922).
    if (results.empty() || volume == plan.volumes.begin()->first ||
        (volume == last_volume && last_record == 0) || !index.IsSpare(stands))
      continue;
    for (std::size_t i = 0; i < index.entries.size(); ++i) {
      if (!stands(i)) continue;
      volumes.push_back(volume);
      break;
    }
  }
  if (volumes.empty()) return "it has no volume whose first entry can be left out";
  const Part volume = random.Pick(volumes);
  std::erase_if(index.entries, [&](const IndexEntryModel& entry) {
    return entry.volume == volume && entry.data_offset == index.OffsetsOf(volume).front();
  });
  index.Store();
  return std::nullopt;
}

// Two neighbouring records grow, and the second one has no entry.
NotApplicable FarApart(ArchivePlan& plan, Random& random) {
  constexpr std::size_t kSize = 250'000;
  if (!plan.has_index) return kNoIndex;
  std::vector<ResultPlace> data = Results(plan);
  std::erase_if(data, [&](const ResultPlace& place) { return At(plan, place).sets.empty(); });
  std::vector<ResultPlace> places;
  for (std::size_t i = 1; i + 2 < data.size(); ++i) {
    if (data[i].volume == data[i + 1].volume && data[i].record + 1 == data[i + 1].record)
      places.push_back(data[i]);
  }
  if (places.empty()) return "it has no two records between its first and its last one";
  const ResultPlace first = random.Pick(places);
  archive::DescModel desc = FreshDesc(plan, random);
  desc.descriptor.type = MetricType::kAggregate;
  desc.descriptor.semantics = Semantics::kInstant;
  desc.descriptor.units = {};
  for (const std::size_t record : {first.record, first.record + 1}) {
    At(plan, ResultPlace{first.volume, record})
        .sets.push_back(
            {desc.descriptor.pmid,
             archive::kDynamic,
             {{kInstanceNull, archive::BlockModel{static_cast<std::uint8_t>(MetricType::kAggregate),
                                                  std::string(kSize, 'x'), std::nullopt}}},
             0});
  }
  InsertDesc(plan, desc, At(plan, first).time, random);
  std::erase_if(plan.index, [&](const PlannedIndexEntry& entry) {
    return entry.volume == first.volume && entry.data_record == first.record + 1;
  });
  return std::nullopt;
}

NotApplicable Zeros(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  if (!plan.has_index || plan.index.empty()) return kNoIndex;
  if (IsAtEnd(plan, plan.index.back())) return kFinalAtEnd;
  const archive::Layout& layout = LayoutOf(plan.label.version);
  const std::size_t entries = (image.files.at("index").size() - layout.label) / layout.index_entry;
  image.Insert("index", layout.label + layout.index_entry * (1 + random.Below(entries)),
               std::string(layout.index_entry, '\0'));
  return std::nullopt;
}

}  // namespace pmproof::generators
