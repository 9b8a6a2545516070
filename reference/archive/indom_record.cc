// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/indom_record.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "reference/archive/instance_names.h"
#include "reference/archive/known_instances.h"
#include "reference/core/sort_words.h"

namespace pmproof::archive {
namespace {

// An archive may have a million of them within the memory budget that check has for metadata.
static_assert(sizeof(IndomRecord) <= 96);

std::size_t HeaderSize(RecordType type) {
  return LayoutOf(type == RecordType::kIndomV2 ? 2 : 3).timestamp + 16;
}

// False if readers refuse the record (ARC-341, ARC-343, ARC-370).
bool CheckWords(const IndomRecord& indom, Reporter& reporter) {
  const std::size_t table = indom.Strings().size();
  bool loadable = true;
  for (std::uint32_t i = 0; i < indom.count; ++i) {
    const std::int32_t id = indom.Id(i);
    if (id < 0) {
      loadable = false;
      reporter.Report("ARC-1407"_clause, indom.IdAt(i), [&] {
        return Details{"instance identifier", std::to_string(id), ">= 0",
                       "the instance identifier is negative"};
      });
    }
    const std::int32_t offset = indom.NameOffset(i);
    if (offset == -1 && indom.delta) continue;
    if (offset >= 0 && static_cast<std::size_t>(offset) < table) continue;
    const std::string actual = std::to_string(offset);
    if (offset < 0 && indom.delta) {
      loadable = false;
      reporter.Report("ARC-1406"_clause, indom.NameOffsetAt(i), [&] {
        return Details{"name offset", actual, ">= -1", "the name offset in a delta is below -1"};
      });
    } else if (offset == -1) {
      loadable = false;
      reporter.Report("ARC-1405"_clause, indom.NameOffsetAt(i), [&] {
        return Details{"name offset", actual, ">= 0",
                       "a full record marks an instance as deleted, as only a delta may"};
      });
    } else {
      const bool at_end = offset >= 0 && static_cast<std::size_t>(offset) == table;
      loadable = loadable && at_end;
      reporter.Report(
          "ARC-1403"_clause, indom.NameOffsetAt(i),
          [&] {
            return Details{"name offset", actual, "0.." + std::to_string(table) + " exclusive",
                           at_end ? "the name begins where the string table ends"
                                  : "the name begins outside the string table"};
          },
          at_end ? Gravity::kError : Gravity::kAsCatalogued);
    }
  }
  return loadable;
}

// True if no identifier occurs twice.
bool CheckIdentifiers(const IndomRecord& indom, int version, Reporter& reporter) {
  bool ascending = true;
  for (std::uint32_t i = 1; i < indom.count; ++i) {
    if (indom.Id(i - 1) < indom.Id(i)) continue;
    ascending = false;
    if (version != 3 || indom.Id(i - 1) == indom.Id(i)) continue;
    reporter.Report("ARC-1419"_clause, indom.IdAt(i), [&] {
      return Details{"instance identifier", std::to_string(indom.Id(i)),
                     "> " + std::to_string(indom.Id(i - 1)),
                     "the instance identifiers do not ascend"};
    });
    break;
  }
  if (ascending) return true;

  std::vector<std::uint64_t> sorted;
  sorted.reserve(indom.count);
  for (std::uint32_t i = 0; i < indom.count; ++i) {
    sorted.push_back(std::uint64_t{static_cast<std::uint32_t>(indom.Id(i))} << 32 | i);
  }
  SortByUpperHalf(sorted);
  bool distinct = true;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k - 1] >> 32 != sorted[k] >> 32) continue;
    distinct = false;
    const auto i = static_cast<std::uint32_t>(sorted[k]);
    reporter.Report(indom.delta ? "ARC-1417"_clause : "ARC-1408"_clause, indom.IdAt(i), [&] {
      return Details{"instance identifier", std::to_string(indom.Id(i)), "each identifier once",
                     indom.delta ? "the delta mentions an identifier more than once"
                                 : "an instance identifier occurs more than once"};
    });
  }
  return distinct;
}

void ReportTooShort(const RecordView& record, std::size_t minimum, Reporter& reporter) {
  reporter.Report("ARC-1109"_clause, record.Whole(), [&] {
    return Details{"N", std::to_string(record.bytes.size()), ">= " + std::to_string(minimum),
                   "the record is too short for an instance domain"};
  });
}

}  // namespace

std::optional<IndomRecord> DecodeIndom(const RecordView& record, int version, Reporter& reporter,
                                       KnownInstances* known) {
  const std::size_t size = record.bytes.size();
  const std::uint8_t* p = record.bytes.data();
  if (size < kMinRecord + 4) {
    ReportTooShort(record, HeaderSize(RecordType::kIndomV2) + kLengthWord, reporter);
    return std::nullopt;
  }
  // The record's own type says how it is laid out, whatever the archive's version (ARC-301).
  const auto type = static_cast<RecordType>(LoadI32(p + 4));
  const std::size_t header = HeaderSize(type);
  if (size < header + kLengthWord) {
    ReportTooShort(record, header + kLengthWord, reporter);
    return std::nullopt;
  }

  IndomRecord indom;
  indom.record = record;
  indom.time = LoadTimestamp(p + 8, type == RecordType::kIndomV2 ? 2 : 3);
  indom.indom = Indom{LoadU32(p + header - 8)};
  indom.delta = type == RecordType::kIndomDelta;
  const std::int32_t count = LoadI32(p + header - 4);
  const std::size_t room = (size - header - kLengthWord) / 8;
  if (count < 0 || static_cast<std::size_t>(count) > room) {
    reporter.Report(
        count < 0 ? "ARC-1401"_clause : "ARC-1402"_clause, record.At(header - 4, 4), [&] {
          return Details{"n", std::to_string(count), "0.." + std::to_string(room),
                         count < 0 ? "the number of instances is negative"
                                   : "the record has no room for that number of instances"};
        });
    return std::nullopt;
  }
  indom.count = static_cast<std::uint32_t>(count);
  indom.identifiers = static_cast<std::uint32_t>(header);
  indom.table = static_cast<std::uint32_t>(header + 8 * std::size_t{indom.count});

  const bool sound = known != nullptr && known->AreSound(&indom, version);
  if (!sound && !CheckWords(indom, reporter)) return std::nullopt;
  if (indom.indom.flag()) {
    reporter.Report("ARC-1412"_clause, indom.IndomAt(), [&] {
      return Details{"pmInDom", ToText(indom.indom), "an instance domain with flag bit 0",
                     "no metric can refer to this instance domain"};
    });
  }
  if (indom.count == 0) {
    reporter.Report("ARC-1418"_clause, record.At(header - 4, 4), [&] {
      return Details{"n", "0", "> 0",
                     "readers ignore a record without instances: the previous ones stay"};
    });
    return indom;
  }
  indom.distinct = sound || CheckIdentifiers(indom, version, reporter);
  if (!sound) CheckInstanceNames(&indom, reporter);
  return indom;
}

}  // namespace pmproof::archive
