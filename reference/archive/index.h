// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_INDEX_H_
#define PMPROOF_REFERENCE_ARCHIVE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "reference/archive/layout.h"
#include "reference/archive/zeros.h"
#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// One entry of the temporal index (ARC-451, ARC-452).
struct IndexEntry {
  Timestamp time;
  std::int32_t fraction = 0;  // as stored
  std::int32_t volume = 0;
  std::int64_t meta_offset = 0;
  std::int64_t data_offset = 0;
};

// The entries of an .index file: a view of the bytes after its label. A partial last entry is left
// out (ARC-453).
class IndexView {
 public:
  IndexView() = default;
  IndexView(Bytes entries, int version) : bytes_(entries), version_(version) {}

  std::size_t size() const { return bytes_.size() / LayoutOf(version_).index_entry; }
  std::size_t partial_bytes() const { return bytes_.size() % LayoutOf(version_).index_entry; }

  IndexEntry operator[](std::size_t i) const {
    const Layout& layout = LayoutOf(version_);
    const std::uint8_t* p = bytes_.data() + i * layout.index_entry;
    const std::uint8_t* q = p + layout.timestamp;
    IndexEntry entry;
    entry.time = LoadTimestamp(p, version_);
    entry.fraction = LoadFraction(p, version_);
    entry.volume = LoadI32(q);
    entry.meta_offset = version_ == 3 ? LoadI64(q + 4) : LoadU32(q + 4);
    entry.data_offset = version_ == 3 ? LoadI64(q + 12) : LoadU32(q + 8);
    return entry;
  }

  // How many entries from `i` on consist of zeros.
  std::size_t ZerosAt(std::size_t i) const {
    const std::size_t entry = LayoutOf(version_).index_entry;
    const std::size_t begin = std::min(i * entry, bytes_.size());
    return LeadingZeros(bytes_.subspan(begin)) / entry;
  }

  // The offset in the file of entry `i`.
  std::uint64_t OffsetOf(std::size_t i) const {
    return LayoutOf(version_).label + i * LayoutOf(version_).index_entry;
  }

 private:
  Bytes bytes_;
  int version_ = 2;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_INDEX_H_
