// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_MEMORY_BUDGET_H_
#define PMPROOF_REFERENCE_ARCHIVE_MEMORY_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// What reading an archive may take beside the mapping of its files, and how that is shared out.
// Whatever needs more ends with Status::Kind::kBudget: nothing is claimed about the archive then.
class MemoryBudget {
 public:
  static constexpr std::size_t kDefault = std::size_t{512} << 20;

  constexpr explicit MemoryBudget(std::size_t bytes = kDefault) : bytes_(bytes) {}

  constexpr std::size_t bytes() const { return bytes_; }

  // Of a compressed file. The dictionary of the decoder and its window at their largest, which is
  // held twice while it grows, together stay within the budget.
  constexpr SourceLimits Reading() const {
    SourceLimits limits;
    limits.dictionary = bytes_ / 16 * 9;
    limits.window = bytes_ / 4;
    return limits;
  }
  // Of decoded metadata; and of the content of a compressed .meta or .index, which is held whole.
  constexpr std::size_t Metadata() const { return bytes_ / 8 * 5; }
  // Of what is noted about the entries of the index.
  constexpr std::size_t Index() const { return bytes_ / 4; }
  // Of one record that is decoded into a model and encoded again.
  constexpr std::size_t Record() const { return bytes_ / 2; }
  // Of the answers of one pass of a replay.
  constexpr std::size_t Answers() const { return bytes_ / 4 * 3; }
  // Of an archive that is held as a whole, uncompressed.
  constexpr std::size_t Archive() const { return bytes_ / 2; }

 private:
  std::size_t bytes_;
};

// What is reported where memory ran out at a place of a file.
inline Status BeyondBudget(std::string file, std::optional<std::uint64_t> offset = std::nullopt) {
  return {.kind = Status::Kind::kBudget,
          .file = std::move(file),
          .offset = offset,
          .message = "this takes more memory than the budget allows"};
}

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_MEMORY_BUDGET_H_
