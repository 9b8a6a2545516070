// SPDX-License-Identifier: Apache-2.0
// Recipes: the same bytes everywhere, the size that was asked for, and what is impossible.

#include "generators/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <map>
#include <string>

#include "generators/archive_image.h"
#include "generators/scenarios/scenario.h"
#include "generators/story/composer.h"

namespace pmproof::generators {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Generation> Made(const Recipe& recipe) {
  auto generation = Generation::Of(recipe);
  EXPECT_TRUE(generation) << generation.error().ToText();
  return generation ? *std::move(generation) : nullptr;
}

// All archives of a recipe as plans.
std::vector<ArchivePlan> Plans(const Recipe& recipe) {
  const auto generation = Made(recipe);
  std::vector<ArchivePlan> plans;
  for (std::uint64_t i = 0; i < generation->archives(); ++i) {
    PlanSink sink(recipe.version, generation->Index());
    const archive::LabelModel label = generation->Label();
    EXPECT_FALSE(generation->Next(sink, {}));
    plans.push_back(std::move(sink).Finish(label));
    EXPECT_EQ(plans.back().label.start, label.start) << "known before the first record";
  }
  return plans;
}

// XXH64 of the bytes of all files of all archives.
std::uint64_t Digest(const Recipe& recipe) {
  XXH64_state_t* state = XXH64_createState();
  XXH64_reset(state, 0);
  for (const ArchivePlan& plan : Plans(recipe)) {
    for (const auto& [suffix, bytes] : Encode(plan).files) {
      XXH64_update(state, suffix.data(), suffix.size());
      XXH64_update(state, bytes.data(), bytes.size());
    }
  }
  const std::uint64_t digest = XXH64_digest(state);
  XXH64_freeState(state);
  return digest;
}

Recipe Of(std::uint64_t seed, int version, std::vector<std::string> scenarios = {}) {
  Recipe recipe;
  recipe.seed = seed;
  recipe.version = version;
  recipe.scenarios = std::move(scenarios);
  return recipe;
}

// A digest that changes breaks the promise of `pmproof generate`: archives that somebody has made
// cannot be made again. Whoever changes what a recipe stands for says so in the change.
TEST(GenerateTest, TheSameRecipeIsTheSameBytesEverywhere) {
  EXPECT_EQ(Digest(Of(1, 2)), 0x3c48b9eb8a875bdeU);
  EXPECT_EQ(Digest(Of(1, 3)), 0xa38d4ef9e5470cf1U);
  EXPECT_EQ(Digest(Of(2, 3)), 0x1c37bc02128ea135U);
  EXPECT_EQ(Digest(Of(7, 2, {"types", "events", "marks", "indom-churn", "set"})),
            0xc6117fe471149560U);
  Recipe all = Of(42, 3);
  for (const ScenarioKind& kind : AllScenarios()) all.scenarios.emplace_back(kind.name);
  EXPECT_EQ(Digest(all), 0x5011ebbf66b1f730U);
  Recipe sized = Of(3, 3, {"irregular"});
  sized.size = 500'000;
  sized.metrics = 33;
  sized.instances = 12;
  EXPECT_EQ(Digest(sized), 0xc5f4f6bab5de9b03U);
}

TEST(GenerateTest, WhatAScenarioDrawsDoesNotMoveTheOthers) {
  const ArchivePlan alone = Plans(Of(5, 3)).front();
  const ArchivePlan among = Plans(Of(5, 3, {"types", "events"})).front();
  const auto& few = alone.volumes.at(0).at(3).sets;
  const auto& many = among.volumes.at(0).at(3).sets;
  ASSERT_LT(few.size(), many.size());
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(GenerateTest, ASizeIsReachedAndHardlyExceeded) {
  for (const std::uint64_t size : {1, 5'000, 777'777}) {
    Recipe recipe = Of(1, 3);
    recipe.size = size;
    const ArchivePlan plan = Plans(recipe).front();
    const std::size_t bytes = Encode(plan).files.at("0").size() - 808;
    EXPECT_GE(bytes, size);
    EXPECT_LT(bytes, size + 3'000);
  }
}

TEST(GenerateTest, RecordsAreSamples) {
  Recipe recipe = Of(1, 2, {"no-logger"});
  recipe.records = 17;
  EXPECT_EQ(Plans(recipe).front().volumes.at(0).size(), 17U);
}

TEST(GenerateTest, ThereAreAsManyMarksAsTheListSays) {
  Recipe recipe = Of(1, 2, {"marks"});
  recipe.records = 200'000;
  recipe.metrics = 1;
  recipe.instances = 1;
  std::size_t marks = 0;
  const ArchivePlan plan = Plans(recipe).front();
  for (const auto& result : plan.volumes.at(0)) marks += result.sets.empty();
  EXPECT_EQ(marks, 100'000U);
}

TEST(GenerateTest, VolumesAreOfAboutTheSameSize) {
  Recipe recipe = Of(1, 3);
  recipe.records = 100;
  recipe.volumes = 7;
  const ArchivePlan plan = Plans(recipe).front();
  ASSERT_EQ(plan.volumes.size(), 7U);
  for (const auto& [number, results] : plan.volumes) {
    EXPECT_GE(results.size(), 14U);
    EXPECT_LE(results.size(), 16U);
  }
}

TEST(GenerateTest, ASetGoesOnWhereItStopped) {
  const std::vector<ArchivePlan> plans = Plans(Of(1, 3, {"set-gaps"}));
  ASSERT_EQ(plans.size(), 3U);
  for (std::size_t i = 1; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].label.start, plans[i - 1].volumes.at(0).back().time + 600'000'000'000);
    EXPECT_EQ(plans[i].meta.size(), plans[0].meta.size()) << "all metadata are written again";
  }
}

TEST(GenerateTest, TheExpectedSizeIsAboutRight) {
  Recipe recipe = Of(1, 3, {"indom-churn"});
  recipe.records = 2000;
  const auto generation = Made(recipe);
  std::uint64_t bytes = 0;
  PlanSink sink(3);
  ASSERT_FALSE(generation->Next(sink, [&bytes](std::uint64_t more) { bytes += more; }));
  EXPECT_GT(generation->ExpectedBytes(), bytes / 10 * 9);
  EXPECT_LT(generation->ExpectedBytes(), bytes / 10 * 12);
}

std::string Refusal(const Recipe& recipe) {
  const auto generation = Generation::Of(recipe);
  return generation ? "" : generation.error().ToText();
}

TEST(GenerateTest, AnUnknownScenarioIsRefusedWithTheNearest) {
  EXPECT_THAT(Refusal(Of(1, 3, {"lables"})), HasSubstr("no scenario lables; nearest: labels"));
  EXPECT_EQ(Refusal(Of(1, 3, {"xyzzyplugh"})), "there is no scenario xyzzyplugh");
}

TEST(GenerateTest, Version2IsRefusedWhatItHasNoRoomFor) {
  EXPECT_THAT(Refusal(Of(1, 2, {"nanoseconds"})), HasSubstr("is for version 3 only"));
  Recipe recipe = Of(1, 2);
  recipe.records = 447'483'648;
  EXPECT_THAT(Refusal(recipe), HasSubstr("they go beyond 2038"));
}

TEST(GenerateTest, EveryScenarioIsDescribedForPeople) {
  std::map<std::string_view, int> names;
  for (const ScenarioKind& kind : AllScenarios()) {
    EXPECT_EQ(++names[kind.name], 1) << kind.name;
    EXPECT_FALSE(kind.what.empty()) << kind.name;
    EXPECT_FALSE(kind.clauses.empty()) << kind.name;
    EXPECT_LE(kind.least, kPeriod) << kind.name;
  }
}

}  // namespace
}  // namespace pmproof::generators
