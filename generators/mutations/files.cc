// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/files.h"

#include "reference/archive/decode_model.h"
#include "reference/archive/encode.h"
#include "reference/archive/file_set.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {

using archive::Part;

std::vector<Part> Parts(const ArchivePlan& plan) {
  std::vector<Part> parts;
  if (plan.has_index) parts.push_back(archive::kIndexPart);
  parts.push_back(archive::kMetaPart);
  for (const auto& [number, results] : plan.volumes) parts.push_back(number);
  return parts;
}

std::string SuffixOf(Part part) { return archive::PartSuffix(part); }

std::vector<FramedPlace> FramedRecords(const ArchiveImage& image, const ArchivePlan& plan) {
  std::vector<FramedPlace> places;
  for (const Part part : Parts(plan)) {
    if (part == archive::kIndexPart) continue;
    const std::string suffix = SuffixOf(part);
    for (const std::size_t offset : image.Records(suffix)) {
      if (offset != 0) places.push_back({part, offset, image.Word(suffix, offset)});
    }
  }
  return places;
}

void EditIndex(ArchiveImage& image, const ArchivePlan& plan,
               const std::function<bool(archive::IndexEntryModel&)>& edit) {
  if (!plan.has_index) return;
  const archive::Layout& layout = archive::LayoutOf(plan.label.version);
  archive::Buffer& content = image.files.at("index");
  archive::Buffer edited(content.begin(),
                         content.begin() + static_cast<std::ptrdiff_t>(layout.label));
  for (std::size_t at = layout.label; at + layout.index_entry <= content.size();
       at += layout.index_entry) {
    archive::IndexEntryModel entry =
        archive::DecodeIndexEntry(Bytes(content).subspan(at, layout.index_entry), layout.version);
    if (edit(entry)) archive::AppendIndexEntry(entry, layout.version, &edited);
  }
  content = std::move(edited);
}

void InsertBytes(ArchiveImage& image, const ArchivePlan& plan, Part part, std::size_t offset,
                 std::string_view bytes) {
  image.Insert(SuffixOf(part), offset, bytes);
  EditIndex(image, plan, [&](archive::IndexEntryModel& entry) {
    if (part == archive::kMetaPart && entry.meta_offset >= offset)
      entry.meta_offset += bytes.size();
    if (part == entry.volume && entry.data_offset >= offset) entry.data_offset += bytes.size();
    return true;
  });
}

void CutFile(ArchiveImage& image, const ArchivePlan& plan, Part part, std::size_t record,
             std::size_t size) {
  image.Truncate(SuffixOf(part), size);
  EditIndex(image, plan, [&](archive::IndexEntryModel& entry) {
    if (part == archive::kMetaPart && entry.meta_offset > record) entry.meta_offset = record;
    return part != entry.volume || entry.data_offset <= record;
  });
}

}  // namespace pmproof::generators
