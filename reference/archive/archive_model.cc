// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_model.h"

#include <memory>
#include <utility>

#include "reference/archive/file_decoder.h"
#include "reference/archive/loss_watch.h"

namespace pmproof::archive {
namespace {

template <typename Record, typename Append>
Buffer EncodeFile(const FileModel<Record>& file, Append&& append) {
  Buffer out;
  AppendLabel(file.label, &out);
  for (const Record& record : file.records) append(record, file.label.version, &out);
  out.insert(out.end(), file.rest.begin(), file.rest.end());
  return out;
}

template <typename Record, typename Next>
Result<FileModel<Record>> DecodeFile(const Storage& storage, const ArchiveFile& file, Part part,
                                     Next&& next) {
  Result<std::unique_ptr<FileDecoder>> decoder = FileDecoder::Open(storage, file, part);
  if (!decoder) return tl::unexpected(decoder.error());
  FileModel<Record> model;
  model.label = (*decoder)->label();
  while (true) {
    Result<std::optional<Record>> record = next(**decoder);
    if (!record) return tl::unexpected(record.error());
    if (!*record) break;
    model.records.push_back(**std::move(record));
  }
  Result<std::string> rest = (*decoder)->Rest();
  if (!rest) return tl::unexpected(rest.error());
  model.rest = *std::move(rest);
  return model;
}

Status Missing(const FileSet& files, Clause rule, const std::string& message) {
  return {Status::Kind::kNotFound, files.Name(), std::nullopt, rule, message, ErrorCode::kLogFile};
}

}  // namespace

std::map<Part, Buffer> EncodeArchive(const ArchiveModel& archive) {
  std::map<Part, Buffer> files;
  files[kMetaPart] = EncodeFile(archive.meta, AppendMetaRecord);
  for (const auto& [part, volume] : archive.volumes) files[part] = EncodeFile(volume, AppendResult);
  if (archive.index) files[kIndexPart] = EncodeFile(*archive.index, AppendIndexEntry);
  return files;
}

namespace {

Result<ArchiveModel> DecodeFiles(const Storage& storage, const FileSet& files) {
  ArchiveModel archive;
  if (!files.parts.contains(kMetaPart)) {
    return tl::unexpected(Missing(files, "ARC-1001"_clause, "the metadata file is missing"));
  }
  for (const auto& [part, file] : files.parts) {
    if (part == kMetaPart) {
      auto meta = DecodeFile<MetaRecordModel>(storage, file, part,
                                              [](FileDecoder& d) { return d.NextMeta(); });
      if (!meta) return tl::unexpected(meta.error());
      archive.meta = *std::move(meta);
    } else if (part == kIndexPart) {
      auto index = DecodeFile<IndexEntryModel>(storage, file, part,
                                               [](FileDecoder& d) { return d.NextEntry(); });
      if (!index) return tl::unexpected(index.error());
      archive.index = *std::move(index);
    } else {
      auto volume = DecodeFile<ResultModel>(storage, file, part,
                                            [](FileDecoder& d) { return d.NextResult(); });
      if (!volume) return tl::unexpected(volume.error());
      archive.volumes[part] = *std::move(volume);
    }
  }
  if (archive.volumes.empty()) {
    return tl::unexpected(Missing(files, "ARC-1002"_clause, "there is no data volume"));
  }
  return archive;
}

}  // namespace

Result<ArchiveModel> DecodeArchive(const Storage& storage, const FileSet& files) {
  const LossWatch watch(storage);
  Result<ArchiveModel> archive = DecodeFiles(watch, files);
  if (std::optional<Status> loss = watch.loss()) return tl::unexpected(*std::move(loss));
  return archive;
}

}  // namespace pmproof::archive
