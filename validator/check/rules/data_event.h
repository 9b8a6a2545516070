// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_DATA_EVENT_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_DATA_EVENT_H_

#include <cstdint>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

struct Logue;

// What the walk over the data volumes tells of each record, in file order, volume by volume.
// Records too short to have a time are left out.
struct DataEvent {
  archive::Part volume = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint64_t ordinal = 0;       // in its volume; the label is 0
  Timestamp time;                  // as stored
  std::int32_t fraction = 0;       // micro- or nanoseconds as stored
  std::uint32_t set_count = 0;     // 0: a mark (ARC-151)
  std::uint32_t first_metric = 0;  // of the first value set, as stored
  const Logue* logue = nullptr;    // if it is one; holds while the event is told

  bool IsMark() const { return set_count == 0; }
  std::uint64_t end() const { return offset + length; }
  archive::Location Whole() const { return {volume, offset, length, ordinal}; }
  // The timestamp after the leading length word (ARC-150).
  archive::Location TimeField(int version) const {
    return {volume, offset + archive::kLengthWord, archive::LayoutOf(version).timestamp, ordinal};
  }
};

// How far a file was read.
struct ReadExtent {
  std::uint64_t end = 0;              // of the last whole record, or of the label
  std::optional<std::uint64_t> size;  // of the uncompressed file; nothing if it did not decompress

  bool Whole() const { return size == end; }
  // No record can begin at `end`: what is left there is no length word (ARC-1105).
  bool HasNoMore() const { return size && *size < end + 4; }
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_DATA_EVENT_H_
