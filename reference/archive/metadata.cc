// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/metadata.h"

#include <utility>

#include "reference/archive/metadata_decoder.h"
#include "reference/archive/record_reader.h"

namespace pmproof::archive {

Result<Metadata> LoadMetadata(Source& source, int version, Reporter& reporter, std::size_t budget) {
  std::optional<std::uint64_t> content_end;
  if (const auto content = source.mapped()) content_end = content->size();
  MetadataDecoder decoder(version, content_end, reporter, budget);
  RecordReader reader(source, kMetaPart, version, reporter);
  while (true) {
    const Result<std::optional<RecordView>> record = reader.Next();
    if (!record) return tl::unexpected(record.error());
    if (!*record) return std::move(decoder).Finish(reader);
    if (std::optional<Status> failure = decoder.Add(**record)) return tl::unexpected(*failure);
  }
}

}  // namespace pmproof::archive
