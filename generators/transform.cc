// Volumes, index and compression. What changes records is in transform_records.cc.

#include "generators/transform.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "reference/archive/compressing_output.h"
#include "reference/archive/output_storage.h"

namespace pmproof::generators {
namespace {

std::optional<Timestamp> TimeOf(const archive::MetaRecordModel& record) {
  if (const auto* indom = std::get_if<archive::IndomModel>(&record)) return indom->time;
  if (const auto* labels = std::get_if<archive::LabelRecordModel>(&record)) return labels->time;
  return std::nullopt;
}

// Where the metadata begin that may have been written together with a record of that time
// (ARC-454): behind the last that is earlier.
std::size_t MetaInFrontOf(const ArchivePlan& plan, Timestamp time) {
  std::size_t position = plan.meta.size();
  for (; position > 0; --position) {
    const std::optional<Timestamp> before = TimeOf(plan.meta[position - 1]);
    if (before && *before < time) break;
  }
  return position;
}

bool IsMark(const archive::ResultModel& result) { return result.sets.empty(); }

bool HasEntry(const ArchivePlan& plan, archive::Part volume, std::size_t record) {
  return std::ranges::any_of(plan.index, [&](const PlannedIndexEntry& entry) {
    return entry.volume == volume && entry.data_record == record;
  });
}

// Puts an entry for a record where it belongs.
void AddEntry(ArchivePlan& plan, archive::Part volume, std::size_t record) {
  const Timestamp time = plan.volumes.at(volume)[record].time;
  const auto behind =
      std::find_if(plan.index.begin(), plan.index.end(), [&](const PlannedIndexEntry& entry) {
        return entry.volume > volume || (entry.volume == volume && entry.data_record > record);
      });
  PlannedIndexEntry entry{time, volume, MetaInFrontOf(plan, time), record};
  // The neighbours may know more exactly where the metadata are (ARC-1912).
  if (behind != plan.index.end())
    entry.meta_record = std::min(entry.meta_record, behind->meta_record);
  if (behind != plan.index.begin())
    entry.meta_record = std::max(entry.meta_record, std::prev(behind)->meta_record);
  plan.index.insert(behind, entry);
}

}  // namespace

ArchivePlan SplitIntoVolumes(const ArchivePlan& plan, const std::set<std::size_t>& starts) {
  ArchivePlan split = plan;
  split.volumes.clear();
  if (plan.volumes.empty()) return split;
  const archive::Part first = plan.volumes.begin()->first;
  std::erase_if(split.labels,
                [first](const auto& label) { return label.first >= 0 && label.first != first; });

  struct Place {
    archive::Part volume;
    std::size_t record;
  };
  std::vector<Place> places;                    // by the number of the record
  std::map<archive::Part, std::size_t> begins;  // the number of each old volume's first one
  archive::Part volume = first;
  for (const auto& [part, results] : plan.volumes) {
    begins[part] = places.size();
    for (const archive::ResultModel& result : results) {
      if (!places.empty() && starts.contains(places.size())) ++volume;
      places.push_back({volume, split.volumes[volume].size()});
      split.volumes[volume].push_back(result);
    }
  }
  split.volumes[first];  // there is a volume even if there is no record

  for (PlannedIndexEntry& entry : split.index) {
    const auto begin = begins.find(entry.volume);
    if (begin == begins.end() || places.empty()) continue;
    const std::size_t number = begin->second + entry.data_record;
    const bool at_end = entry.data_record >= plan.volumes.at(entry.volume).size();
    const Place& place =
        places[std::min(at_end && number > 0 ? number - 1 : number, places.size() - 1)];
    entry.volume = place.volume;
    entry.data_record = place.record + (at_end ? 1 : 0);
  }
  if (!plan.has_index || plan.index.empty()) return split;
  for (const auto& [part, results] : split.volumes) {
    if (results.empty() || IsMark(results.front()) || HasEntry(split, part, 0)) continue;
    AddEntry(split, part, 0);
  }
  return split;
}

ArchivePlan MergeVolumes(const ArchivePlan& plan) { return SplitIntoVolumes(plan, {}); }

ArchivePlan DropIndex(ArchivePlan plan) {
  plan.has_index = false;
  plan.index.clear();
  plan.labels.erase(archive::kIndexPart);
  return plan;
}

ArchivePlan IndexEvery(ArchivePlan plan, std::size_t step) {
  plan.has_index = true;
  plan.index.clear();
  struct Last {
    archive::Part volume;
    std::size_t record;
  };
  std::optional<Last> last;
  const auto add = [&plan](archive::Part volume, std::size_t record) {
    if (!plan.index.empty() && plan.index.back().time == plan.volumes.at(volume)[record].time)
      return;
    AddEntry(plan, volume, record);
    if (plan.index.size() == 1) plan.index.front().meta_record = 0;  // ARC-1921
  };
  std::size_t number = 0;  // of records that are no marks
  for (const auto& [part, results] : plan.volumes) {
    bool first_of_volume = true;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (IsMark(results[i])) {
        if (plan.index.empty()) add(part, i);
        continue;
      }
      if (plan.index.empty() || first_of_volume || (step > 0 && number % step == 0)) add(part, i);
      first_of_volume = false;
      last = Last{part, i};
      ++number;
    }
  }
  if (last) add(last->volume, last->record);
  return plan;
}

std::optional<Status> StoreCompressed(const ArchiveImage& image, const std::string& path,
                                      archive::Compression compression,
                                      archive::MemoryStorage* storage) {
  archive::MemoryOutput output(*storage);
  for (const auto& [suffix, content] : image.files) {
    const std::string name = path + "." + suffix + std::string(archive::SuffixOf(compression));
    auto file = output.Create(name);
    if (!file) return file.error();
    const auto compressing = archive::MakeCompressing(std::move(*file), compression);
    if (!compressing) return compressing.error();
    if (auto error = (*compressing)->Write(content)) return error;
    if (auto error = (*compressing)->Close()) return error;
  }
  return std::nullopt;
}

}  // namespace pmproof::generators
