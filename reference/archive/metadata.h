// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_METADATA_H_
#define PMPROOF_REFERENCE_ARCHIVE_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reference/archive/desc_record.h"
#include "reference/archive/indom_record.h"
#include "reference/archive/label_record.h"
#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/text_record.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// Where one framed record of .meta lies, whether it could be decoded or not.
struct RecordPosition {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  RecordType type{};  // 0 if the record is too short to have one; other values occur
  std::uint64_t ordinal = 0;
  std::optional<Timestamp> time;  // of instance domains and labels (ARC-340, ARC-390)

  std::uint64_t end() const { return offset + length; }
};

// The records of one .meta file, decoded, in file order by kind. Views point into the file's
// content, which must outlive this. Records that could not be decoded are left out (and were
// reported). Memory is proportional to the bytes of the records, whatever counts they claim.
struct Metadata {
  std::vector<DescRecord> descs;
  std::vector<IndomRecord> indoms;
  std::vector<LabelRecord> labels;
  std::vector<TextRecord> texts;
  std::vector<RecordPosition> positions;  // of all framed records but the label
  std::uint64_t records = 0;              // all framed records but the label
  std::uint64_t undecoded = 0;            // how many of them were left out
  std::uint64_t end = 0;                  // end of the last whole record
  std::optional<std::uint64_t> lost;  // where framing was lost: the bytes from there on are unread
  bool ended_inside = false;          // the file ends inside its last record

  // False if there are or may be records that are not in here: absence proves nothing then.
  bool Complete() const { return !lost && undecoded == 0; }
};

// Decodes all records from where `source` stands, after the label of a .meta file of the given
// version. Views of `source` must hold as long as it does (see MakeAddressable), and it must
// outlive the result. Reports the framing rules, what each record can show, and rules ARC-1301,
// 1302, 1332. A record of a type that belongs to the other version is decoded in that version's
// layout (ARC-301). Errors are the source's, and kBudget where the vectors of the result would take
// more than `budget` bytes.
Result<Metadata> LoadMetadata(Source& source, int version, Reporter& reporter,
                              std::size_t budget = std::numeric_limits<std::size_t>::max());

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_METADATA_H_
