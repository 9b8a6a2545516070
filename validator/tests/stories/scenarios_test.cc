// SPDX-License-Identifier: Apache-2.0
// What scenarios say that they break, and nothing else, is what the check finds: of each by itself,
// and of combinations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generators/generate.h"
#include "generators/random.h"
#include "generators/scenarios/scenario.h"
#include "validator/tests/stories/findings.h"
#include "validator/tests/stories/generated.h"

namespace pmproof::validator::testing {
namespace {

using generators::Random;
using generators::Recipe;
using generators::ScenarioKind;

void ExpectExactlyWhatIsDeclared(const Recipe& recipe) {
  archive::MemoryStorage storage;
  const std::set<std::string> declared = Write(recipe, &storage);
  const auto found = FindingsOn(storage, {"d"});
  std::set<std::string> rules;
  for (const auto& [rule, where] : found) rules.insert(rule);
  EXPECT_EQ(rules, declared) << ToText(recipe) << "\nfound " << ::testing::PrintToString(found);
}

bool IsFor(const ScenarioKind& kind, int version) {
  return kind.version == 0 || kind.version == version;
}

class ScenariosTest : public ::testing::TestWithParam<int> {};

TEST_P(ScenariosTest, EachAloneBreaksExactlyWhatItDeclares) {
  for (const ScenarioKind& kind : generators::AllScenarios()) {
    if (!IsFor(kind, GetParam())) continue;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Recipe recipe;
      recipe.version = GetParam();
      recipe.seed = seed;
      recipe.scenarios = {std::string(kind.name)};
      if (seed == 2) recipe.records = std::max<std::uint64_t>(kind.least, 4);
      if (seed == 3) recipe.records = 37;
      if (seed == 4) recipe.size = 300000;
      ExpectExactlyWhatIsDeclared(recipe);
    }
  }
}

TEST_P(ScenariosTest, CombinationsBreakExactlyWhatTheyDeclareTogether) {
  const std::vector<ScenarioKind> table = generators::AllScenarios();
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    Recipe recipe;
    recipe.version = GetParam();
    recipe.seed = seed;
    recipe.records = static_cast<std::uint64_t>(random.Between(12, 60));
    recipe.metrics = static_cast<std::uint64_t>(random.Between(1, 25));
    recipe.instances = static_cast<std::uint64_t>(random.Between(1, 9));
    const std::uint64_t most = random.Chance(1, 4) ? table.size() : 5;
    for (const ScenarioKind& kind : table) {
      if (IsFor(kind, GetParam()) && random.Chance(most, table.size() + 3))
        recipe.scenarios.emplace_back(kind.name);
    }
    // The index of index-disorder needs a dozen records in each volume.
    if (random.Chance(1, 3)) recipe.volumes = 1 + random.Below(*recipe.records / 12);
    if (*recipe.records < 48) {
      std::erase(recipe.scenarios, "multi-volume");
    }
    ExpectExactlyWhatIsDeclared(recipe);
  }
}

TEST_P(ScenariosTest, AllTogetherBreakExactlyWhatTheyDeclare) {
  Recipe recipe;
  recipe.version = GetParam();
  recipe.records = 150;
  for (const ScenarioKind& kind : generators::AllScenarios()) {
    if (IsFor(kind, GetParam())) recipe.scenarios.emplace_back(kind.name);
  }
  ExpectExactlyWhatIsDeclared(recipe);
}

TEST_P(ScenariosTest, ARecordInEachVolume) {
  Recipe recipe;
  recipe.version = GetParam();
  recipe.records = 20;
  recipe.volumes = 20;
  recipe.scenarios = {"marks", "time-back", "deltas"};
  if (GetParam() == 2) recipe.scenarios.pop_back();
  ExpectExactlyWhatIsDeclared(recipe);
}

INSTANTIATE_TEST_SUITE_P(BothVersions, ScenariosTest, ::testing::Values(2, 3),
                         [](const auto& each) { return "Version" + std::to_string(each.param); });

}  // namespace
}  // namespace pmproof::validator::testing
