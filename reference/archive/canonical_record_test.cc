// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/canonical_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reference/archive/data_record.h"
#include "reference/archive/encode.h"
#include "reference/archive/testing/random_record.h"

namespace pmproof::archive {
namespace {

constexpr std::uint32_t kSets = 20;  // in version 3

using testing::BytesOf;
using testing::Chance;
using testing::Damage;
using testing::RandomResult;

// Some of them are longer than what is asked for ahead of the walk.
constexpr testing::RandomSets kWanted{.many_in = 20, .many = 900, .static_form = true};

// The same question, asked of one set and one block after the other.
std::optional<CanonicalRecord> ReadPlainly(const Buffer& bytes) {
  const std::uint64_t end = bytes.size() - 4;
  const auto word = [&](std::uint64_t at) { return std::uint64_t{LoadU32(bytes.data() + at)}; };
  std::uint64_t at = kSets;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> references;  // the set and the index
  std::vector<std::uint64_t> of_format_two;
  for (std::uint64_t i = 0; i < word(kSets - 4); ++i) {
    if (at + 8 > end) return std::nullopt;
    const auto count = static_cast<std::int32_t>(word(at + 4));
    const std::uint64_t set = at;
    at += 8;
    if (count <= 0) continue;
    if (at + 4 > end || word(at) > 2) return std::nullopt;
    const std::uint64_t format = word(at);
    at += 4;
    for (std::int32_t k = 0; k < count; ++k, at += 8) {
      if (at + 8 > end) return std::nullopt;
      if (format != 0) references.emplace_back(set, word(at + 4));
    }
    if (format == 2) of_format_two.push_back(set);
  }
  CanonicalRecord record{static_cast<std::uint32_t>(at), {}};
  for (const std::uint64_t set : of_format_two)
    record.unusual.push_back(static_cast<std::uint32_t>(set));
  for (const auto& [set, index] : references) {
    if (index != at / 4 + 2 || at + 4 > end) return std::nullopt;
    const std::uint64_t length = word(at) & 0xffffff;
    if (length < 4 || at + PadToWord(length) > end) return std::nullopt;
    for (std::uint64_t p = at + length; p < at + PadToWord(length); ++p) {
      if (bytes[p] != '~') record.unusual.push_back(static_cast<std::uint32_t>(set));
    }
    at += PadToWord(length);
  }
  std::ranges::sort(record.unusual);
  record.unusual.erase(std::unique(record.unusual.begin(), record.unusual.end()),
                       record.unusual.end());
  return at == end ? std::optional(record) : std::nullopt;
}

TEST(CanonicalRecordTest, IsFoundAsAPlainReadingFindsIt) {
  Chance chance(1);
  int canonical = 0;
  int damaged = 0;
  for (int i = 0; i < 30'000; ++i) {
    Buffer bytes = BytesOf(RandomResult(chance, kWanted), 3);
    const std::uint32_t edits = i % 3 == 0 ? 0 : 1 + chance.Below(3);
    for (std::uint32_t k = 0; k < edits; ++k) Damage(chance, 4, &bytes);
    if (LoadU32(bytes.data() + kSets - 4) > (bytes.size() - 4 - kSets) / 8) continue;
    bytes.shrink_to_fit();  // so that sanitizers see its end
    const auto end = static_cast<std::uint32_t>(bytes.size() - 4);
    const auto read =
        ReadCanonicalRecord(bytes.data(), kSets, LoadU32(bytes.data() + kSets - 4), end);
    const auto expected = ReadPlainly(bytes);
    ASSERT_EQ(read.has_value(), expected.has_value()) << i;
    ++(read ? canonical : damaged);
    if (!read) continue;
    EXPECT_EQ(read->sets_end, expected->sets_end) << i;
    EXPECT_EQ(read->unusual, expected->unusual) << i;
  }
  EXPECT_GT(canonical, 10'000);
  EXPECT_GT(damaged, 5'000);
}

}  // namespace
}  // namespace pmproof::archive
