// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LAYOUT_H_
#define PMPROOF_REFERENCE_ARCHIVE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"

// The one coding module: where things are in the files of an archive, by version. Offsets count
// from the first byte of a record, that is from its leading length word.

namespace pmproof::archive {

// The parts of an archive are numbered as the volume field of a label numbers them (ARC-017): 0, 1,
// ... data volumes, -1 .meta, -2 .index. kWholeArchive is for what concerns no single file.
using Part = std::int32_t;
inline constexpr Part kMetaPart = -1;
inline constexpr Part kIndexPart = -2;
inline constexpr Part kWholeArchive = -3;

inline constexpr std::uint32_t kLabelMagic = 0x50052600;  // | version (ARC-017)
inline constexpr std::size_t kLengthWord = 4;
inline constexpr std::size_t kMinRecord = 8;  // two length words (ARC-082)

// Metadata record types (ARC-016).
enum class RecordType : std::int32_t {
  kDesc = 1,
  kIndomV2 = 2,
  kLabelV2 = 3,
  kText = 4,
  kIndom = 5,
  kIndomDelta = 6,
  kLabel = 7,
};

inline constexpr std::int32_t kInsitu = 0;  // value formats (ARC-015)
inline constexpr std::int32_t kDynamic = 1;
inline constexpr std::int32_t kStatic = 2;

// What differs between version 2 and 3.
struct Layout {
  int version;
  std::size_t timestamp;    // 8 / 12 (ARC-003, ARC-004)
  std::size_t label;        // 132 / 808 (ARC-100, ARC-101)
  std::size_t index_entry;  // 20 / 32 (ARC-451, ARC-452)
  std::size_t mark;         // 20 / 24: also the smallest data record (ARC-151, ARC-082)
  std::size_t host_field;   // offset and size of the text fields of a label
  std::size_t host_size;
  std::size_t timezone_field;
  std::size_t timezone_size;
  std::size_t zoneinfo_field;  // 0 in version 2
  std::size_t zoneinfo_size;
};

inline constexpr Layout kLayoutV2 = {2, 8, 132, 20, 20, 24, 64, 88, 40, 0, 0};
inline constexpr Layout kLayoutV3 = {3, 12, 808, 32, 24, 36, 256, 292, 256, 548, 256};

// `version` is 2 or 3.
inline constexpr const Layout& LayoutOf(int version) {
  return version == 3 ? kLayoutV3 : kLayoutV2;
}

// Decodes the timestamp at `p`, which has layout.timestamp bytes (ARC-003, ARC-004: in version 3
// the low word of the seconds comes first). Microseconds are multiplied in 32 bits, as readers do.
inline Timestamp LoadTimestamp(const std::uint8_t* p, int version) {
  if (version == 3) {
    const std::uint64_t low = LoadU32(p);
    const std::uint64_t high = LoadU32(p + 4);
    return {static_cast<std::int64_t>(high << 32 | low), LoadI32(p + 8)};
  }
  return {LoadI32(p), static_cast<std::int32_t>(LoadU32(p + 4) * 1000U)};
}

// The microseconds (version 2) or nanoseconds (version 3) as stored, and whether they are in range.
inline std::int32_t LoadFraction(const std::uint8_t* p, int version) {
  return LoadI32(p + (version == 3 ? 8 : 4));
}
inline bool FractionInRange(std::int32_t fraction, int version) {
  return fraction >= 0 && fraction < (version == 3 ? 1'000'000'000 : 1'000'000);
}

// Stores `time` in layout.timestamp bytes; version 2 truncates to microseconds and seconds to 32
// bits (ARC-003): the caller has refused what does not fit.
inline void StoreTimestamp(std::uint8_t* p, Timestamp time, int version) {
  if (version == 3) {
    StoreU32(p, static_cast<std::uint32_t>(time.seconds));
    StoreU32(p + 4, static_cast<std::uint32_t>(static_cast<std::uint64_t>(time.seconds) >> 32));
    StoreU32(p + 8, static_cast<std::uint32_t>(time.nanoseconds));
  } else {
    StoreU32(p, static_cast<std::uint32_t>(time.seconds));
    StoreU32(p + 4, static_cast<std::uint32_t>(time.nanoseconds / 1000));
  }
}

// Bytes rounded up to whole 32-bit words, as value blocks are padded (ARC-230).
inline constexpr std::size_t PadToWord(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LAYOUT_H_
