// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_TESTING_DAMAGE_H_
#define PMPROOF_REFERENCE_REPLAY_TESTING_DAMAGE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/replay/testing/random_archive.h"

namespace pmproof::replay::testing {

// Damages one of the volumes of archive "a", of version 3: bytes of one of the later records, or
// the end.
inline void Damage(Chance& chance, archive::MemoryStorage* storage) {
  constexpr std::size_t kLabel = 808;
  std::vector<std::vector<std::uint8_t>*> volumes;
  for (auto& [name, bytes] : storage->files) {
    if (name.find_first_not_of("0123456789", 2) == std::string::npos) volumes.push_back(&bytes);
  }
  std::vector<std::uint8_t>& bytes = *volumes[chance.Below(volumes.size())];
  if (bytes.size() <= kLabel) return;
  const std::size_t records = bytes.size() - kLabel;
  if (chance.In(12))
    return bytes.resize(bytes.size() - 1 - chance.Below(std::min<std::size_t>(records, 40)));
  const std::size_t late = chance.In(4) ? 0 : records / 2;
  const std::size_t at = kLabel + late + chance.Below(records - late);
  if (chance.In(2)) {
    bytes[at] = static_cast<std::uint8_t>(chance.Below(256));
  } else {
    bytes[at - at % 4 + 3] ^= static_cast<std::uint8_t>(1U << chance.Below(8));
  }
}

// Up to six times from the start to two seconds after `end`, some of them at the times of records.
inline std::vector<Timestamp> SomeTimes(Chance& chance, double end) {
  std::vector<Timestamp> times;
  for (std::uint64_t i = 0; i <= chance.Below(6); ++i) {
    const double half_seconds =
        static_cast<double>(chance.Below(static_cast<std::uint64_t>(2 * end + 4)));
    times.push_back(At(half_seconds / 2 + (chance.In(3) ? 0.125 : 0)));
  }
  return times;
}

}  // namespace pmproof::replay::testing

#endif  // PMPROOF_REFERENCE_REPLAY_TESTING_DAMAGE_H_
