// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/file_decoder.h"

#include <utility>

#include "reference/archive/addressable_source.h"

namespace pmproof::archive {

Result<std::unique_ptr<FileDecoder>> FileDecoder::Open(const Storage& storage,
                                                       const ArchiveFile& file, Part part,
                                                       const MemoryBudget& budget) {
  Result<std::unique_ptr<StoredFile>> stored = storage.Open(file.path);
  if (!stored) return tl::unexpected(stored.error());
  std::unique_ptr<Source> source =
      MakeSource(**stored, file.path, file.compression, budget.Reading());
  if (part == kMetaPart) {
    Result<std::unique_ptr<Source>> addressable =
        MakeAddressable(std::move(source), file.path, budget.Metadata());
    if (!addressable) return tl::unexpected(addressable.error());
    source = *std::move(addressable);
  }
  Result<LabelModel> label = DecodeLabel(*source, part, file.path);
  if (!label) return tl::unexpected(label.error());
  return std::unique_ptr<FileDecoder>(new FileDecoder(
      file.path, *std::move(stored), std::move(source), *std::move(label), part, budget));
}

FileDecoder::FileDecoder(std::string name, std::unique_ptr<StoredFile> stored,
                         std::unique_ptr<Source> source, LabelModel label, Part part,
                         const MemoryBudget& budget)
    : stored_(std::move(stored)),
      source_(std::move(source)),
      label_(std::move(label)),
      violations_(name),
      reader_(*source_, part, label_.version, violations_),
      decoder_(label_.version, name),
      name_(std::move(name)),
      budget_(budget) {}

Result<std::optional<RecordView>> FileDecoder::NextRecord() {
  Result<std::optional<RecordView>> record = reader_.Next();
  if (!record) return record;
  offset_ = *record ? (*record)->offset : reader_.position();
  if (!*record && violations_.first() && violations_.first()->clause != "ARC-1105"_clause) {
    return tl::unexpected(*violations_.first());
  }
  if (*record && (*record)->bytes.size() > budget_.Record()) {
    return tl::unexpected(BeyondBudget(name_, offset_));
  }
  return record;
}

Result<std::optional<MetaRecordModel>> FileDecoder::NextMeta() {
  const Result<std::optional<RecordView>> record = NextRecord();
  if (!record) return tl::unexpected(record.error());
  if (!*record) return std::nullopt;
  const std::optional<Bytes> whole = content();
  const bool last = whole && offset_ + (*record)->bytes.size() == whole->size();
  Result<MetaRecordModel> model = decoder_.DecodeMeta(**record, last);
  if (!model) return tl::unexpected(model.error());
  return *std::move(model);
}

Result<std::optional<ResultModel>> FileDecoder::NextResult() {
  const Result<std::optional<RecordView>> record = NextRecord();
  if (!record) return tl::unexpected(record.error());
  if (!*record) return std::nullopt;
  Result<ResultModel> model = decoder_.DecodeResult(**record);
  if (!model) return tl::unexpected(model.error());
  return *std::move(model);
}

Result<std::optional<IndexEntryModel>> FileDecoder::NextEntry() {
  const std::size_t size = LayoutOf(label_.version).index_entry;
  const Result<Bytes> window = source_->Window(size);
  if (!window) return tl::unexpected(window.error());
  offset_ = source_->position();
  if (window->size() < size) return std::nullopt;
  const IndexEntryModel entry = DecodeIndexEntry(window->first(size), label_.version);
  source_->Skip(size);
  return entry;
}

Result<std::string> FileDecoder::Rest() {
  if (source_->position() < offset_)
    source_->Skip(static_cast<std::size_t>(offset_ - source_->position()));
  const Result<Bytes> window = source_->Window(1);
  if (!window) return tl::unexpected(window.error());
  return std::string(AsText(*window));
}

}  // namespace pmproof::archive
