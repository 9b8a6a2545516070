// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_FRAME_FORESIGHT_H_
#define PMPROOF_VALIDATOR_CHECK_FRAME_FORESIGHT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// Asks the memory for the ends of records that come soon. Whoever looks at nothing but frames waits
// for each of them: a processor cannot know where the next one is. Archives repeat what they log,
// so after a record of some length comes one as long as the last time. A value.
class FrameForesight {
 public:
  // `record` is the one that is read now. What lies after it need not be memory.
  void After(Bytes record) {
    constexpr int kAhead = 4;
    std::size_t length = record.size();
    followers_[PlaceOf(last_)] = static_cast<std::uint32_t>(length);
    last_ = length;
    auto end = reinterpret_cast<std::uintptr_t>(record.data()) + length;
    for (int i = 0; i < kAhead; ++i) {
      length = followers_[PlaceOf(length)];
      end += length;
    }
    __builtin_prefetch(reinterpret_cast<const void*>(end));
  }

 private:
  std::size_t PlaceOf(std::size_t length) const { return length / 4 % followers_.size(); }

  std::size_t last_ = 0;
  std::array<std::uint32_t, 64> followers_{};  // of lengths
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_FRAME_FORESIGHT_H_
