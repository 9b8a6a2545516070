// SPDX-License-Identifier: Apache-2.0
#include "generators/archive_image.h"

#include <algorithm>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {

std::uint32_t ArchiveImage::Word(const std::string& file, std::size_t offset) const {
  return LoadU32(files.at(file).data() + offset);
}

void ArchiveImage::SetWord(const std::string& file, std::size_t offset, std::uint32_t value) {
  StoreU32(files.at(file).data() + offset, value);
}

void ArchiveImage::SetByte(const std::string& file, std::size_t offset, std::uint8_t value) {
  files.at(file).at(offset) = value;
}

void ArchiveImage::Truncate(const std::string& file, std::size_t size) {
  files.at(file).resize(size);
}

void ArchiveImage::Append(const std::string& file, std::string_view bytes) {
  files.at(file).insert(files.at(file).end(), bytes.begin(), bytes.end());
}

void ArchiveImage::Insert(const std::string& file, std::size_t offset, std::string_view bytes) {
  std::vector<std::uint8_t>& content = files.at(file);
  content.insert(content.begin() + static_cast<std::ptrdiff_t>(offset), bytes.begin(), bytes.end());
}

void ArchiveImage::GrowRecord(const std::string& file, std::size_t offset, std::int32_t delta) {
  const auto length =
      static_cast<std::uint32_t>(static_cast<std::int32_t>(Word(file, offset)) + delta);
  SetWord(file, offset, length);
  SetWord(file, offset + length - archive::kLengthWord, length);
}

std::vector<std::size_t> ArchiveImage::Records(const std::string& file) const {
  std::vector<std::size_t> offsets;
  const std::vector<std::uint8_t>& content = files.at(file);
  std::size_t at = 0;
  while (at + archive::kMinRecord <= content.size()) {
    const std::size_t length = LoadU32(content.data() + at);
    if (length < archive::kMinRecord || length > content.size() - at) break;
    offsets.push_back(at);
    at += length;
  }
  return offsets;
}

void ArchiveImage::Store(const std::string& path, archive::MemoryStorage* storage) const {
  for (const auto& [suffix, content] : files) storage->files[path + "." + suffix] = content;
}

std::string BigEndian(std::initializer_list<std::uint32_t> words) {
  std::string bytes(4 * words.size(), '\0');
  std::size_t at = 0;
  for (const std::uint32_t word : words) {
    StoreU32(reinterpret_cast<std::uint8_t*>(bytes.data()) + at, word);
    at += 4;
  }
  return bytes;
}

ArchiveImage Encode(const ArchivePlan& plan) {
  ArchiveImage image;
  const int version = plan.label.version;
  const auto append_label = [&plan](archive::Part part, archive::Buffer* out) {
    archive::LabelModel label = plan.label;
    label.volume = part;
    const auto own = plan.labels.find(part);
    archive::AppendLabel(own == plan.labels.end() ? label : own->second, out);
  };

  archive::Buffer& meta = image.files["meta"];
  std::vector<std::size_t> meta_offsets;
  append_label(archive::kMetaPart, &meta);
  for (const archive::MetaRecordModel& record : plan.meta) {
    meta_offsets.push_back(meta.size());
    archive::AppendMetaRecord(record, version, &meta);
  }
  meta_offsets.push_back(meta.size());

  std::map<std::int32_t, std::vector<std::size_t>> data_offsets;
  for (const auto& [number, results] : plan.volumes) {
    archive::Buffer& volume = image.files[std::to_string(number)];
    append_label(number, &volume);
    for (const archive::ResultModel& result : results) {
      data_offsets[number].push_back(volume.size());
      archive::AppendResult(result, version, &volume);
    }
    data_offsets[number].push_back(volume.size());
  }

  if (plan.has_index) {
    archive::Buffer& index = image.files["index"];
    append_label(archive::kIndexPart, &index);
    for (const PlannedIndexEntry& entry : plan.index) {
      const std::vector<std::size_t>& offsets = data_offsets[entry.volume];
      archive::AppendIndexEntry(
          {entry.time, entry.volume, meta_offsets[std::min(entry.meta_record, plan.meta.size())],
           offsets.empty() ? 0 : offsets[std::min(entry.data_record, offsets.size() - 1)]},
          version, &index);
    }
  }
  return image;
}

}  // namespace pmproof::generators
