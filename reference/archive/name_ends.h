// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_NAME_ENDS_H_
#define PMPROOF_REFERENCE_ARCHIVE_NAME_ENDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pmproof::archive {

// Where the strings of a table end: found in constant time from any offset, so that thousands of
// names that begin inside of one long string take linear time. 4 bytes of memory for each 4 KiB.
class NameEnds {
 public:
  explicit NameEnds(std::string_view table) : next_(table.size() / kBlock + 2) {
    next_.back() = static_cast<std::uint32_t>(table.size());
    for (std::size_t block = next_.size() - 1; block-- > 0;) {
      const std::size_t nul = InBlock(table, std::min(block * kBlock, table.size()));
      next_[block] =
          nul == std::string_view::npos ? next_[block + 1] : static_cast<std::uint32_t>(nul);
    }
  }

  // The offset of the NUL at or after `offset`, the size of the table if there is none. `table` is
  // that of the constructor.
  std::size_t EndOf(std::string_view table, std::size_t offset) const {
    const std::size_t nul = InBlock(table, offset);
    return nul == std::string_view::npos ? next_[offset / kBlock + 1] : nul;
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  // From `offset` to the end of its block.
  static std::size_t InBlock(std::string_view table, std::size_t offset) {
    const std::size_t end = std::min((offset / kBlock + 1) * kBlock, table.size());
    const std::size_t nul = table.substr(offset, end - offset).find('\0');
    return nul == std::string_view::npos ? nul : offset + nul;
  }

  std::vector<std::uint32_t> next_;  // the end of what stands at the beginning of each block
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_NAME_ENDS_H_
