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
  ValueSet(const std::uint8_t* record, std::uint32_t offset) : record_(record), offset_(offset) {}

  Pmid pmid() const { return Pmid{LoadU32(record_ + offset_)}; }
  // The number of values; 0 for "no values"; an error code if negative (ARC-201..203).
  std::int32_t numval() const { return LoadI32(record_ + offset_ + 4); }
  std::uint32_t count() const { return numval() > 0 ? static_cast<std::uint32_t>(numval()) : 0; }
  // ARC-015; only where numval() > 0.
  std::int32_t format() const { return LoadI32(record_ + offset_ + 8); }
  std::int32_t Instance(std::uint32_t i) const { return LoadI32(Pair(i)); }
  // The insitu value, or the index of the block (ARC-205, ARC-207).
  std::uint32_t Word(std::uint32_t i) const { return LoadU32(Pair(i) + 4); }
  // The block of value `i`; only where format() is not insitu.
  ValueBlock Block(std::uint32_t i) const {
    const std::uint8_t* block = record_ + BlockOffset(Word(i));
    const std::uint32_t header = LoadU32(block);
    return {static_cast<MetricType>(header >> 24), Bytes(block + 4, (header & 0xffffff) - 4)};
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
};

// A data record (ARC-150), decoded. A view.
struct DataRecord {
  RecordView record;
  Timestamp time;
  std::uint32_t set_count = 0;
  std::uint32_t sets = 0;      // offset of the first value set
  std::uint32_t sets_end = 0;  // offset of the first value block, or of the trailing length word

  bool IsMark() const { return set_count == 0; }  // ARC-151

  // Calls visit(ValueSet) for each set in file order.
  template <typename Visit>
  void ForEachSet(Visit&& visit) const {
    std::uint32_t at = sets;
    for (std::uint32_t i = 0; i < set_count; ++i) {
      const ValueSet set(record.bytes.data(), at);
      visit(set);
      at += set.size();
    }
  }
};

// Decodes the record and validates its structure (rules ARC-1106, 1108, 1701..1712, 1716, 1717,
// 1725). Nothing if readers refuse the record (R=LOGREC).
std::optional<DataRecord> DecodeDataRecord(const RecordView& record, int version,
                                           Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_DATA_RECORD_H_
