// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_DATA_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_DATA_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// A value block (ARC-230). A view.
struct ValueBlock {
  MetricType type = MetricType::kUnknown;
  Bytes payload;  // without header and padding
};

// One value set of a data record (ARC-200). A view into the record; the record was decoded, so that
// every pair and block is inside it.
class ValueSet {
 public:
  ValueSet(Bytes record, std::uint32_t offset)
      : record_(record.data()),
        offset_(offset),
        length_(static_cast<std::uint32_t>(record.size())) {}

  Pmid pmid() const { return Pmid{LoadU32(record_ + offset_)}; }
  // The number of values; 0 for "no values"; an error code if negative (ARC-201..203).
  std::int32_t numval() const { return LoadI32(record_ + offset_ + 4); }
  std::uint32_t count() const { return numval() > 0 ? static_cast<std::uint32_t>(numval()) : 0; }
  // ARC-015; only where numval() > 0.
  std::int32_t format() const { return LoadI32(record_ + offset_ + 8); }
  std::int32_t Instance(std::uint32_t i) const { return LoadI32(Pair(i)); }
  // The insitu value, or the index of the block (ARC-205, ARC-207).
  std::uint32_t Word(std::uint32_t i) const { return LoadU32(Pair(i) + 4); }
  // The block of value `i`; only where format() is not insitu. Empty, at the start of the record,
  // if it is not inside the record any more: that of a file which is cut short after the record was
  // decoded turns to zeros (StoredFile::lost).
  ValueBlock Block(std::uint32_t i) const {
    const std::uint64_t at = BlockOffset(Word(i));
    if (at > length_ - 4) [[unlikely]]
      return {MetricType::kUnknown, Bytes(record_ + 4, 0)};
    const std::uint32_t header = LoadU32(record_ + at);
    const std::uint32_t length = header & 0xffffff;
    if (length < 4 || length > length_ - at) [[unlikely]] {
      return {MetricType::kUnknown, Bytes(record_ + 4, 0)};
    }
    return {static_cast<MetricType>(header >> 24), Bytes(record_ + at + 4, length - 4)};
  }
  // The header of that block and the `size` bytes of payload after it; null likewise.
  const std::uint8_t* BlockOf(std::uint32_t word, std::uint32_t size) const {
    const std::uint64_t at = BlockOffset(word);
    return at > length_ || at + 4 + size > length_ ? nullptr : record_ + at;
  }

  std::uint32_t offset() const { return offset_; }
  std::uint32_t PairOffset(std::uint32_t i) const { return offset_ + 12 + 8 * i; }
  // All bytes of the set: 8 where there are no values.
  std::uint32_t size() const { return numval() > 0 ? 12 + 8 * count() : 8; }
  const std::uint8_t* Pair(std::uint32_t i) const { return record_ + PairOffset(i); }

  // ARC-207: from the start of the record.
  static constexpr std::uint64_t BlockOffset(std::uint32_t index) {
    return 4 * (std::uint64_t{index} - 2);
  }

 private:
  const std::uint8_t* record_;
  std::uint32_t offset_;
  std::uint32_t length_;  // of the record: at least that of a set
};

// A data record (ARC-150), decoded. A view.
struct DataRecord {
  RecordView record;
  Timestamp time;
  std::uint32_t set_count = 0;
  std::uint32_t sets = 0;  // offset of the first value set
  // Offset of the first value block, or, if there is none or nobody has looked, of the trailing
  // length word.
  std::uint32_t sets_end = 0;

  bool IsMark() const { return set_count == 0; }  // ARC-151

  // Calls visit(ValueSet) for each set in file order.
  template <typename Visit>
  void ForEachSet(Visit&& visit) const {
    std::uint32_t at = sets;
    for (std::uint32_t i = 0; i < set_count; ++i) {
      const ValueSet set(record.bytes, at);
      visit(set);
      at += set.size();
    }
  }

  // The same, up to the set of which visit(ValueSet) returns true. Finds out of each whether it
  // lies within the record; returns false, and ends, where one does not.
  template <typename Visit>
  bool ForEachSetUntil(Visit&& visit) const {
    std::uint32_t at = sets;
    for (std::uint32_t i = 0; i < set_count; ++i) {
      const std::uint32_t left = sets_end - at;
      if (left < 8) return false;
      const ValueSet set(record.bytes, at);
      if (set.numval() > 0 && (left < 12 || set.count() > (left - 12) / 8)) return false;
      if (visit(set)) return true;
      at += set.size();
    }
    return true;
  }
};

// Decodes the record and validates its structure (rules ARC-1106, 1108, 1701..1712, 1716, 1717,
// 1725). Nothing if readers refuse the record (R=LOGREC).
std::optional<DataRecord> DecodeDataRecord(const RecordView& record, int version,
                                           Reporter& reporter);

// The same of a record that is taken to be sound (INT-311): looks at its length and its number of
// sets only. ForEachSetUntil() is for it, ForEachSet() is not.
std::optional<DataRecord> BelieveDataRecord(const RecordView& record, int version);

// True if the blocks of the set, which are not insitu values, all have this header and follow each
// other in the record from the offset `begin` on, none ending after `end` (ARC-207, ARC-208,
// ARC-230). The header says a length, its own four bytes included, of at least one word and of
// whole words.
bool AreEqualBlocks(const std::uint8_t* record, const ValueSet& set, std::uint32_t header,
                    std::uint32_t begin, std::uint32_t end);

// Reports what is unusual about the form of a set of a decoded record, and read all the same
// (ARC-1717, ARC-1725). DecodeDataRecord() does so for each set.
void ReportForm(const DataRecord& decoded, const ValueSet& set, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_DATA_RECORD_H_
