// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/logue.h"

#include <iterator>

#include "reference/archive/layout.h"
#include "reference/core/identifiers.h"

namespace pmproof::validator {
namespace {

// The metrics of ARC-590 in their order.
constexpr Pmid kLogueMetrics[] = {Pmid::Of(2, 3, 3), Pmid::Of(2, 3, 0), Pmid::Of(2, 3, 2),
                                  Pmid::Of(2, 0, 23), Pmid::Of(2, 0, 24)};
constexpr unsigned kAllOfLogger = 7;
constexpr unsigned kAll = 31;

}  // namespace

std::optional<Logue> RecogniseLogue(Bytes bytes, int version) {
  // ARC-150: length word, timestamp, numpmid, then the sets; the trailing length word ends them.
  const std::uint8_t* const record = bytes.data();
  const std::size_t head = archive::kLengthWord + archive::LayoutOf(version).timestamp + 4;
  const std::uint32_t set_count = LoadU32(record + head - 4);
  if (!MayBeLogue(set_count)) return std::nullopt;
  const std::size_t end = bytes.size() - archive::kLengthWord;
  Logue logue;
  unsigned seen = 0;
  std::size_t at = head;
  for (std::uint32_t i = 0; i < set_count; ++i) {
    if (end - at < 8) return std::nullopt;
    const Pmid pmid{LoadU32(record + at)};
    const std::int32_t numval = LoadI32(record + at + 4);
    unsigned metric = 0;
    while (metric < std::size(kLogueMetrics) && kLogueMetrics[metric] != pmid) ++metric;
    if (metric == std::size(kLogueMetrics)) return std::nullopt;
    seen |= 1U << metric;
    if (numval <= 0) {
      at += 8;
      continue;
    }
    const std::size_t size = 12 + std::size_t{8} * static_cast<std::uint32_t>(numval);
    if (end - at < size) return std::nullopt;
    const std::int32_t format = LoadI32(record + at + 8);
    const std::uint32_t word = LoadU32(record + at + 16);
    if (metric == 3 && format != archive::kInsitu &&
        word >= 2) {  // a U64, in a block (ARC-207, ARC-230)
      const std::uint64_t block = 4 * (std::uint64_t{word} - 2);
      if (block <= end && end - block >= 12) logue.pmcd_pid = LoadU64(record + block + 4);
    } else if (metric == 4 && format == archive::kInsitu) {
      logue.seqnum = word;
    }
    at += size;
  }
  if (seen != (set_count == 5 ? kAll : kAllOfLogger)) return std::nullopt;
  return logue;
}

}  // namespace pmproof::validator
