// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_RANDOM_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_RANDOM_RECORD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"

namespace pmproof::archive::testing {

// Choices that are the same in each run.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  std::uint32_t Below(std::uint64_t count) { return static_cast<std::uint32_t>(random_() % count); }
  bool In(std::uint64_t count) { return Below(count) == 0; }

 private:
  std::mt19937_64 random_;
};

struct RandomSets {
  std::uint32_t least = 1;    // sets
  std::uint32_t most = 12;    // sets
  std::uint32_t many_in = 8;  // one set of so many has more than nine values, ...
  std::uint32_t many = 100;   // ... up to so many
  bool static_form = false;   // some have format 2
};

// Sets of every form: errors, none, insitu, numbers in blocks, texts.
inline ResultModel RandomResult(Chance& chance, const RandomSets& wanted) {
  ResultModel result;
  const std::uint32_t sets = wanted.least + chance.Below(wanted.most - wanted.least + 1);
  for (std::uint32_t i = 0; i < sets; ++i) {
    ValueSetModel& set = result.sets.emplace_back();
    set.pmid = Pmid::Of(29, 0, i);
    if (chance.In(6)) {
      set.status = chance.In(2) ? 0 : -12350;
      continue;
    }
    set.format = chance.In(3) ? kInsitu : wanted.static_form && chance.In(10) ? kStatic : kDynamic;
    const bool texts = chance.In(3);
    const std::uint32_t count = 1 + chance.Below(chance.In(wanted.many_in) ? wanted.many : 9);
    for (std::uint32_t k = 0; k < count; ++k) {
      ValueModel& value = set.values.emplace_back();
      value.instance = static_cast<std::int32_t>(k);
      value.value = k;
      if (set.format == kInsitu) continue;
      BlockModel block{static_cast<std::uint8_t>(MetricType::kU64), std::string(8, 'n'), {}};
      if (texts) block = {static_cast<std::uint8_t>(MetricType::kString), "", {}};
      if (texts) block.payload.assign(chance.Below(14), 't');
      value.value = std::move(block);
    }
  }
  return result;
}

inline Buffer BytesOf(const ResultModel& result, int version) {
  Buffer bytes;
  AppendResult(result, version, &bytes);
  bytes.shrink_to_fit();  // so that sanitizers see its end
  return bytes;
}

// Changes one word, not before the `first` one: of the first sets more often than of the many
// values.
inline void Damage(Chance& chance, std::uint32_t first, Buffer* bytes) {
  const std::uint32_t words = static_cast<std::uint32_t>(bytes->size() / 4) - 1;
  const std::uint32_t rest = words - first;
  const std::uint32_t word = first + chance.Below(chance.In(2) ? rest : std::min(rest, 40U));
  std::uint8_t* at = bytes->data() + 4 * std::size_t{word};
  const std::uint32_t old = LoadU32(at);
  switch (chance.Below(4)) {
    case 0:
      return StoreU32(at, old + (chance.In(2) ? 1 : -1));
    case 1:
      return StoreU32(at, old ^ (1U << chance.Below(32)));
    case 2:
      return StoreU32(at, chance.Below(words + 10));
    default:
      at[chance.Below(4)] = static_cast<std::uint8_t>(chance.Below(256));
  }
}

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_RANDOM_RECORD_H_
