#ifndef PMPROOF_REFERENCE_ARCHIVE_METADATA_H_
#define PMPROOF_REFERENCE_ARCHIVE_METADATA_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/archive/desc_record.h"
#include "reference/archive/indom_record.h"
#include "reference/archive/label_record.h"
#include "reference/archive/reporter.h"
#include "reference/archive/text_record.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// The records of one .meta file, decoded, in file order by kind. Views point into the file's content,
// which must outlive this. Records that could not be decoded are left out (and were reported).
struct Metadata {
  std::vector<DescRecord> descs;
  std::vector<IndomRecord> indoms;
  std::vector<LabelRecord> labels;
  std::vector<TextRecord> texts;
  std::uint64_t records = 0;       // all framed records but the label
  std::uint64_t end = 0;           // end of the last whole record
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_METADATA_H_
