// SPDX-License-Identifier: Apache-2.0
#include "validator/check/mean_record.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

constexpr std::uint64_t kLookedAt = std::uint64_t{64} << 10;

}  // namespace

std::optional<std::uint64_t> MeanRecord(const archive::StoredFile& file, std::uint64_t position) {
  const std::uint64_t size = file.bytes().size();
  std::vector<std::uint8_t> bytes(std::min(kLookedAt, size - std::min(size, position)));
  file.Read(position, bytes);
  std::size_t at = 0;
  std::size_t records = 0;
  while (bytes.size() - at >= archive::kLengthWord) {
    const std::size_t length = LoadU32(bytes.data() + at);
    if (length < archive::kMinRecord || length > bytes.size() - at) break;
    at += length;
    ++records;
  }
  if (at <= bytes.size() / 2) return std::nullopt;
  return at / records;
}

}  // namespace pmproof::validator
