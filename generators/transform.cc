// SPDX-License-Identifier: Apache-2.0
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

// The metrics that have a value set in front of a record, or from it on.
std::set<Pmid> MetricsOf(const ArchivePlan& plan, archive::Part volume, std::size_t record,
                         bool in_front) {
  std::set<Pmid> metrics;
  for (const auto& [part, results] : plan.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if ((part < volume || (part == volume && i < record)) != in_front) continue;
      for (const archive::ValueSetModel& set : results[i].sets) metrics.insert(set.pmid);
    }
  }
  return metrics;
}

// Where the metadata begin that were written together with a record (ARC-454): at the first that
// has its time, or describes a metric that comes with it or later, but after the descriptors of
// all that came before (ARC-1336).
std::size_t MetaInFrontOf(const ArchivePlan& plan, archive::Part volume, std::size_t record) {
  const Timestamp time = plan.volumes.at(volume)[record].time;
  const std::set<Pmid> known = MetricsOf(plan, volume, record, true);
  const std::set<Pmid> coming = MetricsOf(plan, volume, record, false);
  std::size_t begin = plan.meta.size();
  std::size_t described = 0;
  std::set<Pmid> seen;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const std::optional<Timestamp> written = TimeOf(plan.meta[i]);
    bool comes = written && *written >= time;
    if (const auto* desc = std::get_if<archive::DescModel>(&plan.meta[i])) {
      const Pmid pmid = desc->descriptor.pmid;
      comes = coming.contains(pmid) && !known.contains(pmid);
      if (seen.insert(pmid).second && known.contains(pmid)) described = i + 1;
    }
    if (comes) begin = std::min(begin, i);
  }
  return std::max(begin, described);
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
  PlannedIndexEntry entry{time, volume, MetaInFrontOf(plan, volume, record), record};
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
    if (!results.empty() && !HasEntry(split, part, 0)) AddEntry(split, part, 0);
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
    if (!plan.index.empty() && plan.index.back().time >= plan.volumes.at(volume)[record].time)
      return;
    AddEntry(plan, volume, record);
    if (plan.index.size() == 1) plan.index.front().meta_record = 0;  // ARC-1921
  };
  std::size_t number = 0;  // of records that are not marks
  for (const auto& [part, results] : plan.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i == 0) add(part, i);
      if (IsMark(results[i])) continue;
      if (step > 0 && number % step == 0) add(part, i);
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
