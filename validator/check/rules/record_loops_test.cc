// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/record_loops.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "reference/archive/testing/random_record.h"
#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::testing::Chance;

// The parameter: those for any processor.
class RecordLoopsTest : public ::testing::TestWithParam<bool> {
 protected:
  const RecordLoops& loops() const { return GetParam() ? PlainLoops() : FastestLoops(); }
};
INSTANTIATE_TEST_SUITE_P(Processors, RecordLoopsTest, ::testing::Bool());

std::vector<std::size_t> Lengths() {
  std::vector<std::size_t> lengths = {255, 256, 257, 263, 264, 511, 512, 525};
  for (std::size_t i = 0; i < 40; ++i) lengths.push_back(i);
  return lengths;
}

TEST_P(RecordLoopsTest, FindTheFirstWordThatDiffersInABitOfTheMask) {
  Chance chance(1);
  for (const std::size_t count : Lengths()) {
    std::vector<std::uint32_t> words(count);
    std::vector<std::uint32_t> mask(count);
    for (std::size_t i = 0; i < count; ++i) {
      words[i] = chance.Below(1ULL << 32);
      mask[i] = chance.In(3) ? ~0U : chance.In(2) ? 0 : 1U << chance.Below(32);
    }
    std::vector<std::uint32_t> record = words;
    for (std::size_t i = 0; i < count; ++i) record[i] ^= ~mask[i];
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(record.data());
    EXPECT_FALSE(loops().differ(bytes, words.data(), mask.data(), count)) << count;
    EXPECT_EQ(loops().same_words(bytes, words.data(), mask.data(), count), count);
    for (std::size_t i = 0; i < count; ++i) {
      if (mask[i] == 0) continue;
      const std::uint32_t bit = 1U << std::countr_zero(mask[i]);
      record[i] ^= bit;
      EXPECT_TRUE(loops().differ(bytes, words.data(), mask.data(), count)) << i << " of " << count;
      EXPECT_EQ(loops().same_words(bytes, words.data(), mask.data(), count), i) << count;
      record[i] ^= bit;
    }
  }
}

TEST_P(RecordLoopsTest, CompareSecondWordsModuloTheirRange) {
  Chance chance(2);
  for (const std::size_t count : Lengths()) {
    for (const std::uint32_t shift : {0U, 1U, ~0U, 0x80000000U, 700U}) {
      Buffer known(8 * count);
      Buffer pairs(8 * count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t word = chance.In(4) ? ~0U - chance.Below(3) : chance.Below(1ULL << 32);
        StoreU32(known.data() + 8 * i, chance.Below(1ULL << 32));
        StoreU32(known.data() + 8 * i + 4, word);
        StoreU32(pairs.data() + 8 * i, chance.Below(1ULL << 32));
        StoreU32(pairs.data() + 8 * i + 4, word + shift);
      }
      EXPECT_TRUE(loops().are_shifted(pairs.data(), known.data(), count, shift));
      for (std::size_t i = 4; i < pairs.size(); i += i % 8 == 7 ? 5 : 1) {
        pairs[i] ^= 0x40;
        EXPECT_FALSE(loops().are_shifted(pairs.data(), known.data(), count, shift)) << i;
        pairs[i] ^= 0x40;
      }
    }
  }
}

TEST_P(RecordLoopsTest, CompareWordsOfWhichSomeAreShifted) {
  Chance chance(3);
  for (const std::size_t count : Lengths()) {
    for (const std::uint32_t shift : {0U, 1U, ~0U, 0x80000000U, 700U}) {
      std::vector<std::uint32_t> words(count);
      std::vector<std::uint32_t> mask(count);
      std::vector<std::uint32_t> unshifted(count);
      std::vector<std::uint32_t> record(count);
      for (std::size_t i = 0; i < count; ++i) {
        mask[i] = chance.In(3) ? 0 : ~0U;
        unshifted[i] = chance.In(2) ? 0 : ~0U;
        const std::uint32_t word = chance.In(4) ? ~0U - chance.Below(3) : chance.Below(1ULL << 32);
        StoreU32(reinterpret_cast<std::uint8_t*>(&words[i]), word);
        StoreU32(reinterpret_cast<std::uint8_t*>(&record[i]),
                 mask[i] == 0 ? chance.Below(1ULL << 32) : word + (shift & ~unshifted[i]));
      }
      auto* const bytes = reinterpret_cast<std::uint8_t*>(record.data());
      const auto differ = [&] {
        return loops().differ_shifted(bytes, words.data(), mask.data(), unshifted.data(), count,
                                      shift);
      };
      EXPECT_FALSE(differ()) << count << " " << shift;
      for (std::size_t i = 0; i < record.size(); ++i) {
        if (mask[i] == 0) continue;
        bytes[4 * i + i % 4] ^= 0x40;
        EXPECT_TRUE(differ()) << i << " of " << count;
        bytes[4 * i + i % 4] ^= 0x40;
      }
    }
  }
}

struct Numbers {
  NumberKind kind;
  std::size_t size;
  std::vector<std::uint64_t> rising;  // bits, each greater than the one before; the first one is 0
  std::vector<std::uint64_t> bad;     // that no record may have
};

std::uint64_t BitsOf(float number) { return std::bit_cast<std::uint32_t>(number); }
std::uint64_t BitsOf(double number) { return std::bit_cast<std::uint64_t>(number); }

std::vector<Numbers> AllNumbers() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr double kHuge = std::numeric_limits<double>::infinity();
  const std::vector<std::uint64_t> floats = {BitsOf(0.0F), BitsOf(1e-40F), BitsOf(3e38F)};
  const std::vector<std::uint64_t> doubles = {BitsOf(0.0), BitsOf(1e-310), BitsOf(1e308)};
  const std::vector<std::uint64_t> no_floats = {BitsOf(kInfinity), BitsOf(-kInfinity), 0x7fc00000,
                                                0xff800001};
  const std::vector<std::uint64_t> no_doubles = {BitsOf(kHuge), BitsOf(-kHuge), 0x7ff8000000000000,
                                                 0xfff0000000000001};
  std::vector<Numbers> all = {
      {NumberKind::kCounter32, 4, {0, 1, 0x7fffffff}, {0x80000000, 0xffffffff}},
      {NumberKind::kCounterU32, 4, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}, {}},
      {NumberKind::kCounter64, 8, {0, 1, 1ULL << 32, (1ULL << 63) - 1}, {1ULL << 63, ~0ULL}},
      {NumberKind::kCounterU64, 8, {0, 1, 1ULL << 32, (1ULL << 63) - 1, 1ULL << 63, ~0ULL}, {}},
      {NumberKind::kCounterFloat, 4, floats, no_floats},
      {NumberKind::kCounterDouble, 8, doubles, no_doubles},
      {NumberKind::kFloat, 4, floats, no_floats},
      {NumberKind::kDouble, 8, doubles, no_doubles}};
  all[4].bad.push_back(BitsOf(-1.0F));
  all[5].bad.push_back(BitsOf(-1.0));
  return all;
}

// Runs in a record, and where each of their numbers lies.
struct Layout {
  explicit Layout(Chance& chance, std::size_t size) {
    std::uint32_t place = 4;
    for (std::uint32_t run = chance.Below(4); run > 0; --run) {
      const std::uint32_t steps[] = {8, 12, 20};
      const std::uint32_t step = size == 8 ? 12 : steps[chance.Below(3)];
      runs.push_back({place, step, 1 + chance.Below(11)});
      for (std::uint32_t i = 0; i < runs.back().count; ++i) places.push_back(place + i * step);
      place += runs.back().count * step;
    }
    record.resize(place + 4);  // as the length at the end of a record
  }

  void Put(std::size_t i, std::size_t size, std::uint64_t bits) {
    if (size == 8) return StoreU64(record.data() + places[i], bits);
    StoreU32(record.data() + places[i], static_cast<std::uint32_t>(bits));
  }

  std::vector<NumberRun> runs;
  std::vector<std::uint32_t> places;
  Buffer record;
};

TEST_P(RecordLoopsTest, AcceptNumbersThatRiseAndNoOthers) {
  Chance chance(3);
  for (const Numbers& numbers : AllNumbers()) {
    const bool counting = numbers.kind < NumberKind::kFloat;
    for (int round = 0; round < 60; ++round) {
      Layout layout(chance, numbers.size);
      const std::size_t count = layout.places.size();
      std::vector<CounterKey> last(count);
      std::vector<CounterKey> fresh(count);
      const auto good = [&] {
        return loops().are_good(numbers.kind, layout.record.data(), layout.runs,
                                counting ? last.data() : nullptr,
                                counting ? fresh.data() : nullptr);
      };
      // No value is known in front of the first one.
      for (std::size_t i = 0; i < count; ++i) {
        for (const std::uint64_t bad : numbers.bad) {
          layout.Put(i, numbers.size, bad);
          EXPECT_FALSE(good()) << i << " of " << count << ": " << bad;
        }
        layout.Put(i, numbers.size, numbers.rising[0]);
      }
      for (std::size_t value = 0; value < numbers.rising.size(); ++value) {
        // Each as the one before, or greater.
        for (std::size_t i = 0; i < count; ++i) {
          if (value == 0 || chance.In(2)) layout.Put(i, numbers.size, numbers.rising[value]);
        }
        ASSERT_TRUE(good());
        last = fresh;
        for (std::size_t i = 0; i < count; ++i) layout.Put(i, numbers.size, numbers.rising[value]);
        ASSERT_TRUE(good());
        last = fresh;
        for (std::size_t i = 0; i < count; ++i) {
          if (counting) {
            EXPECT_EQ(last[i], last[0]);
          }
          for (const std::uint64_t bad : numbers.bad) {
            layout.Put(i, numbers.size, bad);
            EXPECT_FALSE(good()) << i << " of " << count << ": " << bad;
          }
          if (value > 0) {
            layout.Put(i, numbers.size, numbers.rising[value - 1]);
            EXPECT_EQ(good(), !counting) << i << " of " << count << ": " << value;
          }
          layout.Put(i, numbers.size, numbers.rising[value]);
        }
      }
    }
  }
}

// A number below 0 may still be 0 (ARC-1831).
TEST(RecordLoops, MakeTheSameKeysOnAllProcessors) {
  Chance chance(4);
  std::size_t good = 0;
  std::vector<Numbers> all = AllNumbers();
  all[4].rising.push_back(BitsOf(-0.0F));
  all[5].rising.push_back(BitsOf(-0.0));
  for (const Numbers& numbers : all) {
    if (numbers.kind >= NumberKind::kFloat) continue;
    for (int round = 0; round < 400; ++round) {
      Layout layout(chance, numbers.size);
      const std::size_t count = layout.places.size();
      std::vector<CounterKey> last(count);
      for (int record = 0; record < 2; ++record) {
        const bool any_bad = chance.In(4) && !numbers.bad.empty();
        for (std::size_t i = 0; i < count; ++i) {
          const std::vector<std::uint64_t>& from =
              any_bad && chance.In(8) ? numbers.bad : numbers.rising;
          layout.Put(i, numbers.size, from[chance.Below(from.size())]);
        }
        std::vector<CounterKey> plain(count);
        std::vector<CounterKey> fast(count);
        const bool are_good = PlainLoops().are_good(numbers.kind, layout.record.data(), layout.runs,
                                                    last.data(), plain.data());
        EXPECT_EQ(FastestLoops().are_good(numbers.kind, layout.record.data(), layout.runs,
                                          last.data(), fast.data()),
                  are_good);
        if (!are_good) continue;
        ++good;
        EXPECT_EQ(plain, fast);
        last = plain;
      }
    }
  }
  EXPECT_GT(good, 1500U);
}

}  // namespace
}  // namespace pmproof::validator
