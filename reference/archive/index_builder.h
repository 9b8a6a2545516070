// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_INDEX_BUILDER_H_
#define PMPROOF_REFERENCE_ARCHIVE_INDEX_BUILDER_H_

#include <cstdint>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/model.h"

namespace pmproof::archive {

struct IndexPolicy {
  std::uint64_t bytes_between =
      100000;               // an entry is due after so many bytes of a volume (ARC-625)
  bool final_entry = true;  // of an orderly exit (ARC-627)
  // What follows no logger does. No entry stands for a record that is earlier than the one before.
  bool only_forward = false;
  // The entry of that number, counted from 0, changes places with the one after it (ARC-1908):
  // whoever writes the entries sees to it.
  std::optional<std::uint64_t> swapped = std::nullopt;
};

// Which records get an entry in the temporal index, as pmlogger decides (ARC-620, ARC-625..627). A
// value.
class IndexBuilder {
 public:
  IndexBuilder(int version, IndexPolicy policy)
      : policy_(policy), limit_(policy.bytes_between), meta_offset_(LayoutOf(version).label) {}

  // A record of an instance domain was written.
  void NoteIndom() { indom_ = true; }

  // Says that a data record was written to `volume` from `begin` to `end` and that .meta now ends
  // at `meta_end`; gives the entry that is due for it. The offset in .meta is the one in front of
  // the metadata that came with the record. Marks get none (ARC-512).
  std::optional<IndexEntryModel> NoteResult(const ResultModel& result, Part volume,
                                            std::uint64_t begin, std::uint64_t end,
                                            std::uint64_t meta_end);

  // The entry at the end, unless the last record has one already (ARC-626).
  std::optional<IndexEntryModel> Last() const;

 private:
  bool SameTime(const IndexEntryModel& entry) const {
    return previous_ && *previous_ == entry.time.Normalised();
  }

  IndexPolicy policy_;
  std::uint64_t limit_;
  std::uint64_t meta_offset_;  // the end of .meta after the last data record
  bool first_ = true;
  bool indom_ = false;
  std::optional<Part> volume_;         // of the last data record
  std::optional<Timestamp> previous_;  // of the last entry
  IndexEntryModel last_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_INDEX_BUILDER_H_
