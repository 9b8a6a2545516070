// Damage by chance, and mutations in combination: the check says what it finds, each time the same,
// and does not crash.

#include "generators/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/combination.h"
#include "generators/mutations/mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/metric.h"
#include "validator/tests/mutations/mutation_inputs.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

using archive::kLengthWord;
using archive::Layout;
using archive::LayoutOf;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::DamageKind;
using generators::MutatedFiles;
using generators::Mutation;
using generators::Random;

Catalogue ShippedCatalogue() {
  Result<Catalogue> catalogue = Catalogue::Shipped();
  EXPECT_TRUE(catalogue) << catalogue.error().ToText();
  return catalogue ? std::move(*catalogue) : Catalogue();
}

MutatedFiles FilesOf(const ArchivePlan& plan) {
  MutatedFiles files{"base", {}, {}};
  for (auto& [suffix, content] : Encode(plan).files) files.files["base." + suffix] = content;
  return files;
}

// The bytes, and single bits, of the archive of ARC-1000 that may be other without a rule being
// broken.
class FreeBits {
 public:
  explicit FreeBits(const ArchivePlan& plan)
      : image_(Encode(plan)), layout_(LayoutOf(plan.label.version)) {
    for (const std::size_t at : image_.Records("meta")) {
      if (at != 0) Metadata(at);
    }
    for (const std::size_t at : image_.Records("0")) {
      if (at != 0) Data(at);
    }
    // The final entry may point to the end of the record with its time, T+4 then (ARC-1918).
    const std::size_t last = image_.files.at("index").size() - layout_.index_entry;
    FreeBit("index", last + 3, 0);
  }

  bool Contains(const std::string& suffix, std::size_t offset, unsigned bit) const {
    return free_.contains({suffix, 8 * offset + bit});
  }

 private:
  void Free(const std::string& suffix, std::size_t offset, std::size_t size) {
    for (std::size_t i = 8 * offset; i < 8 * (offset + size); ++i) free_.insert({suffix, i});
  }
  void FreeBit(const std::string& suffix, std::size_t offset, unsigned bit) {
    free_.insert({suffix, 8 * offset + bit});
  }

  // Texts, and what a descriptor says of its metric as far as no value contradicts it.
  void Metadata(std::size_t at) {
    const std::size_t end = at + image_.Word("meta", at) - kLengthWord;
    switch (static_cast<archive::RecordType>(image_.Word("meta", at + 4))) {
      case archive::RecordType::kDesc:
        Free("meta", at + 12, 4);                // type: 32 for U32
        Free("meta", at + 20, 8);                // semantics, units
        Free("meta", at + 36, end - (at + 36));  // the only name
        break;
      case archive::RecordType::kText:
        Free("meta", at + 16, end - 1 - (at + 16));
        for (const unsigned bit : {1U, 2U, 3U}) FreeBit("meta", at + 15, bit);  // other metrics
        break;
      case archive::RecordType::kLabel:
      case archive::RecordType::kLabelV2:
        // The fraction of the time, the JSON and what describes it.
        Free("meta", at + 8 + layout_.timestamp - 4, 4);
        Free("meta", at + 20 + layout_.timestamp, end - (at + 20 + layout_.timestamp));
        break;
      default: {
        const std::size_t count = image_.Word("meta", at + 12 + layout_.timestamp);
        const std::size_t names = at + 16 + layout_.timestamp + 8 * count;
        Free("meta", names, end - names);
        // Microseconds that readers multiply to 0 in 32 bits (ARC-003).
        for (const unsigned bit : {5U, 6U, 7U}) {
          if (layout_.version == 2) FreeBit("meta", at + 12, bit);
        }
      }
    }
  }

  // The fraction of the time, which only the index and the metadata know; values, and the padding.
  void Data(std::size_t at) {
    const std::size_t end = at + image_.Word("0", at) - kLengthWord;
    Free("0", at + kLengthWord + layout_.timestamp - 4, 4);
    const std::size_t count = at + kLengthWord + layout_.timestamp;
    std::size_t set = count + 4;
    FreeBit("0", set + 3, 3);  // 29.0.9 for 29.0.1: of the same type
    for (std::uint32_t i = 0; i < image_.Word("0", count); ++i) {
      const std::uint32_t values = image_.Word("0", set + 4);
      const bool blocks = image_.Word("0", set + 8) != 0;
      for (std::uint32_t k = 0; k < values; ++k) {
        const std::size_t word = set + 12 + 8 * std::size_t{k} + 4;
        if (!blocks) Free("0", word, 4);
      }
      set += 12 + 8 * std::size_t{values};
    }
    while (set < end) {
      const std::size_t size = archive::PadToWord(image_.Word("0", set) & 0xffffff);
      Free("0", set + 4, size - 4);
      // An AGGREGATE of 7 bytes for one of 5, which takes as much room.
      if (image_.Word("0", set) >> 24 == static_cast<std::uint32_t>(MetricType::kAggregate))
        FreeBit("0", set + 3, 1);
      set += size;
    }
  }

  ArchiveImage image_;
  const Layout& layout_;
  std::set<std::pair<std::string, std::size_t>> free_;
};

class DamageTest : public ::testing::TestWithParam<int> {
 protected:
  const Catalogue catalogue_ = ShippedCatalogue();
};
INSTANTIATE_TEST_SUITE_P(Versions, DamageTest, ::testing::Values(2, 3));

// Test idea 51 of the specification.
TEST_P(DamageTest, EachBitThatIsInvertedIsReportedUnlessTheArchiveMaySaySo) {
  const ArchivePlan plan = BaseArchive(GetParam());
  const FreeBits free(plan);
  MutatedFiles files = FilesOf(plan);
  const std::set<std::string> before = FindingsOf(files, catalogue_);
  for (const char* suffix : {"meta", "index", "0"}) {
    archive::Buffer& content = files.of(suffix);
    for (std::size_t offset = 0; offset < content.size(); ++offset) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (free.Contains(suffix, offset, bit)) continue;
        content[offset] = static_cast<std::uint8_t>(content[offset] ^ 1U << bit);
        EXPECT_NE(FindingsOf(files, catalogue_), before)
            << "." << suffix << ", offset " << offset << ", bit " << bit;
        content[offset] = static_cast<std::uint8_t>(content[offset] ^ 1U << bit);
      }
    }
  }
}

TEST_P(DamageTest, WhateverIsDamagedTheCheckSaysTheSameTwice) {
  const std::vector<MutationInput> inputs = MutationInputs();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const MutationInput& input = random.Pick(inputs);
    if (input.plan.label.version != GetParam()) continue;
    MutatedFiles files = FilesOf(input.plan);
    std::string done;
    for (std::uint64_t times = 1 + random.Below(4); times > 0; --times) {
      const auto damage = generators::DamageFiles(files.files, random);
      if (damage) done += ToText(*damage) + "; ";
    }
    EXPECT_EQ(FindingsOf(files, catalogue_), FindingsOf(files, catalogue_))
        << input.name << ", seed " << seed << ": " << done;
  }
}

// What one mutation has left of an archive that can be read is an archive like any other.
TEST_P(DamageTest, MutationsCanBeCombined) {
  const std::vector<MutationInput> inputs = MutationInputs();
  const std::vector<const Mutation*> all = generators::AllMutations();
  std::map<std::size_t, int> made;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const MutationInput& input = random.Pick(inputs);
    if (input.plan.label.version != GetParam()) continue;
    std::vector<const Mutation*> some;
    const std::size_t count = 2 + random.Below(3);
    while (some.size() < count) {
      const Mutation* const mutation = random.Pick(all);
      if (mutation->rule != "ARC-1110"_clause) some.push_back(mutation);  // takes a second
    }
    const auto files = MutateAll(some, input.plan, "base", random);
    if (!files) continue;
    ++made[count];
    const std::set<std::string> found = FindingsOf(*files, catalogue_);
    EXPECT_FALSE(found.empty()) << input.name << ", seed " << seed;
  }
  EXPECT_GT(made[2], 100);
  EXPECT_GT(made[4], 20);
}

TEST(CombinationTest, TwoMutationsGiveBothRules) {
  const Catalogue catalogue = ShippedCatalogue();
  std::vector<const Mutation*> two;
  for (const Mutation* mutation : generators::AllMutations()) {
    if (two.empty() ? mutation->rule == "ARC-1003"_clause : mutation->rule == "ARC-1221"_clause)
      two.push_back(mutation);
  }
  ASSERT_EQ(two.size(), 2U);
  Random random(1);
  const auto files = MutateAll(two, BaseArchive(3), "base", random);
  ASSERT_TRUE(files) << files.error().ToText();
  EXPECT_EQ(FindingsOf(*files, catalogue),
            (std::set<std::string>{"ARC-1003", "ARC-1221", "ARC-2008", "ARC-2009"}));
}

TEST(DamageKindsTest, EachKindChangesWhatItSays) {
  for (const DamageKind kind : generators::kDamageKinds) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const MutatedFiles before = FilesOf(BaseArchive(3));
      MutatedFiles after = before;
      Random random(seed);
      const auto damage = DamageFiles(after.files, kind, random);
      ASSERT_TRUE(damage);
      for (const auto& [name, content] : before.files) {
        const bool same = after.files.at(name) == content;
        EXPECT_TRUE(same || name == damage->file) << ToText(*damage);
      }
    }
  }
}

TEST(DamageKindsTest, WhereThereIsNothingNothingIsDamaged) {
  generators::FilesByName files = {{"base.0", {}}};
  Random random(1);
  EXPECT_FALSE(DamageFiles(files, random));
}

}  // namespace
}  // namespace pmproof::validator::testing
