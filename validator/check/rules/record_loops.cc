// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/record_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "reference/core/bytes.h"
#include "validator/check/rules/number_key.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kPiece = 256;  // words that are compared without a look at the outcome

bool Differ(const std::uint8_t* record, const std::uint32_t* words, const std::uint32_t* mask,
            std::size_t count) {
  const auto different = [&](std::size_t i) {
    std::uint32_t theirs;
    std::memcpy(&theirs, record + 4 * i, sizeof theirs);
    return (theirs ^ words[i]) & mask[i];
  };
  std::size_t at = 0;
  for (; at + kPiece <= count; at += kPiece) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kPiece; ++i) bits |= different(at + i);
    if (bits != 0) return true;
  }
  std::uint32_t bits = 0;
  for (; at < count; ++at) bits |= different(at);
  return bits != 0;
}

std::size_t SameWords(const std::uint8_t* record, const std::uint32_t* words,
                      const std::uint32_t* mask, std::size_t count) {
  std::size_t i = 0;
  for (; i < count; ++i) {
    std::uint32_t theirs;
    std::memcpy(&theirs, record + 4 * i, sizeof theirs);
    if (((theirs ^ words[i]) & mask[i]) != 0) break;
  }
  return i;
}

bool DifferShifted(const std::uint8_t* record, const std::uint32_t* words,
                   const std::uint32_t* mask, const std::uint32_t* unshifted, std::size_t count,
                   std::uint32_t shift) {
  const auto* const known = reinterpret_cast<const std::uint8_t*>(words);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t moved = shift & ~unshifted[i];
    bits |= ((LoadU32(known + 4 * i) + moved) ^ LoadU32(record + 4 * i)) & mask[i];
  }
  return bits != 0;
}

bool AreShifted(const std::uint8_t* pairs, const std::uint8_t* known, std::size_t count,
                std::uint32_t shift) {
  std::uint32_t different = 0;
  for (std::size_t i = 0; i < count; ++i)
    different |= (LoadU32(known + 8 * i + 4) + shift) ^ LoadU32(pairs + 8 * i + 4);
  return different == 0;
}

// The bits of a number of kSize bytes.
template <std::uint32_t kSize>
std::uint64_t Bits(const std::uint8_t* at) {
  if constexpr (kSize == 8) return LoadU64(at);
  return LoadU32(at);
}

// Looks at one run, number by number, from the `begin`-th one on.
struct One {
  template <typename Type, std::uint32_t kSize>
  [[gnu::always_inline]] static bool Count(const std::uint8_t* record, const NumberRun& run,
                                           const CounterKey* last, CounterKey* fresh,
                                           std::uint32_t begin = 0) {
    bool good = true;
    const std::uint8_t* at = record + run.place + std::size_t{begin} * run.step;
    for (std::uint32_t i = begin; i < run.count; ++i, at += run.step) {
      const std::uint64_t bits = Bits<kSize>(at);
      const CounterKey key = Type::Key(bits);
      fresh[i] = key;
      good &= Type::Finite(bits) & (key >= last[i]) & (key >= Type::kZero);
    }
    return good;
  }
};

template <typename Type, std::uint32_t kSize>
[[gnu::always_inline]] inline bool AreFinite(const std::uint8_t* record,
                                             std::span<const NumberRun> runs) {
  bool good = true;
  for (const NumberRun& run : runs) {
    const std::uint8_t* at = record + run.place;
    for (std::uint32_t i = 0; i < run.count; ++i, at += run.step)
      good &= Type::Finite(Bits<kSize>(at));
  }
  return good;
}

template <typename Counting, typename Type, std::uint32_t kSize>
[[gnu::always_inline]] inline bool AreCounting(const std::uint8_t* record,
                                               std::span<const NumberRun> runs,
                                               const CounterKey* last, CounterKey* fresh) {
  bool good = true;
  for (const NumberRun& run : runs) {
    good &= Counting::template Count<Type, kSize>(record, run, last, fresh);
    last += run.count;
    fresh += run.count;
  }
  return good;
}

template <typename Counting>
[[gnu::always_inline]] inline bool AreGoodBy(NumberKind kind, const std::uint8_t* record,
                                             std::span<const NumberRun> runs,
                                             const CounterKey* last, CounterKey* fresh) {
  switch (kind) {
    case NumberKind::kCounter32:
      return AreCounting<Counting, As32, 4>(record, runs, last, fresh);
    case NumberKind::kCounterU32:
      return AreCounting<Counting, AsU32, 4>(record, runs, last, fresh);
    case NumberKind::kCounter64:
      return AreCounting<Counting, As64, 8>(record, runs, last, fresh);
    case NumberKind::kCounterU64:
      return AreCounting<Counting, AsU64, 8>(record, runs, last, fresh);
    case NumberKind::kCounterFloat:
      return AreCounting<Counting, AsFloat, 4>(record, runs, last, fresh);
    case NumberKind::kCounterDouble:
      return AreCounting<Counting, AsDouble, 8>(record, runs, last, fresh);
    case NumberKind::kFloat:
      return AreFinite<AsFloat, 4>(record, runs);
    case NumberKind::kDouble:
      return AreFinite<AsDouble, 8>(record, runs);
  }
  return false;
}

bool AreGood(NumberKind kind, const std::uint8_t* record, std::span<const NumberRun> runs,
             const CounterKey* last, CounterKey* fresh) {
  return AreGoodBy<One>(kind, record, runs, last, fresh);
}

constexpr RecordLoops kPlain = {Differ, DifferShifted, SameWords, AreShifted, AreGood};

#if defined(__x86_64__)

using Wide [[gnu::vector_size(32)]] = std::uint64_t;
using WideSigned [[gnu::vector_size(32)]] = std::int64_t;
using WideWords [[gnu::vector_size(32)]] = std::uint32_t;
using WideBytes [[gnu::vector_size(32)]] = std::uint8_t;
constexpr std::size_t kLanes = 4;
constexpr std::size_t kWideWords = sizeof(Wide) / sizeof(std::uint32_t);

[[gnu::always_inline]] inline bool AnyBit(const Wide& bits) {
  return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
}

// The second words of four pairs.
[[gnu::always_inline]] inline void LoadSecondWords(const std::uint8_t* pairs, Wide* to) {
  WideBytes stored;
  std::memcpy(&stored, pairs, sizeof stored);
  const WideBytes turned =
      __builtin_shufflevector(stored, stored, 7, 6, 5, 4, 0, 0, 0, 0, 15, 14, 13, 12, 8, 8, 8, 8,
                              23, 22, 21, 20, 16, 16, 16, 16, 31, 30, 29, 28, 24, 24, 24, 24);
  *to = reinterpret_cast<const Wide&>(turned) & 0xffffffff;
}

// Four numbers of 64 bits in blocks of 12 bytes. No byte is read that is more than four after the
// last one, where the next block begins, or the length at the end of the record.
[[gnu::always_inline]] inline void LoadBlocks(const std::uint8_t* at, Wide* to) {
  const auto join = [](const std::uint8_t* low, const std::uint8_t* high, WideBytes* joined)
      __attribute__((always_inline)) {
    using Half [[gnu::vector_size(16)]] = std::uint8_t;
    Half halves[2];
    std::memcpy(&halves[0], low, sizeof halves[0]);
    std::memcpy(&halves[1], high, sizeof halves[1]);
    *joined = __builtin_shufflevector(halves[0], halves[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                      12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                      27, 28, 29, 30, 31);
  };
  WideBytes even;  // in the first half of each 16 bytes
  WideBytes odd;   // four bytes later
  join(at, at + 24, &even);
  join(at + 8, at + 32, &odd);
  const WideBytes turned =
      __builtin_shufflevector(even, odd, 7, 6, 5, 4, 3, 2, 1, 0, 43, 42, 41, 40, 39, 38, 37, 36, 23,
                              22, 21, 20, 19, 18, 17, 16, 59, 58, 57, 56, 55, 54, 53, 52);
  std::memcpy(to, &turned, sizeof turned);
}

template <typename Type>
constexpr bool kReal = std::is_same_v<Type, AsFloat> || std::is_same_v<Type, AsDouble>;

// The bits of four floats as those of the same numbers as doubles.
[[gnu::always_inline]] inline void ToDoubles(Wide* bits) {
  using Floats [[gnu::vector_size(16)]] = float;
  using Doubles [[gnu::vector_size(32)]] = double;
  const auto as_float = [&](int lane) {
    return std::bit_cast<float>(static_cast<std::uint32_t>((*bits)[lane]));
  };
  const Floats floats{as_float(0), as_float(1), as_float(2), as_float(3)};
  const Doubles doubles = __builtin_convertvector(floats, Doubles);
  std::memcpy(bits, &doubles, sizeof doubles);
}

struct Four {
  template <typename Type, std::uint32_t kSize>
  [[gnu::always_inline]] static bool Count(const std::uint8_t* record, const NumberRun& run,
                                           const CounterKey* last, CounterKey* fresh) {
    constexpr bool kSigned = Type::kZero == kSignBit;
    const std::uint8_t* at = record + run.place;
    WideSigned wrong{};
    WideSigned negative{};  // by its sign
    std::uint32_t i = 0;
    for (; i + kLanes <= run.count; i += kLanes, at += kLanes * std::size_t{run.step}) {
      Wide bits;
      if (kSize == 4 && run.step == 8) {
        LoadSecondWords(at - 4, &bits);
      } else if (kSize == 8 && run.step == 12) {
        LoadBlocks(at, &bits);
      } else {
        const std::size_t step = run.step;
        bits = Wide{Bits<kSize>(at), Bits<kSize>(at + step), Bits<kSize>(at + 2 * step),
                    Bits<kSize>(at + 3 * step)};
      }
      if constexpr (kReal<Type>) {
        if (kSize == 4) ToDoubles(&bits);
        // As integers, numbers without a sign are in their order, and come before what is no
        // number.
        const auto& ordered = reinterpret_cast<const WideSigned&>(bits);
        negative |= ordered;
        wrong |= ordered >= 0x7ff0000000000000;
      } else if (kSigned && kSize == 4) {
        bits = (bits ^ 0x80000000) - 0x80000000;
      }
      const Wide key = kSigned ? bits ^ kSignBit : bits;
      Wide before;
      std::memcpy(&before, last + i, sizeof before);
      std::memcpy(fresh + i, &key, sizeof key);
      const Wide ordered = key ^ kSignBit;  // as signed numbers: there is no other comparison
      const Wide ordered_before = before ^ kSignBit;
      wrong |= reinterpret_cast<const WideSigned&>(ordered) <
               reinterpret_cast<const WideSigned&>(ordered_before);
      if (kSigned && !kReal<Type>) wrong |= reinterpret_cast<const WideSigned&>(bits);  // the sign
    }
    // Of those with a sign one may be 0.
    if (kReal<Type> && (negative[0] | negative[1] | negative[2] | negative[3]) < 0)
      return One::Count<Type, kSize>(record, run, last, fresh);
    const bool good = (wrong[0] | wrong[1] | wrong[2] | wrong[3]) >= 0;  // no sign
    return good & One::Count<Type, kSize>(record, run, last, fresh, i);
  }
};

__attribute__((target("avx2"))) bool DifferWide(const std::uint8_t* record,
                                                const std::uint32_t* words,
                                                const std::uint32_t* mask, std::size_t count) {
  if (count < kWideWords) return Differ(record, words, mask, count);
  Wide different{};
  const auto compare = [&](std::size_t i) __attribute__((always_inline)) {
    Wide theirs;
    Wide ours;
    Wide bits;
    std::memcpy(&theirs, record + 4 * i, sizeof theirs);
    std::memcpy(&ours, words + i, sizeof ours);
    std::memcpy(&bits, mask + i, sizeof bits);
    different |= (theirs ^ ours) & bits;
  };
  std::size_t at = 0;
  for (; at + kPiece <= count; at += kPiece) {
    for (std::size_t i = 0; i < kPiece; i += kWideWords) compare(at + i);
    if (AnyBit(different)) return true;
  }
  for (; at + kWideWords <= count; at += kWideWords) compare(at);
  if (at < count) compare(count - kWideWords);  // some of them once more
  return AnyBit(different);
}

// Eight words as numbers.
[[gnu::always_inline]] inline void LoadWords(const void* stored, WideWords* to) {
  WideBytes bytes;
  std::memcpy(&bytes, stored, sizeof bytes);
  bytes =
      __builtin_shufflevector(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,
                              19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28);
  std::memcpy(to, &bytes, sizeof bytes);
}

__attribute__((target("avx2"))) bool DifferShiftedWide(const std::uint8_t* record,
                                                       const std::uint32_t* words,
                                                       const std::uint32_t* mask,
                                                       const std::uint32_t* unshifted,
                                                       std::size_t count, std::uint32_t shift) {
  WideWords different{};
  std::size_t at = 0;
  while (at + kWideWords <= count) {
    const std::size_t end = std::min(count - count % kWideWords, at + kPiece);
    for (; at < end; at += kWideWords) {
      WideWords theirs;
      WideWords ours;
      WideWords bits;
      WideWords fixed;
      LoadWords(record + 4 * at, &theirs);
      LoadWords(words + at, &ours);
      std::memcpy(&bits, mask + at, sizeof bits);
      std::memcpy(&fixed, unshifted + at, sizeof fixed);
      different |= ((ours + (~fixed & shift)) ^ theirs) & bits;
    }
    Wide any;
    std::memcpy(&any, &different, sizeof any);
    if (AnyBit(any)) return true;
  }
  return DifferShifted(record + 4 * at, words + at, mask + at, unshifted + at, count - at, shift);
}

__attribute__((target("avx2"))) std::size_t SameWordsWide(const std::uint8_t* record,
                                                          const std::uint32_t* words,
                                                          const std::uint32_t* mask,
                                                          std::size_t count) {
  std::size_t at = 0;
  for (; at + kWideWords <= count; at += kWideWords) {
    Wide theirs;
    Wide ours;
    Wide bits;
    std::memcpy(&theirs, record + 4 * at, sizeof theirs);
    std::memcpy(&ours, words + at, sizeof ours);
    std::memcpy(&bits, mask + at, sizeof bits);
    if (AnyBit((theirs ^ ours) & bits)) break;
  }
  return at + SameWords(record + 4 * at, words + at, mask + at, count - at);
}

__attribute__((target("avx2"))) bool AreShiftedWide(const std::uint8_t* pairs,
                                                    const std::uint8_t* known, std::size_t count,
                                                    std::uint32_t shift) {
  Wide different{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Wide theirs;
    Wide ours;
    LoadSecondWords(pairs + 8 * i, &theirs);
    LoadSecondWords(known + 8 * i, &ours);
    different |= (ours + shift) ^ theirs;
  }
  different &= 0xffffffff;
  return !AnyBit(different) && AreShifted(pairs + 8 * i, known + 8 * i, count - i, shift);
}

__attribute__((target("avx2"))) bool AreGoodWide(NumberKind kind, const std::uint8_t* record,
                                                 std::span<const NumberRun> runs,
                                                 const CounterKey* last, CounterKey* fresh) {
  return AreGoodBy<Four>(kind, record, runs, last, fresh);
}

constexpr RecordLoops kWide = {DifferWide, DifferShiftedWide, SameWordsWide, AreShiftedWide,
                               AreGoodWide};

#endif

}  // namespace

const RecordLoops& PlainLoops() { return kPlain; }

#if defined(__x86_64__)
const RecordLoops& FastestLoops() { return __builtin_cpu_supports("avx2") == 0 ? kPlain : kWide; }
#else
const RecordLoops& FastestLoops() { return kPlain; }
#endif

}  // namespace pmproof::validator
