// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ZEROS_H_
#define PMPROOF_REFERENCE_ARCHIVE_ZEROS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/core/bytes.h"

namespace pmproof::archive {

// How many bytes at the front are zero. As fast as memory: files are found that were extended by
// gigabytes of them.
inline std::size_t LeadingZeros(Bytes bytes) {
  constexpr std::size_t kStep = 4096;
  static constexpr std::uint8_t kZeros[kStep] = {};
  std::size_t at = 0;
  if (bytes.empty() || bytes.front() != 0) return 0;
  while (bytes.size() - at >= kStep && std::memcmp(bytes.data() + at, kZeros, kStep) == 0) {
    at += kStep;
  }
  const auto rest = bytes.subspan(at, std::min(bytes.size() - at, kStep));
  return at + static_cast<std::size_t>(
                  std::find_if(rest.begin(), rest.end(), [](std::uint8_t b) { return b != 0; }) -
                  rest.begin());
}

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ZEROS_H_
