// SPDX-License-Identifier: Apache-2.0
#include "generators/plan_of.h"

#include <map>
#include <string>
#include <utility>

#include "reference/archive/encode.h"

namespace pmproof::generators {
namespace {

using Ordinals = std::map<std::uint64_t, std::size_t>;

Status Inexpressible(Clause clause, std::string message) {
  return {.kind = Status::Kind::kUnsupported, .clause = clause, .message = std::move(message)};
}

// The ordinal of each record by its offset; the end of the file is that of one more.
template <typename Record, typename Append>
Ordinals OrdinalsOf(const archive::FileModel<Record>& file, Append append) {
  Ordinals ordinals;
  archive::Buffer bytes;
  archive::AppendLabel(file.label, &bytes);
  std::uint64_t offset = bytes.size();
  for (const Record& record : file.records) {
    ordinals.emplace(offset, ordinals.size());
    bytes.clear();
    append(record, file.label.version, &bytes);
    offset += bytes.size();
  }
  ordinals.emplace(offset, ordinals.size());
  return ordinals;
}

}  // namespace

Result<ArchivePlan> PlanOf(const archive::ArchiveModel& archive) {
  ArchivePlan plan;
  plan.label = archive.meta.label;
  const auto add_label = [&plan](archive::Part part, const archive::LabelModel& label) {
    archive::LabelModel common = plan.label;
    common.volume = part;
    if (label != common) plan.labels[part] = label;
  };
  add_label(archive::kMetaPart, archive.meta.label);
  if (!archive.meta.rest.empty()) {
    return tl::unexpected(Inexpressible("ARC-084"_clause, ".meta has bytes after its last record"));
  }
  plan.meta = archive.meta.records;
  std::map<archive::Part, Ordinals> ordinals;
  for (const auto& [part, volume] : archive.volumes) {
    if (!volume.rest.empty()) {
      return tl::unexpected(Inexpressible(
          "ARC-084"_clause, "volume " + std::to_string(part) + " has bytes after its last record"));
    }
    add_label(part, volume.label);
    plan.volumes[part] = volume.records;
    ordinals[part] = OrdinalsOf(volume, archive::AppendResult);
  }
  plan.has_index = archive.index.has_value();
  if (!archive.index) return plan;
  if (!archive.index->rest.empty()) {
    return tl::unexpected(Inexpressible("ARC-084"_clause, ".index has bytes after its last entry"));
  }
  add_label(archive::kIndexPart, archive.index->label);
  const Ordinals meta = OrdinalsOf(archive.meta, archive::AppendMetaRecord);
  for (const archive::IndexEntryModel& entry : archive.index->records) {
    const std::string which = "index entry " + std::to_string(plan.index.size());
    const auto in_meta = meta.find(entry.meta_offset);
    if (in_meta == meta.end()) {
      return tl::unexpected(
          Inexpressible("ARC-1913"_clause, which + " points into a record of .meta"));
    }
    const Ordinals& data = ordinals[entry.volume];
    const auto in_data = data.find(entry.data_offset);
    if (in_data == data.end() || entry.fraction) {
      return tl::unexpected(Inexpressible("ARC-1917"_clause, which + " points to no data record"));
    }
    plan.index.push_back({entry.time, entry.volume, in_meta->second, in_data->second});
  }
  return plan;
}

}  // namespace pmproof::generators
