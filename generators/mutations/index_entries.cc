// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/index_entries.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/encode.h"
#include "reference/archive/file_set.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::IndexEntryModel;
using archive::Part;

// Farther apart than this entries are reported (ARC-1925).
constexpr std::uint64_t kLongDistance = 200'000;

std::pair<Part, std::uint64_t> DataPlaceOf(const IndexEntryModel& entry) {
  return {entry.volume, entry.data_offset};
}

}  // namespace

IndexEntries::IndexEntries(ArchiveImage& image, const ArchivePlan& plan)
    : image_(image), plan_(plan), layout_(archive::LayoutOf(plan.label.version)) {
  const archive::Buffer& content = image.files.at("index");
  for (std::size_t at = layout_.label; at + layout_.index_entry <= content.size();
       at += layout_.index_entry) {
    entries.push_back(archive::DecodeIndexEntry(Bytes(content).subspan(at, layout_.index_entry),
                                                layout_.version));
  }
  const auto read = [this](Part part) {
    const std::string suffix = archive::PartSuffix(part);
    std::vector<std::size_t> offsets = image_.Records(suffix);
    offsets.erase(offsets.begin());
    offsets.push_back(image_.files.at(suffix).size());
    offsets_[part] = std::move(offsets);
  };
  read(archive::kMetaPart);
  for (const auto& [volume, results] : plan.volumes) read(volume);
  FindPlaces();
}

void IndexEntries::Store() const {
  archive::Buffer& content = image_.files.at("index");
  content.resize(layout_.label);
  for (const IndexEntryModel& entry : entries)
    archive::AppendIndexEntry(entry, layout_.version, &content);
}

Timestamp IndexEntries::TimeOf(Part volume, std::size_t record) const {
  Timestamp time = plan_.volumes.at(volume).at(record).time;
  if (layout_.version == 2) time.nanoseconds -= time.nanoseconds % 1000;
  return time;
}

std::pair<Part, std::size_t> IndexEntries::LastRecord() const {
  for (auto volume = plan_.volumes.rbegin(); volume != plan_.volumes.rend(); ++volume) {
    for (std::size_t i = volume->second.size(); i > 0; --i) {
      if (!volume->second[i - 1].sets.empty()) return {volume->first, i - 1};
    }
  }
  return {plan_.volumes.begin()->first, 0};
}

const IndexEntryModel* IndexEntries::Before(const Place& place) const {
  return place.entry == 0 ? nullptr : &entries[place.entry - 1];
}

const IndexEntryModel* IndexEntries::Behind(const Place& place) const {
  const std::size_t next = place.exists ? place.entry + 1 : place.entry;
  return next < entries.size() ? &entries[next] : nullptr;
}

void IndexEntries::FindPlaces() {
  struct Found {
    std::size_t count = 0;
    std::size_t entry = 0;
  };
  std::map<std::pair<Part, std::uint64_t>, Found> at_offset;
  std::map<Timestamp, std::size_t> with_time;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Found& found = at_offset[DataPlaceOf(entries[i])];
    ++found.count;
    found.entry = i;
    ++with_time[entries[i].time];
  }
  const bool can_add =
      !HasEntriesAtEnds(plan_) &&
      std::is_sorted(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return DataPlaceOf(a) < DataPlaceOf(b); });

  std::vector<Place> records;
  for (const auto& [volume, results] : plan_.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i)
      records.push_back({volume, i, TimeOf(volume, i)});
  }
  std::optional<Timestamp> latest;
  places_.clear();
  for (std::size_t k = 0; k < records.size(); ++k) {
    Place place = records[k];
    const archive::ResultModel& result = plan_.volumes.at(place.volume)[place.record];
    const bool clear = !result.sets.empty() && !result.fraction &&
                       (!latest || *latest < place.time) &&
                       (k + 1 == records.size() || place.time < records[k + 1].time);
    latest = latest ? std::max(*latest, place.time) : place.time;
    if (!clear) continue;
    const auto found = at_offset.find({place.volume, OffsetOf(place)});
    const auto times = with_time.find(place.time);
    const std::size_t same_time = times == with_time.end() ? 0 : times->second;
    if (found != at_offset.end() && found->second.count == 1 && same_time == 1) {
      place.entry = found->second.entry;
      place.exists = true;
      place.spare = IsSpare(place.entry);
      if (entries[place.entry].time != place.time) continue;
    } else if (found == at_offset.end() && same_time == 0 && can_add) {
      const auto next = std::upper_bound(
          entries.begin(), entries.end(),
          std::pair<Part, std::uint64_t>(place.volume, OffsetOf(place)),
          [](const auto& value, const auto& entry) { return value < DataPlaceOf(entry); });
      place.entry = static_cast<std::size_t>(next - entries.begin());
      place.spare = true;
      if (place.entry == 0) continue;  // the first entry is missing, or odd
    } else {
      continue;
    }
    if (IsPlain(place)) places_.push_back(place);
  }
}

// The entry agrees with its neighbours, and the first one stands for the first record.
bool IndexEntries::IsPlain(const Place& place) const {
  const IndexEntryModel* before = Before(place);
  const IndexEntryModel* behind = Behind(place);
  if (before != nullptr && (before->time >= place.time || before->volume > place.volume))
    return false;
  if (behind != nullptr && (behind->time <= place.time || behind->volume < place.volume))
    return false;
  if (!place.exists) return true;
  const IndexEntryModel& entry = entries[place.entry];
  if (entry.fraction) return false;
  if (before == nullptr)
    return entry.time == plan_.label.start && entry.meta_offset == layout_.label &&
           place.record == 0 && place.volume == plan_.volumes.begin()->first;
  const std::vector<std::size_t>& meta = offsets_.at(archive::kMetaPart);
  return std::binary_search(meta.begin(), meta.end(), entry.meta_offset) &&
         before->meta_offset <= entry.meta_offset &&
         (behind == nullptr || entry.meta_offset <= behind->meta_offset);
}

bool IndexEntries::IsSpare(std::size_t entry) const {
  const IndexEntryModel& own = entries[entry];
  std::uint64_t from = layout_.label;
  std::uint64_t to = offsets_.at(own.volume).back();
  if (entry > 0 && entries[entry - 1].volume == own.volume) from = entries[entry - 1].data_offset;
  if (entry + 1 < entries.size() && entries[entry + 1].volume == own.volume)
    to = entries[entry + 1].data_offset;
  return to <= from + kLongDistance;
}

bool IndexEntries::IsSpare(const std::function<bool(std::size_t entry)>& removed) const {
  for (const auto& [part, offsets] : offsets_) {
    if (part == archive::kMetaPart) continue;
    std::uint64_t from = layout_.label;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].volume != part || removed(i)) continue;
      if (entries[i].data_offset > from + kLongDistance) return false;
      from = entries[i].data_offset;
    }
    if (offsets.back() > from + kLongDistance) return false;
  }
  return true;
}

// In front of the metadata that is later than the record, and between what the neighbours say.
std::uint64_t IndexEntries::MetaOffsetAt(const Place& place) const {
  const std::vector<std::size_t>& offsets = offsets_.at(archive::kMetaPart);
  const std::uint64_t least = entries[place.entry - 1].meta_offset;
  const std::uint64_t most =
      place.entry < entries.size() ? entries[place.entry].meta_offset : offsets.back();
  std::uint64_t offset = least;
  for (std::size_t i = 0; i < plan_.meta.size(); ++i) {
    if (offsets[i] < least) continue;
    const std::optional<Timestamp> time = pmproof::generators::TimeOf(plan_.meta[i]);
    if (offsets[i + 1] > most || (time && *time > place.time)) break;
    offset = offsets[i + 1];
  }
  return offset;
}

void IndexEntries::Insert(Place& place) {
  entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(place.entry),
                 {place.time, place.volume, MetaOffsetAt(place), OffsetOf(place)});
  place.exists = true;
  FindPlaces();
}

std::optional<IndexEntries::Place> IndexEntries::Pick(Random& random, const Wanted& wanted) {
  std::vector<Place> with_entry;
  std::vector<Place> without;
  for (const Place& place : places_) {
    if (wanted(place)) (place.exists ? with_entry : without).push_back(place);
  }
  if (!with_entry.empty()) return random.Pick(with_entry);
  if (without.empty()) return std::nullopt;
  Place place = random.Pick(without);
  Insert(place);
  return place;
}

bool IndexEntries::Add(Random& random) {
  std::vector<Place> without;
  std::copy_if(places_.begin(), places_.end(), std::back_inserter(without),
               [](const Place& place) { return !place.exists; });
  if (without.empty()) return false;
  Insert(random.Pick(without));
  return true;
}

}  // namespace pmproof::generators
