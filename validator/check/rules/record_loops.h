// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_RECORD_LOOPS_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_RECORD_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "validator/check/rules/series_state.h"

namespace pmproof::validator {

// What has to be true of a number beside its place. Counters come first.
enum class NumberKind : std::uint8_t {
  kCounter32,
  kCounterU32,
  kCounter64,
  kCounterU64,
  kCounterFloat,
  kCounterDouble,
  kFloat,
  kDouble,
};

inline constexpr std::size_t kNumberKinds = 8;

constexpr bool IsCounter(NumberKind kind) { return kind < NumberKind::kFloat; }

// Numbers that lie at equal distances in a record.
struct NumberRun {
  std::uint32_t place = 0;  // of the first one, in bytes
  std::uint32_t step = 0;   // from one to the next
  std::uint32_t count = 0;
};

// The loops over the words of a record that a check spends most of its time in. They are compiled
// for processors with wide vectors as well; the outcome is the same.
struct RecordLoops {
  // True if `count` words of the record differ from `words`, which are as stored, in bits of the
  // mask.
  bool (*differ)(const std::uint8_t* record, const std::uint32_t* words, const std::uint32_t* mask,
                 std::size_t count);

  // The same where words are larger by `shift`, modulo 2^32, than those of `words`: they are not in
  // `unshifted`, which is a mask, too. A word is in a mask as a whole or not at all.
  bool (*differ_shifted)(const std::uint8_t* record, const std::uint32_t* words,
                         const std::uint32_t* mask, const std::uint32_t* unshifted,
                         std::size_t count, std::uint32_t shift);

  // How many words of the record, of `count`, come before the first that differs so.
  std::size_t (*same_words)(const std::uint8_t* record, const std::uint32_t* words,
                            const std::uint32_t* mask, std::size_t count);

  // True if the second word of each of `count` pairs is that of `known` plus `shift`, modulo 2^32.
  bool (*are_shifted)(const std::uint8_t* pairs, const std::uint8_t* known, std::size_t count,
                      std::uint32_t shift);

  // True if each number is finite (ARC-1828), and each counter not negative (ARC-1831) and not less
  // than its value before (ARC-1825). `last` are the keys of these for all runs together, `fresh`
  // becomes the new ones; both are for counters alone.
  bool (*are_good)(NumberKind kind, const std::uint8_t* record, std::span<const NumberRun> runs,
                   const CounterKey* last, CounterKey* fresh);
};

// Those for any processor, and the fastest ones that this processor has.
const RecordLoops& PlainLoops();
const RecordLoops& FastestLoops();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_RECORD_LOOPS_H_
