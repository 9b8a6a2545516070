// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_INDOM_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_INDOM_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/name_ends.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

class KnownInstances;

// An INDOM_V2, INDOM or INDOM_DELTA record (ARC-340, ARC-370), decoded. A view.
struct IndomRecord {
  RecordView record;
  Timestamp time;
  Indom indom;
  bool delta = false;
  bool distinct = false;          // no identifier occurs twice
  std::uint32_t count = 0;        // instances, or changes of a delta
  std::uint32_t identifiers = 0;  // offset in the record of the list of identifiers
  std::uint32_t table =
      0;  // offset in the record of the string table; it ends 4 bytes before the record
  // Names overlap in the table so much that together they are far longer than it is (ARC-1421 was
  // reported): what looks at all bytes of each is not linear in the bytes of the record. Where a
  // name ends is known at once all the same.
  bool tangled() const { return ends() != nullptr; }
  const NameEnds* ends() const { return std::get_if<NameEnds>(note.get()); }

  // All but these entries have identifiers and names of the full record at that offset. Nothing if
  // it was not held against another record.
  struct Fresh {
    std::uint64_t before = 0;
    std::vector<std::uint32_t> entries;
  };
  const Fresh* fresh() const { return std::get_if<Fresh>(note.get()); }

  // No record has both, and most have neither: there may be millions of them.
  std::shared_ptr<const std::variant<NameEnds, Fresh>> note;

  std::int32_t Id(std::uint32_t i) const { return LoadI32(Ids() + 4 * std::size_t{i}); }

  // The identifiers as stored, `count` words.
  const std::uint8_t* Ids() const { return record.bytes.data() + identifiers; }

  // The offset of name `i` in the string table as stored; -1 in a delta: deleted.
  std::int32_t NameOffset(std::uint32_t i) const {
    return LoadI32(record.bytes.data() + identifiers + 4 * (std::size_t{count} + i));
  }

  // Nothing for a deleted instance. A name without NUL ends with the table (ARC-1404 was reported).
  std::optional<std::string_view> Name(std::uint32_t i) const {
    const std::int32_t offset = NameOffset(i);
    if (offset < 0) return std::nullopt;
    const auto begin = static_cast<std::size_t>(offset);
    const std::string_view strings = Strings();
    return ends() == nullptr ? UpToNul(strings.substr(begin))
                             : strings.substr(begin, ends()->EndOf(strings, begin) - begin);
  }

  std::string_view Strings() const {
    return AsText(record.bytes.subspan(table, record.bytes.size() - table - kLengthWord));
  }

  // Where the words of entry `i` are.
  Location IdAt(std::uint32_t i) const { return record.At(identifiers + 4 * std::size_t{i}, 4); }
  Location NameOffsetAt(std::uint32_t i) const {
    return record.At(identifiers + 4 * (std::size_t{count} + i), 4);
  }
  Location IndomAt() const { return record.At(identifiers - 8, 4); }
  Location CountAt() const { return record.At(identifiers - 4, 4); }
};

// Decodes and validates all that one record can show (rules ARC-1109, ARC-1401..1412, 1417..1421,
// 1427, 1429, 1431). `version` is the archive's. Nothing if readers cannot load it. `known`, if it
// is not null, has the records before of the same archive: most are as one of those.
std::optional<IndomRecord> DecodeIndom(const RecordView& record, int version, Reporter& reporter,
                                       KnownInstances* known = nullptr);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_INDOM_RECORD_H_
