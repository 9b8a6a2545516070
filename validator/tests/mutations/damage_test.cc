// SPDX-License-Identifier: Apache-2.0
// Damage by chance, and mutations in combination: the check says what it finds, each time the same,
// and does not crash.

#include "generators/damage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/combination.h"
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_inputs.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::BaseArchive;
using generators::DamageKind;
using generators::MutatedFiles;
using generators::Mutation;
using generators::Random;

MutatedFiles FilesOf(const ArchivePlan& plan) {
  MutatedFiles files{"base", {}, {}};
  for (auto& [suffix, content] : Encode(plan).files) files.files["base." + suffix] = content;
  return files;
}

class DamageTest : public ::testing::TestWithParam<int> {
 protected:
  const Catalogue catalogue_ = Catalogue::Shipped();
};
INSTANTIATE_TEST_SUITE_P(Versions, DamageTest, ::testing::Values(2, 3));

// Single bits of the archive of ARC-1000: truncation_test.
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
  const Catalogue catalogue = Catalogue::Shipped();
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
