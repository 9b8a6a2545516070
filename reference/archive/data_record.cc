// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/data_record.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "reference/archive/canonical_record.h"

namespace pmproof::archive {
namespace {

// One value's reference to its block, for records that are not laid out canonically.
struct BlockReference {
  std::uint64_t block = 0;      // offset in the record (ARC-207)
  std::uint32_t reference = 0;  // offset in the record of the index word
  Pmid pmid;
};

Details Describe(std::string field, std::string actual, std::string expected, std::string message) {
  return {std::move(field), std::move(actual), std::move(expected), std::move(message)};
}

// Finds out what is wrong with the structure of one record, or that it is unusual but right. Only
// records that are not canonical (ARC-601) come here, so this may take its time: n log n in the
// number of values.
class Explainer {
 public:
  Explainer(const RecordView& record, std::uint32_t sets, std::uint32_t set_count,
            Reporter& reporter)
      : record_(record),
        data_(record.bytes.data()),
        sets_(sets),
        set_count_(set_count),
        end_(static_cast<std::uint32_t>(record.bytes.size() - kLengthWord)),
        reporter_(reporter) {}

  // Where the sets end if readers accept the record. Otherwise one violation was reported.
  std::optional<std::uint32_t> Explain() {
    std::uint32_t at = sets_;
    std::uint32_t parsed = 0;
    while (parsed < set_count_ && TakeSet(at)) {
      at += ValueSet(record_.bytes, at).size();
      ++parsed;
      if (parsed < set_count_ && SetsEndAt(at)) {
        WrongCount(parsed);
        return std::nullopt;
      }
    }
    if (parsed < set_count_) {
      SetFault(at);
      return std::nullopt;
    }
    if (SetsContinue(at) || !ExplainBlocks(at)) return std::nullopt;
    return at;
  }

 private:
  // Takes the references of the set at `at`; false if it does not fit or has an unknown format.
  bool TakeSet(std::uint32_t at) {
    if (end_ - at < 8) return false;
    const ValueSet set(record_.bytes, at);
    if (set.numval() <= 0) return true;
    if (end_ - at < 12 || set.count() > (end_ - at - 12) / 8) return false;
    if (set.format() < kInsitu || set.format() > kStatic) return false;
    if (set.format() == kInsitu) return true;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      references_.push_back(
          {ValueSet::BlockOffset(set.Word(i)), set.PairOffset(i) + 4, set.pmid()});
      const std::uint64_t block = references_.back().block;
      if (set.Word(i) >= 2 && block >= sets_ && block < end_)
        first_block_ = std::min(first_block_, block);
    }
    return true;
  }

  // True if the blocks, or the end of the record, begin at `at`.
  bool SetsEndAt(std::uint32_t at) const { return at == first_block_ || at == end_; }

  void WrongCount(std::uint32_t found) {
    reporter_.Report("ARC-1703"_clause, record_.At(sets_ - 4, 4), [&] {
      return Describe("numpmid", std::to_string(set_count_), std::to_string(found),
                      "the number of value sets is not the number of sets that are there");
    });
  }

  void SetFault(std::uint32_t at) {
    if (end_ - at < 8) {
      reporter_.Report("ARC-1702"_clause, record_.At(sets_ - 4, 4), [&] {
        return Describe("numpmid", std::to_string(set_count_), "",
                        "the value sets do not fit into the record");
      });
      return;
    }
    const ValueSet set(record_.bytes, at);
    const Reporter::About about(reporter_, set.pmid());
    if (end_ - at < 12 || set.count() > (end_ - at - 12) / 8) {
      reporter_.Report("ARC-1704"_clause, record_.At(at + 4, 4), [&] {
        return Describe("numval", std::to_string(set.numval()),
                        "at most " + std::to_string(end_ - at < 12 ? 0 : (end_ - at - 12) / 8),
                        "the values of " + ToText(set.pmid()) + " do not fit into the record");
      });
      return;
    }
    reporter_.Report("ARC-1705"_clause, record_.At(at + 8, 4), [&] {
      return Describe("valfmt", std::to_string(set.format()), "0, 1 or 2",
                      "the values of " + ToText(set.pmid()) + " have an unknown format");
    });
  }

  // What lies between the last set and the first block (or the end) may be more sets than were
  // counted.
  bool SetsContinue(std::uint32_t at) {
    std::uint32_t found = set_count_;
    std::uint32_t next = at;
    const std::size_t own = references_.size();
    while (!SetsEndAt(next) && next < first_block_ && TakeSet(next)) {
      next += ValueSet(record_.bytes, next).size();
      ++found;
    }
    if (found > set_count_ && SetsEndAt(next)) {
      WrongCount(found);
      return true;
    }
    references_.resize(own);
    return false;
  }

  bool ExplainBlocks(std::uint32_t sets_end) {
    for (const BlockReference& reference : references_) {
      if (reference.block >= sets_end && reference.block <= end_ - kLengthWord) continue;
      const Reporter::About about(reporter_, reference.pmid);
      reporter_.Report("ARC-1706"_clause, record_.At(reference.reference, 4), [&] {
        return Describe(
            "value", std::to_string(LoadI32(data_ + reference.reference)),
            std::to_string(sets_end / 4 + 2) + " to " + std::to_string(end_ / 4 + 1),
            "the index of a value block points outside the record or into its value sets");
      });
      return false;
    }

    const auto by_block = [](const BlockReference& a, const BlockReference& b) {
      return a.block < b.block;
    };
    const bool in_order = std::is_sorted(references_.begin(), references_.end(), by_block);
    std::vector<BlockReference> sorted = references_;
    if (!in_order) std::stable_sort(sorted.begin(), sorted.end(), by_block);

    std::uint64_t covered = sets_end;
    std::optional<std::uint64_t> gap;
    std::uint64_t gap_size = 0;
    const BlockReference* previous = nullptr;
    for (const BlockReference& reference : sorted) {
      if (previous != nullptr && reference.block == previous->block) return Shared(reference);
      if (reference.block < covered) return Overlap(reference);
      if (reference.block > covered && !gap) {
        gap = covered;
        gap_size = reference.block - covered;
      }
      const std::uint32_t length = LoadU32(data_ + reference.block) & 0xffffff;
      if (length < kLengthWord) return TooShort(reference, length);
      if (PadToWord(length) > end_ - reference.block) return TooLong(reference, length);
      covered = reference.block + PadToWord(length);
      previous = &reference;
    }
    if (covered < end_ && !gap) {
      gap = covered;
      gap_size = end_ - covered;
    }
    if (gap) {
      reporter_.Report("ARC-1708"_clause, record_.At(*gap, gap_size), [&] {
        return Describe("value blocks", std::to_string(gap_size) + " bytes", "none",
                        "bytes of the record belong to no value block");
      });
      return false;
    }
    if (!in_order) {
      reporter_.Report("ARC-1716"_clause, record_.Whole(), [&] {
        return Describe("value", "", "",
                        "the value blocks are not in the order in which values refer to them");
      });
    }
    return true;
  }

  bool Shared(const BlockReference& reference) {
    const Reporter::About about(reporter_, reference.pmid);
    reporter_.Report("ARC-1711"_clause, record_.At(reference.reference, 4), [&] {
      return Describe("value", std::to_string(LoadI32(data_ + reference.reference)), "",
                      "two values refer to the same value block");
    });
    return false;
  }

  bool Overlap(const BlockReference& reference) {
    const Reporter::About about(reporter_, reference.pmid);
    reporter_.Report("ARC-1707"_clause, record_.At(reference.reference, 4), [&] {
      return Describe("value", std::to_string(LoadI32(data_ + reference.reference)), "",
                      "a value block begins inside another one");
    });
    return false;
  }

  bool TooShort(const BlockReference& reference, std::uint32_t length) {
    const Reporter::About about(reporter_, reference.pmid);
    reporter_.Report("ARC-1709"_clause, record_.At(reference.block, 4), [&] {
      return Describe("len", std::to_string(length), "at least 4",
                      "the length of a value block leaves out its own header");
    });
    return false;
  }

  bool TooLong(const BlockReference& reference, std::uint32_t length) {
    const Reporter::About about(reporter_, reference.pmid);
    reporter_.Report("ARC-1710"_clause, record_.At(reference.block, 4), [&] {
      return Describe("len", std::to_string(length),
                      "at most " + std::to_string(end_ - reference.block),
                      "a value block runs past the end of its record");
    });
    return false;
  }

  const RecordView& record_;
  const std::uint8_t* data_;
  std::uint32_t sets_;
  std::uint32_t set_count_;
  std::uint32_t end_;
  Reporter& reporter_;
  std::vector<BlockReference> references_;
  std::uint64_t first_block_ = ~std::uint64_t{0};
};

}  // namespace

// Nothing here waits for the header before to say where the next one is, which makes it several
// times as fast as a walk.
bool AreEqualBlocks(const std::uint8_t* record, const ValueSet& set, std::uint32_t header,
                    std::uint32_t begin, std::uint32_t end) {
  const std::size_t length = header & 0xffffff;
  const std::uint32_t count = set.count();
  if (count > (end - begin) / length) return false;
  std::uint32_t stored = 0;  // the header as it stands in the record: none of them need be turned
  StoreU32(reinterpret_cast<std::uint8_t*>(&stored), header);
  const auto step = static_cast<std::uint32_t>(length / 4);
  const std::uint8_t* word = set.Pair(0) + 4;
  const std::uint8_t* block = record + begin;
  std::uint32_t index = begin / 4 + 2;
  std::uint32_t different = 0;
  for (std::uint32_t k = 0; k < count; ++k, word += 8, block += length, index += step) {
    std::uint32_t found = 0;
    std::memcpy(&found, block, sizeof found);
    different |= (LoadU32(word) ^ index) | (found ^ stored);
  }
  return different == 0;
}

void ReportForm(const DataRecord& decoded, const ValueSet& set, Reporter& reporter) {
  if (set.numval() <= 0 || set.format() == kInsitu) return;
  const Reporter::About about(reporter, set.pmid());
  if (set.format() == kStatic) {
    reporter.Report("ARC-1725"_clause, decoded.record.At(set.offset() + 8, 4), [&] {
      return Describe("valfmt", "2", "1",
                      "a writer stored its in-memory format code; it is read like 1");
    });
  }
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const ValueBlock block = set.Block(i);
    const std::size_t length = block.payload.size() + 4;
    const std::size_t padding = PadToWord(length) - length;
    const std::uint8_t* end = block.payload.data() + block.payload.size() + padding;
    const std::uint8_t* wrong =
        std::find_if(end - padding, end, [](std::uint8_t byte) { return byte != '~'; });
    if (wrong == end) continue;
    const auto at = static_cast<std::size_t>(wrong - decoded.record.bytes.data());
    reporter.Report("ARC-1717"_clause, decoded.record.At(at, static_cast<std::size_t>(end - wrong)),
                    [&] {
                      return Describe("padding", "", "~ (0x7e)",
                                      "the padding of a value block is not canonical");
                    });
  }
}

std::optional<DataRecord> BelieveDataRecord(const RecordView& record, int version) {
  const Layout& layout = LayoutOf(version);
  const std::size_t size = record.bytes.size();
  if (size < layout.mark) return std::nullopt;
  const std::uint8_t* data = record.bytes.data();
  const auto sets = static_cast<std::uint32_t>(layout.timestamp + 2 * kLengthWord);
  const auto end = static_cast<std::uint32_t>(size - kLengthWord);
  const std::int32_t numpmid = LoadI32(data + sets - 4);
  if (numpmid < 0 || (numpmid == 0 && size != layout.mark)) return std::nullopt;
  return DataRecord{record, LoadTimestamp(data + kLengthWord, version),
                    static_cast<std::uint32_t>(numpmid), sets, end};
}

std::optional<DataRecord> DecodeDataRecord(const RecordView& record, int version,
                                           Reporter& reporter) {
  const Layout& layout = LayoutOf(version);
  const std::size_t size = record.bytes.size();
  if (size % 4 != 0) {
    reporter.Report("ARC-1106"_clause, record.Whole(), [&] {
      return Describe("N", std::to_string(size), "a multiple of 4",
                      "a data record is not made of whole words");
    });
    return std::nullopt;
  }
  if (size < layout.mark) {
    reporter.Report("ARC-1108"_clause, record.Whole(), [&] {
      return Describe("N", std::to_string(size), "at least " + std::to_string(layout.mark),
                      "a data record is too short for its fixed fields");
    });
    return std::nullopt;
  }

  const std::uint8_t* data = record.bytes.data();
  const auto sets = static_cast<std::uint32_t>(layout.timestamp + 2 * kLengthWord);
  const auto end = static_cast<std::uint32_t>(size - kLengthWord);
  const std::int32_t numpmid = LoadI32(data + sets - 4);
  if (numpmid < 0) {
    reporter.Report("ARC-1701"_clause, record.At(sets - 4, 4), [&] {
      return Describe("numpmid", std::to_string(numpmid), ">= 0",
                      "the number of value sets is negative");
    });
    return std::nullopt;
  }
  if (numpmid == 0 && size != layout.mark) {
    reporter.Report("ARC-1712"_clause, record.Whole(), [&] {
      return Describe("N", std::to_string(size), std::to_string(layout.mark),
                      "a mark record holds more than its time");
    });
    return std::nullopt;
  }
  const auto set_count = static_cast<std::uint32_t>(numpmid);
  if (set_count > (end - sets) / 8) {
    reporter.Report("ARC-1702"_clause, record.At(sets - 4, 4), [&] {
      return Describe("numpmid", std::to_string(numpmid),
                      "at most " + std::to_string((end - sets) / 8),
                      "the value sets do not fit into the record");
    });
    return std::nullopt;
  }

  DataRecord decoded{record, LoadTimestamp(data + kLengthWord, version), set_count, sets, sets};
  if (const auto canonical = ReadCanonicalRecord(data, sets, set_count, end)) {
    decoded.sets_end = canonical->sets_end;
    for (const std::uint32_t offset : canonical->unusual)
      ReportForm(decoded, ValueSet(record.bytes, offset), reporter);
    return decoded;
  }
  const auto sets_end = Explainer(record, sets, set_count, reporter).Explain();
  if (!sets_end) return std::nullopt;
  decoded.sets_end = *sets_end;
  decoded.ForEachSet([&](const ValueSet& set) { ReportForm(decoded, set, reporter); });
  return decoded;
}

}  // namespace pmproof::archive
