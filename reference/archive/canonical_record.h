// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_CANONICAL_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_CANONICAL_RECORD_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace pmproof::archive {

// The structure of a data record that is as canonical writers make it: the blocks fill what the
// sets leave, back to back, in the order in which values refer to them (ARC-208, ARC-601).
struct CanonicalRecord {
  std::uint32_t sets_end = 0;  // offset of the first block, or of the trailing length word
  // Offsets of the sets that have format 2 (ARC-015), or padding that is not `~` (ARC-232),
  // ascending.
  std::vector<std::uint32_t> unusual;
};

// Checks all headers of sets and blocks, and all indexes, of a record of whole words in one pass.
// Offsets are from the start of the record: `sets` that of the first set, `end` that of the
// trailing length word; `set_count` is at most (end - sets) / 8. Nothing if the record is laid out
// otherwise, which does not say that readers refuse it. Time is linear in the size of the record.
std::optional<CanonicalRecord> ReadCanonicalRecord(const std::uint8_t* data, std::uint32_t sets,
                                                   std::uint32_t set_count, std::uint32_t end);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_CANONICAL_RECORD_H_
