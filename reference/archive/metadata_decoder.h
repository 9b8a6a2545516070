// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_METADATA_DECODER_H_
#define PMPROOF_REFERENCE_ARCHIVE_METADATA_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "reference/archive/known_instances.h"
#include "reference/archive/layout.h"
#include "reference/archive/metadata.h"
#include "reference/archive/record_reader.h"
#include "reference/archive/reporter.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// Decodes the records of a .meta file, one after the other; or those of a part of it, for another
// one that decodes what is in front. Reports what LoadMetadata() says, but for the framing.
class MetadataDecoder {
 public:
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  // `version` is that of the file, `content_end` where it ends, if that is known. `reporter`
  // outlives this. The vectors of the result take no more than `budget` bytes.
  MetadataDecoder(int version, std::optional<std::uint64_t> content_end, Reporter& reporter,
                  std::size_t budget = kNoLimit)
      : version_(version), content_end_(content_end), reporter_(reporter), budget_(budget) {}

  // The next record, whose bytes outlive the result. Its place is kBudget's where the vectors would
  // take too much.
  [[nodiscard]] std::optional<Status> Add(const RecordView& record);

  // Adds what another one decoded of the records that follow, which it counted from 0; so many are
  // in front of them in the file. False, and nothing is done, if the vectors would take too much.
  bool Append(MetadataDecoder&& part, std::uint64_t records_before);

  // `reader` has framed all records.
  Metadata Finish(const RecordReader& reader) &&;

 private:
  bool Decode(const RecordView& record, RecordType type);
  bool IsLast(const RecordView& record) const {
    return content_end_ && record.offset + record.bytes.size() == *content_end_;
  }
  // What the vectors take, and would take with those of `more`.
  std::size_t Memory() const;
  std::size_t MemoryWith(const Metadata& more) const;

  int version_;
  std::optional<std::uint64_t> content_end_;
  Reporter& reporter_;
  std::size_t budget_;
  Metadata metadata_;
  KnownInstances known_instances_;
  bool seen_desc_ = false;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_METADATA_DECODER_H_
