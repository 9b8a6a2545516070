// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/story_generation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "generators/story/composer.h"

namespace pmproof::generators {
namespace {

// The archive as it is encoded, which must be there.
std::map<std::string, std::vector<std::uint8_t>> FilesOf(const StoryRecipe& recipe) {
  const auto generation = GenerationOf(recipe);
  EXPECT_TRUE(generation) << generation.error().ToText();
  const archive::LabelModel label = (*generation)->Label();
  PlanSink sink(label.version, (*generation)->Index());
  std::uint64_t told = 0;
  const auto error = (*generation)->Next(sink, [&](std::uint64_t bytes) { told += bytes; });
  EXPECT_FALSE(error) << error->ToText();
  EXPECT_EQ(told, (*generation)->ExpectedBytes());
  return Encode(std::move(sink).Finish(label)).files;
}

TEST(StoryGenerationTest, TheSameRecipeMakesTheSameArchive) {
  const StoryRecipe recipe{.seed = 5, .sound = false};
  EXPECT_EQ(FilesOf(recipe), FilesOf(recipe));
}

TEST(StoryGenerationTest, EachSeedMakesAnotherArchiveAndBothVersionsAreMade) {
  std::set<std::vector<std::uint8_t>> different;
  std::set<int> versions;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    different.insert(FilesOf({.seed = seed}).at("meta"));
    versions.insert((*GenerationOf({.seed = seed}))->Label().version);
  }
  EXPECT_EQ(different.size(), 30U);
  EXPECT_EQ(versions, (std::set<int>{2, 3}));
}

TEST(StoryGenerationTest, OnlyASoundStorySaysThatItBreaksNothing) {
  const auto sound = GenerationOf({.sound = true});
  ASSERT_NE((*sound)->violates(), nullptr);
  EXPECT_TRUE((*sound)->violates()->empty());
  EXPECT_EQ((*GenerationOf({.sound = false}))->violates(), nullptr);
}

TEST(StoryGenerationTest, AStoryThatDoesNotFitIsRefused) {
  EXPECT_EQ(GenerationOf({.metrics = 0}).error().kind, Status::Kind::kUsage);
  EXPECT_EQ(GenerationOf({.steps = 100'001, .metrics = 1}).error().kind, Status::Kind::kUsage);
  EXPECT_EQ(GenerationOf({.steps = ~0ULL, .metrics = ~0ULL}).error().kind, Status::Kind::kUsage);
}

}  // namespace
}  // namespace pmproof::generators
