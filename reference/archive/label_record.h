// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_RECORD_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// True for the six classes that there are (ARC-013).
inline bool IsLabelClass(LabelClass label_class) {
  const auto bits = static_cast<std::uint32_t>(label_class);
  return std::has_single_bit(bits) && bits <= static_cast<std::uint32_t>(LabelClass::kInstances);
}

// One entry of a label set (ARC-391, ARC-394): offsets are relative to the set's JSON.
struct LabelEntry {
  std::uint16_t name_offset = 0;
  std::uint8_t name_length = 0;
  std::uint8_t flags = 0;
  std::uint16_t value_offset = 0;
  std::uint16_t value_length = 0;
};

// One label set of a LABEL record (ARC-391). A view.
struct LabelSet {
  std::int32_t instance = -1;
  std::string_view json;
  std::int32_t count = 0;  // entries; an error code if negative (ARC-399)
  const std::uint8_t* entries = nullptr;
  std::size_t offset = 0;  // of the set, in the record

  LabelEntry Entry(std::size_t i) const {
    const std::uint8_t* p = entries + 8 * i;
    return {LoadU16(p), p[2], p[3], LoadU16(p + 4), LoadU16(p + 6)};
  }
};

// A LABEL_V2 or LABEL record (ARC-390..399), decoded. A view.
struct LabelRecord {
  RecordView record;
  Timestamp time;
  LabelClass label_class = LabelClass::kContext;  // as stored: other values occur
  std::uint32_t identifier = 0;
  std::uint32_t set_count = 0;
  std::uint32_t sets = 0;  // offset in the record of the first set

  // The metric whose labels these are; nothing of other classes.
  std::optional<Pmid> Metric() const {
    return label_class == LabelClass::kItem ? std::optional(Pmid{identifier}) : std::nullopt;
  }

  // Calls visit(const LabelSet&) for each set in file order.
  template <typename Visit>
  void ForEachSet(Visit&& visit) const {
    std::size_t at = sets;
    for (std::uint32_t i = 0; i < set_count; ++i) {
      const std::uint8_t* p = record.bytes.data() + at;
      const std::uint32_t json = LoadU32(p + 4);
      LabelSet set;
      set.instance = LoadI32(p);
      set.json = AsText(record.bytes.subspan(at + 8, json));
      set.count = LoadI32(p + 8 + json);
      set.entries = p + 12 + json;
      set.offset = at;
      visit(set);
      at += 12 + json + (set.count > 0 ? 8 * static_cast<std::size_t>(set.count) : 0);
    }
  }
};

// Decodes and validates all that one record can show (rules ARC-1109, ARC-1501, 1503..1515,
// 1517..1519, 1521..1523, 1526, 1528..1530). `version` is the archive's. Nothing if readers cannot
// load it.
std::optional<LabelRecord> DecodeLabels(const RecordView& record, int version, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_RECORD_H_
