// SPDX-License-Identifier: Apache-2.0
// The mutation for ARC-1110: a volume of version 2 that its index cannot address to its end.

#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/files.h"
#include "generators/mutations/find.h"
#include "generators/mutations/framing_mutations.h"
#include "generators/mutations/volumes.h"
#include "reference/archive/compressing_output.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::Buffer;
using archive::Compression;
using archive::Part;

constexpr char kName[] = "pmproof.large.m";
constexpr std::uint32_t kDomain = 250;
constexpr std::uint32_t kCluster = 4000;
constexpr std::uint32_t kRecords = 512;
constexpr std::uint32_t kPayload = 4U << 20;  // of the one value of each record
constexpr std::int64_t kStep = 1000;          // nanoseconds from one record to the next
constexpr std::int64_t kRoom = (kRecords + 1) * kStep;

// A record of the large volume with `payload` bytes: of one value of a metric of its own, so that
// nothing is expected about the interval between two of them (ARC-2010).
archive::ResultModel Record(Timestamp time, Pmid pmid) {
  archive::ValueSetModel set{pmid, archive::kDynamic, {}, 0};
  set.values.push_back(
      {kInstanceNull,
       archive::BlockModel{static_cast<std::uint8_t>(MetricType::kAggregate), "", std::nullopt}});
  return {time, {set}};
}

std::size_t RecordSize(int version) {
  Buffer record;
  AppendResult(Record({}, {}), version, &record);
  return record.size() + kPayload;
}

// The large volume: the one with the metrics that RoomForALargeVolume() has added.
Part LargeVolumeOf(const ArchivePlan& plan) {
  const auto& last = std::get<archive::DescModel>(plan.meta.front());
  for (const auto& [number, results] : plan.volumes) {
    if (results.empty() || results.back().sets.empty()) continue;
    if (results.back().sets[0].pmid == last.descriptor.pmid) return number;
  }
  return 0;
}

// Pairs of neighbouring volumes with time for all the records between them.
std::vector<Part> Gaps(const ArchivePlan& plan) {
  std::vector<Part> gaps;
  for (auto volume = plan.volumes.begin(); std::next(volume) != plan.volumes.end(); ++volume) {
    const auto& before = volume->second;
    const auto& behind = std::next(volume)->second;
    if (before.empty() || behind.empty() || behind.front().sets.empty()) continue;
    if (NanosecondsBetween(before.back().time, behind.front().time) > kRoom)
      gaps.push_back(std::next(volume)->first);
  }
  return gaps;
}

std::vector<Pmid> FreeMetrics(const ArchivePlan& plan) {
  std::set<Pmid> taken;
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const auto* desc = std::get_if<archive::DescModel>(&record))
      taken.insert(desc->descriptor.pmid);
  }
  std::vector<Pmid> metrics;
  for (std::uint32_t item = 0; metrics.size() < kRecords && item < 1024; ++item) {
    const Pmid pmid = Pmid::Of(kDomain, kCluster, item);
    if (!taken.contains(pmid)) metrics.push_back(pmid);
  }
  return metrics;
}

Buffer Compressed(const Buffer& content) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output(storage);
  auto file = archive::MakeCompressing(*output.Create("member"), Compression::kGzip);
  if (!file || (*file)->Write(content) || (*file)->Close()) return {};
  return std::move(storage.files.at("member"));
}

}  // namespace

// Always at the same place, which says nothing: to check such a volume takes a second.
NotApplicable RoomForALargeVolume(ArchivePlan& plan, Random&) {
  if (plan.label.version != 2) return "it is of version 3, whose files may be larger";
  if (HasEntriesAtEnds(plan)) return "entries of its index point to the ends of their records";
  if (plan.volumes.size() == 1) {
    Random fixed(0);
    if (const NotApplicable lack = DivideInto(plan, 2, fixed)) return lack;
  }
  const std::vector<Part> gaps = Gaps(plan);
  if (gaps.empty()) return "there is no time for 512 records between two of its volumes";
  const std::vector<Pmid> metrics = FreeMetrics(plan);
  if (metrics.size() < kRecords) return "it has too many metrics of the domain 250";
  const Part number = gaps.back();
  Timestamp time = std::prev(plan.volumes.find(number))->second.back().time;
  Renumber(plan, number, 1);
  std::vector<archive::ResultModel>& records = plan.volumes[number];
  for (const Pmid pmid : metrics) {
    time = time + kStep;
    records.push_back(Record(time, pmid));
    InsertMeta(plan, 0,
               archive::DescModel{
                   {pmid, MetricType::kAggregate, Indom::Null(), Semantics::kDiscrete, Units{0}},
                   {kName + std::to_string(pmid.item())}});
  }
  if (!plan.has_index) return std::nullopt;
  std::size_t entry = 0;
  while (entry < plan.index.size() && plan.index[entry].volume < number) ++entry;
  for (std::size_t i = 0; i < kRecords; ++i, ++entry) {
    const Timestamp at = records[i].time;
    const PlannedIndexEntry own{at, number, MetaRecordFor(plan, entry, at), i};
    plan.index.insert(plan.index.begin() + static_cast<std::ptrdiff_t>(entry), own);
  }
  return std::nullopt;
}

NotApplicable OffsetsInTheLargeVolume(ArchiveImage& image, const ArchivePlan& plan, Random&) {
  const Part number = LargeVolumeOf(plan);
  const std::size_t label = archive::LayoutOf(plan.label.version).label;
  const std::size_t large = RecordSize(plan.label.version);
  EditIndex(image, plan, [&](archive::IndexEntryModel& entry) {
    if (entry.volume == number)
      entry.data_offset = label + (entry.data_offset - label) / (large - kPayload) * large;
    return true;
  });
  return std::nullopt;
}

NotApplicable LargeVolume(MutatedFiles& files, const ArchivePlan& plan, Random&) {
  const std::string name = files.base + "." + std::to_string(LargeVolumeOf(plan));
  const Buffer small = std::move(files.files.at(name));
  files.files.erase(name);
  const archive::Layout& layout = archive::LayoutOf(plan.label.version);
  const auto large = static_cast<std::uint32_t>(RecordSize(layout.version));
  const std::size_t size = large - kPayload;
  const Buffer payload = Compressed(Buffer(kPayload, 0));
  // Everything but the payloads, which compress to the same bytes each time.
  Buffer between(small.begin(), small.begin() + static_cast<std::ptrdiff_t>(layout.label));
  Buffer& result = files.files[name + ".gz"];
  const auto append = [&result](const Buffer& member) {
    result.insert(result.end(), member.begin(), member.end());
  };
  for (std::size_t at = layout.label; at < small.size(); at += size) {
    const auto record = small.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t begin = between.size();
    between.insert(between.end(), record, record + static_cast<std::ptrdiff_t>(size - 4));
    StoreU32(between.data() + begin, large);
    const std::uint32_t header = LoadU32(&between.back() - 3);
    StoreU32(&between.back() - 3, header + kPayload);
    append(Compressed(between));
    append(payload);
    between.resize(4);
    StoreU32(between.data(), large);
  }
  append(Compressed(between));
  return std::nullopt;
}

}  // namespace pmproof::generators
