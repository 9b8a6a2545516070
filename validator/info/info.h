// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_INFO_INFO_H_
#define PMPROOF_VALIDATOR_INFO_INFO_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/archive_label.h"
#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/metric.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"

// What an archive holds, as values: what `info` shows. It says what is there and does not judge;
// what cannot be decoded is left out of the counts and named as a problem.

namespace pmproof::archive {
struct Metadata;
}

namespace pmproof::validator {

struct FileInfo {
  archive::Part part = 0;
  std::string name;
  archive::Compression compression = archive::Compression::kNone;
  std::uint64_t stored = 0;                   // bytes as they lie there
  std::optional<std::uint64_t> uncompressed;  // nothing if the file could not be read to its end
};

// A mark record and the data records around it (ARC-510).
struct MarkInfo {
  Timestamp time;
  std::optional<Timestamp> before;
  std::optional<Timestamp> after;
};

// In ArchiveInfo::gaps: an interval without a mark that is more than ten times as long as the
// median one (ARC-2010).
struct GapInfo {
  Timestamp from;
  Timestamp to;
  std::int64_t nanoseconds = 0;
};

struct MetadataCounts {
  std::uint64_t descriptors = 0;              // DESC records
  std::uint64_t metrics = 0;                  // distinct PMIDs
  std::uint64_t names = 0;                    // in all DESC records of different metrics
  std::map<MetricType, std::uint64_t> types;  // of metrics; the first descriptor counts (ARC-307)
  std::map<Semantics, std::uint64_t> semantics;
  std::uint64_t indoms = 0;                      // distinct instance domains that have a record
  std::uint64_t full_records = 0;                // INDOM_V2 and INDOM
  std::uint64_t delta_records = 0;               // INDOM_DELTA
  std::map<LabelClass, std::uint64_t> labels;    // LABEL records
  std::map<std::uint32_t, std::uint64_t> texts;  // TEXT records by TextType
  std::uint64_t undecoded = 0;                   // records that could not be decoded
};

struct DataCounts {
  std::uint64_t records = 0;  // data records, marks not included
  std::uint64_t marks = 0;
  std::uint64_t value_sets = 0;
  std::uint64_t values = 0;
  std::uint64_t undecoded = 0;
  std::optional<Timestamp> first;  // the earliest and the latest of all records, marks included
  std::optional<Timestamp> last;
};

struct ArchiveInfo {
  // At most so many marks are kept; DataCounts has their number.
  static constexpr std::size_t kMostMarks = 32;

  std::string archive;
  // Set if nothing can be said: there is no such archive, or nothing in it is one's file.
  std::optional<Status> failure;
  std::optional<archive::ArchiveLabel> label;  // of the lowest-numbered volume that has one
  std::vector<FileInfo> files;                 // .meta, .index, volumes
  MetadataCounts metadata;
  std::uint64_t index_entries = 0;
  std::uint64_t volumes = 0;
  DataCounts data;
  std::int64_t median_interval = 0;  // nanoseconds; 0 if there are too few records to tell
  std::vector<MarkInfo> marks;       // the first ones
  std::vector<GapInfo> gaps;         // the longest ones, in the order of time
  // The data records next to each other that are furthest apart, marks between them or not.
  std::optional<GapInfo> longest_distance;
  std::vector<Status> problems;  // why not all of it could be read
};

// "none", "xz", "lzma", "bz2", "gz", "compress", "zstd".
const char* CompressionName(archive::Compression compression);

// "metric one-line", "indom help" and the like; "type-N" for what is not a TextType.
std::string HelpTextName(std::uint32_t type);

// Told of an archive's metadata, as far as they can be decoded, while they are in memory.
using MetadataVisitor = std::function<void(const archive::Metadata&)>;

// Reads the archive that `name` stands for (ARC-038) in one pass. Memory is that of its metadata,
// and bounded for the data. `listings` may be null (see FindArchive).
ArchiveInfo GatherInfo(const archive::Storage& storage, const std::string& name,
                       const archive::Listings* listings = nullptr,
                       const archive::MemoryBudget& budget = archive::MemoryBudget(),
                       const MetadataVisitor& on_metadata = nullptr);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_INFO_INFO_H_
