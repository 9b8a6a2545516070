// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_DESC_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_DESC_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/metric.h"

namespace pmproof::archive {

// A DESC record (ARC-302..306), decoded. A view: the names lie in `record`.
struct DescRecord {
  RecordView record;
  Descriptor descriptor;
  std::uint32_t name_count = 0;

  // Calls visit(std::string_view name, std::size_t offset of the name in the record) in file order.
  template <typename Visit>
  void ForEachName(Visit&& visit) const {
    std::size_t at = kNames;
    for (std::uint32_t i = 0; i < name_count; ++i) {
      const std::uint32_t length = LoadU32(record.bytes.data() + at);
      visit(AsText(record.bytes.subspan(at + 4, length)), at + 4);
      at += 4 + length;
    }
  }

  static constexpr std::size_t kNames = 32;
};

// Decodes and validates all that one record can show (rules ARC-1109, ARC-1303..1307, 1316..1331,
// 1334, 1335). Nothing if readers cannot load it: then just the rule that says why was reported. A
// count of names <= 0 is reported and gives no names; a name of length 0 is reported and kept.
std::optional<DescRecord> DecodeDesc(const RecordView& record, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_DESC_RECORD_H_
