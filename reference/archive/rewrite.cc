// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/rewrite.h"

#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/compressing_output.h"
#include "reference/archive/encode.h"
#include "reference/archive/file_decoder.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/metadata.h"
#include "reference/archive/version_converter.h"

namespace pmproof::archive {
namespace {

using Cause = RewriteFailure::Cause;
using Failure = std::optional<RewriteFailure>;

constexpr std::uint64_t kLargestOffsetV2 = std::numeric_limits<std::int32_t>::max();
// clang 14 calls a consteval literal at run time where it stands in the braces of an argument.
constexpr Clause kOffsetsOfV2 = "ARC-086"_clause;

// Where the records that the index points to begin in the new files (or end, for the last one).
class OffsetMap {
 public:
  void Want(Part part, std::uint64_t offset) { wanted_[part].try_emplace(offset); }
  void Note(Part part, std::uint64_t offset, std::uint64_t now) {
    const auto wanted = wanted_.find(part);
    if (wanted == wanted_.end()) return;
    const auto entry = wanted->second.find(offset);
    if (entry != wanted->second.end()) entry->second = now;
  }
  std::optional<std::uint64_t> Find(Part part, std::uint64_t offset) const {
    return wanted_.at(part).at(offset);
  }

 private:
  std::map<Part, std::map<std::uint64_t, std::optional<std::uint64_t>>> wanted_;
};

Compression Writable(Compression compression) {
  if (compression == Compression::kLzma) return Compression::kXz;
  return compression == Compression::kCompress ? Compression::kGzip : compression;
}

class Rewriting {
 public:
  Rewriting(const Storage& storage, const FileSet& files, OutputStorage& output,
            const std::string& out, const RewriteOptions& options)
      : storage_(storage), files_(files), options_(options), output_(output, out) {}

  Failure Run() {
    Failure failure = RewriteAll();
    if (std::optional<Status> loss = storage_.loss()) return Input(*std::move(loss));
    if (failure) return failure;
    return Output(output_.Publish(options_.replaced));
  }

 private:
  Failure RewriteAll() {
    if (Failure failure = Prepare()) return failure;
    for (const auto& [part, file] : files_.parts) {
      if (part == kIndexPart) continue;
      if (Failure failure = RewriteFile(part, file)) return failure;
    }
    const auto index = files_.parts.find(kIndexPart);
    if (index != files_.parts.end()) {
      if (Failure failure = RewriteFile(kIndexPart, index->second)) return failure;
    }
    return std::nullopt;
  }

  static Failure Input(Status status) { return RewriteFailure{Cause::kInput, std::move(status)}; }
  static Failure Output(std::optional<Status> status) {
    if (!status) return std::nullopt;
    return RewriteFailure{Cause::kOutput, *std::move(status)};
  }
  // What has no counterpart, at the record of the decoder.
  static Failure Inexpressible(Status status, const ArchiveFile& file, std::uint64_t offset) {
    status.file = file.path;
    status.offset = offset;
    return RewriteFailure{Cause::kInexpressible, std::move(status)};
  }

  // Whether the version changes, and what has to be known for that.
  Failure Prepare() {
    const auto meta = files_.parts.find(kMetaPart);
    if (meta == files_.parts.end()) {
      return Input({Status::Kind::kNotFound, files_.Name(), std::nullopt, "ARC-1001"_clause,
                    "the metadata file is missing", ErrorCode::kLogFile});
    }
    Result<std::unique_ptr<FileDecoder>> decoder =
        FileDecoder::Open(storage_, meta->second, kMetaPart, options_.memory);
    if (!decoder) return Input(decoder.error());
    from_ = (*decoder)->label().version;
    to_ = options_.version.value_or(from_);
    if (to_ == from_) return std::nullopt;
    if (Failure failure = LoadAllMetadata(meta->second)) return failure;
    return WantOffsets();
  }

  Failure LoadAllMetadata(const ArchiveFile& file) {
    Result<std::unique_ptr<StoredFile>> stored = storage_.Open(file.path);
    if (!stored) return Input(stored.error());
    meta_file_ = *std::move(stored);
    Result<std::unique_ptr<Source>> source = MakeAddressable(
        MakeSource(*meta_file_, file.path, file.compression, options_.memory.Reading()), file.path,
        options_.memory.Metadata());
    if (!source) return Input(source.error());
    meta_source_ = *std::move(source);
    if (Result<LabelModel> label = DecodeLabel(*meta_source_, kMetaPart, file.path); !label)
      return Input(label.error());
    IgnoringReporter ignore;
    Result<Metadata> metadata =
        LoadMetadata(*meta_source_, from_, ignore, options_.memory.Metadata());
    if (!metadata) return Input(metadata.error());
    metadata_ = *std::move(metadata);
    converter_ = std::make_unique<VersionConverter>(to_, metadata_);
    return std::nullopt;
  }

  Failure WantOffsets() {
    const auto file = files_.parts.find(kIndexPart);
    if (file == files_.parts.end()) return std::nullopt;
    Result<std::unique_ptr<FileDecoder>> decoder =
        FileDecoder::Open(storage_, file->second, kIndexPart, options_.memory);
    if (!decoder) return Input(decoder.error());
    while (true) {
      const Result<std::optional<IndexEntryModel>> entry = (*decoder)->NextEntry();
      if (!entry) return Input(entry.error());
      if (!*entry) return std::nullopt;
      offsets_.Want(kMetaPart, (*entry)->meta_offset);
      offsets_.Want((*entry)->volume, (*entry)->data_offset);
    }
  }

  Failure RewriteFile(Part part, const ArchiveFile& file) {
    Result<std::unique_ptr<FileDecoder>> opened =
        FileDecoder::Open(storage_, file, part, options_.memory);
    if (!opened) return Input(opened.error());
    FileDecoder& decoder = **opened;
    if (decoder.label().version != from_) {
      return Input({Status::Kind::kDamaged, file.path, 4, "ARC-1205"_clause,
                    "the version of the label is not that of .meta", ErrorCode::kLabel});
    }
    const bool as_it_is =
        file.compression != Compression::kNone && !options_.compression && converter_ == nullptr;
    const Compression compression =
        as_it_is ? Compression::kNone : Writable(options_.compression.value_or(file.compression));
    const std::string_view suffix =
        as_it_is ? std::string_view(file.path).substr(file.path.rfind('.')) : SuffixOf(compression);
    Result<PartOutput*> added = output_.Add(part, suffix, compression);
    if (!added) return Output(added.error());
    PartOutput& output = **added;
    // What is decoded of a file that is kept as it is goes nowhere: that it can be decoded is what
    // counts.
    if (Failure failure = RewriteContent(part, file, decoder, as_it_is ? nullptr : &output))
      return failure;
    if (as_it_is) {
      if (Failure failure = Output(output.Write(decoder.stored()))) return failure;
    }
    return Output(output.Close());
  }

  Failure RewriteContent(Part part, const ArchiveFile& file, FileDecoder& decoder,
                         PartOutput* output) {
    LabelModel label = decoder.label();
    if (converter_ != nullptr) {
      Result<LabelModel> converted = converter_->Convert(label);
      if (!converted) return Inexpressible(converted.error(), file, 0);
      label = *std::move(converted);
    }
    if (output != nullptr) AppendLabel(label, output->buffer());
    while (true) {
      bool more = false;
      Failure failure;
      // A record of a megabyte may hold a million values, and its model takes many times of that.
      try {
        failure = RewriteNext(part, file, decoder, output, &more);
      } catch (const std::bad_alloc&) {
        failure = Input(BeyondBudget(file.path, decoder.offset()));
      }
      if (failure) return failure;
      if (!more) break;
      if (output == nullptr) continue;
      if (auto error = output->Settle()) return Output(std::move(error));
    }
    return RewriteRest(part, file, decoder, output);
  }

  Failure RewriteNext(Part part, const ArchiveFile& file, FileDecoder& decoder, PartOutput* output,
                      bool* more) {
    return part == kMetaPart
               ? Next(&FileDecoder::NextMeta, AppendMetaRecord, part, file, decoder, output, more)
           : part == kIndexPart
               ? Next(&FileDecoder::NextEntry, AppendIndexEntry, part, file, decoder, output, more)
               : Next(&FileDecoder::NextResult, AppendResult, part, file, decoder, output, more);
  }

  // Rewrites the next record; `more` says whether there was one.
  template <typename Record, typename Append>
  Failure Next(Result<std::optional<Record>> (FileDecoder::*next)(), Append&& append, Part part,
               const ArchiveFile& file, FileDecoder& decoder, PartOutput* output, bool* more) {
    Result<std::optional<Record>> record = (decoder.*next)();
    if (!record) return Input(record.error());
    *more = record->has_value();
    if (output == nullptr) return std::nullopt;
    offsets_.Note(part, decoder.offset(), output->position());
    if (!*more) return std::nullopt;
    Record& taken = **record;
    if (converter_ != nullptr) {
      Result<Record> converted = Convert(std::move(taken), decoder.offset());
      if (!converted) return Inexpressible(converted.error(), file, decoder.offset());
      taken = *std::move(converted);
    }
    append(taken, to_, output->buffer());
    if (converter_ != nullptr && to_ == 2 && part != kIndexPart &&
        output->position() > kLargestOffsetV2) {
      return Inexpressible({.kind = Status::Kind::kUnsupported,
                            .clause = kOffsetsOfV2,
                            .message = "from here on the file is larger than version 2 can hold"},
                           file, decoder.offset());
    }
    return std::nullopt;
  }

  Result<MetaRecordModel> Convert(const MetaRecordModel& record, std::uint64_t offset) {
    return converter_->Convert(record, offset);
  }
  Result<ResultModel> Convert(ResultModel result, std::uint64_t) {
    return converter_->Convert(std::move(result));
  }
  Result<IndexEntryModel> Convert(IndexEntryModel entry, std::uint64_t) {
    const std::optional<std::uint64_t> meta = offsets_.Find(kMetaPart, entry.meta_offset);
    const std::optional<std::uint64_t> data = offsets_.Find(entry.volume, entry.data_offset);
    if (!meta || !data) {
      const std::string where = !meta ? "offset " + std::to_string(entry.meta_offset) + " of .meta"
                                      : "offset " + std::to_string(entry.data_offset) +
                                            " of volume " + std::to_string(entry.volume);
      return tl::unexpected(
          Status{.kind = Status::Kind::kUnsupported,
                 .clause = "ARC-455"_clause,
                 .message = "the entry points to " + where +
                            ", where no record begins or ends: where that is in the other "
                            "version is not defined"});
    }
    entry.meta_offset = *meta;
    entry.data_offset = *data;
    return converter_->Convert(entry);
  }

  Failure RewriteRest(Part part, const ArchiveFile& file, FileDecoder& decoder,
                      PartOutput* output) {
    const Result<std::string> rest = decoder.Rest();
    if (!rest) return Input(rest.error());
    if (rest->empty()) return std::nullopt;
    if (converter_ != nullptr) {
      return Inexpressible(
          {.kind = Status::Kind::kUnsupported,
           .clause = part == kIndexPart ? "ARC-1901"_clause : "ARC-1105"_clause,
           .message = std::to_string(rest->size()) + " bytes after the last " +
                      (part == kIndexPart ? "entry" : "record") + " belong to none"},
          file, decoder.offset());
    }
    if (output == nullptr) return std::nullopt;
    return Output(output->Write(AsBytes(*rest)));
  }

  const LossWatch storage_;
  const FileSet& files_;
  const RewriteOptions& options_;
  ArchiveOutput output_;
  int from_ = 0;
  int to_ = 0;
  std::unique_ptr<StoredFile> meta_file_;  // of the metadata
  std::unique_ptr<Source> meta_source_;
  Metadata metadata_;
  std::unique_ptr<VersionConverter> converter_;  // only where the version changes
  OffsetMap offsets_;
};

}  // namespace

std::optional<RewriteFailure> Rewrite(const Storage& storage, const FileSet& files,
                                      OutputStorage& output, const std::string& out,
                                      const RewriteOptions& options) {
  return Rewriting(storage, files, output, out, options).Run();
}

}  // namespace pmproof::archive
