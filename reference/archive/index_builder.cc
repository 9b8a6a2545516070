// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/index_builder.h"

namespace pmproof::archive {

std::optional<IndexEntryModel> IndexBuilder::NoteResult(const ResultModel& result, Part volume,
                                                        std::uint64_t begin, std::uint64_t end,
                                                        std::uint64_t meta_end) {
  const bool mark = result.sets.empty();
  const std::uint64_t meta_offset = meta_offset_;
  if (mark) return std::nullopt;
  if (policy_.only_forward && volume_ && result.time < last_.time) return std::nullopt;
  const bool new_volume = volume_ != volume;
  volume_ = volume;
  meta_offset_ = meta_end;
  last_ = {result.time, volume, meta_end, begin};

  IndexEntryModel entry{result.time, volume, meta_offset, begin};
  const bool first = first_;
  const bool due = first || new_volume || indom_ || end > limit_;
  first_ = false;
  indom_ = false;
  if (!due) return std::nullopt;
  if (!first) limit_ = end + policy_.bytes_between;
  if (SameTime(entry)) return std::nullopt;
  previous_ = entry.time.Normalised();
  return entry;
}

std::optional<IndexEntryModel> IndexBuilder::Last() const {
  if (!policy_.final_entry || first_ || SameTime(last_)) return std::nullopt;
  return last_;
}

}  // namespace pmproof::archive
