// SPDX-License-Identifier: Apache-2.0
#include "validator/check/metadata_ahead.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "reference/archive/guess_record.h"
#include "reference/archive/metadata_decoder.h"
#include "reference/archive/record_reader.h"
#include "validator/check/mean_record.h"
#include "validator/check/parts_ahead.h"
#include "validator/check/report_watch.h"

namespace pmproof::validator {
namespace {

using archive::RecordReader;
using archive::RecordView;

// Shorter ones would be looked at for longer than they are decoded.
constexpr std::size_t kLeastMost = 64;
constexpr std::uint64_t kShortest = std::uint64_t{64} << 10;

// So many records of a part at most: decoded they take more memory than in the file.
constexpr std::size_t kMostRecords = std::size_t{1} << 14;

// A part that is decoded while those in front of it are, by a thread that does not know yet whether
// a record begins where one seems to, and how many come before it. It ends where something about
// the frames is to be said.
class PartAhead final : public WorkPool::Job {
 public:
  PartAhead(const MetadataFile& meta, FilePart where, FindingCollector fresh)
      : collector(std::move(fresh)),
        decoder(meta.version, meta.file->bytes().size(), collector),
        meta_(meta),
        where_(where) {}

  void Run() override {
    const archive::NewSource source =
        archive::MakeSource(*meta_.file, {}, archive::Compression::kNone);
    source->Skip(where_.begin);
    if (!where_.exact && !archive::SkipToRecord(*source, *meta_.file, where_.end,
                                                {archive::kMetaPart, meta_.version})) {
      return;
    }
    start = end = source->position();
    ReportWatch watch;
    RecordReader reader(*source, archive::kMetaPart, meta_.version, watch, 0);
    while (reader.position() < where_.end && records < kMostRecords) {
      const Result<std::optional<RecordView>> next = reader.Next();
      if (!next || !*next || watch.any()) break;
      static_cast<void>(decoder.Add(**next));  // it has no limit
      ++records;
      end = reader.position();
    }
  }

  FilePart part() const { return where_; }

  // The outcome. Records are counted from 0.
  FindingCollector collector;
  archive::MetadataDecoder decoder;
  std::uint64_t records = 0;
  std::optional<std::uint64_t> start;  // where the first one begins, ...
  std::optional<std::uint64_t> end;    // ... and the last one ends

 private:
  const MetadataFile meta_;
  const FilePart where_;
};

}  // namespace

Result<archive::Metadata> LoadMetadataAhead(WorkPool& pool, MetadataFile meta, std::size_t part,
                                            FindingCollector& collector, std::size_t budget) {
  std::optional<std::uint64_t> content_end;
  if (const auto content = meta.source->mapped()) content_end = content->size();
  archive::MetadataDecoder decoder(meta.version, content_end, collector, budget);
  std::optional<RecordReader> reader(std::in_place, *meta.source, archive::kMetaPart, meta.version,
                                     collector);
  const bool ahead = meta.file != nullptr && part >= kLeastMost;
  PartsAhead<PartAhead> parts(pool, ahead ? meta.file->bytes().size() : 0,
                              {std::min<std::uint64_t>(kShortest, part), part});
  if (parts.any()) {
    if (const auto mean = MeanRecord(*meta.file, reader->position()))
      parts.LimitTo(*mean * (kMostRecords / 4 * 3));
  }
  std::uint64_t records = 0;
  while (true) {
    const std::uint64_t position = reader->position();
    const std::unique_ptr<PartAhead> next = parts.Take(
        position,
        [&](FilePart where) { return std::make_unique<PartAhead>(meta, where, collector.Fresh()); },
        [&](const PartAhead& done) { return done.start == position; });
    if (next && decoder.Append(std::move(next->decoder), records + 1)) {
      collector.Merge(std::move(next->collector), records + 1);
      records += next->records;
      meta.source->Skip(static_cast<std::size_t>(*next->end - meta.source->position()));
      reader.emplace(*meta.source, archive::kMetaPart, meta.version, collector, records + 1);
      continue;
    }
    while (reader->position() < parts.next()) {
      const Result<std::optional<RecordView>> record = reader->Next();
      if (!record) return tl::unexpected(record.error());
      if (!*record) return std::move(decoder).Finish(*reader);
      if (std::optional<Status> failure = decoder.Add(**record)) return tl::unexpected(*failure);
      ++records;
    }
  }
}

}  // namespace pmproof::validator
