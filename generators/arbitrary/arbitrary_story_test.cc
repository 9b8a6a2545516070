// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/arbitrary_story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "generators/story/composer.h"

namespace pmproof::generators {
namespace {

using ::testing::ElementsAre;

// The story that RapidCheck would show for a property that does not hold: the first that breaks it,
// shrunk until nothing simpler does.
std::optional<Story> Shrunk(const std::function<bool(const Story&)>& holds) {
  const rc::Gen<Story> stories = rc::gen::arbitrary<Story>();
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto any = stories(rc::Random(seed), 100);
    if (holds(any.value())) continue;
    const auto path =
        rc::shrinkable::findLocalMin(any, [&](const Story& story) { return !holds(story); });
    return path.first;
  }
  return std::nullopt;
}

template <typename Take>
bool AnyResult(const Story& story, Take take) {
  for (const auto& [part, results] : Compose(story).volumes) {
    for (const archive::ResultModel& result : results) {
      if (take(result)) return true;
    }
  }
  return false;
}

TEST(ArbitraryStoryTest, NoArchiveHasAMarkShrinksToAMarkAndNothingElse) {
  const auto story = Shrunk([](const Story& any) {
    return !AnyResult(any, [](const auto& result) { return result.sets.empty(); });
  });
  ASSERT_TRUE(story);
  EXPECT_THAT(story->setup.metrics, ElementsAre());
  EXPECT_THAT(story->setup.domains, ElementsAre());
  ASSERT_EQ(story->steps.size(), 1U) << ToText(*story);
  EXPECT_EQ(std::get<Mark>(story->steps[0]).after, 0) << ToText(*story);
}

TEST(ArbitraryStoryTest, NoValueIsThatLargeShrinksToTheSmallestOfThem) {
  const auto large = [](const archive::ResultModel& result) {
    for (const archive::ValueSetModel& set : result.sets) {
      if (set.pmid.domain() == 2) continue;  // the logger's
      for (const archive::ValueModel& value : set.values) {
        const auto* word = std::get_if<std::uint32_t>(&value.value);
        if (word != nullptr && *word >= 777) return true;
      }
    }
    return false;
  };
  const auto story = Shrunk([&](const Story& any) { return !AnyResult(any, large); });
  ASSERT_TRUE(story);
  ASSERT_EQ(story->steps.size(), 1U) << ToText(*story);
  ASSERT_EQ(story->setup.metrics.size(), 1U) << ToText(*story);
  EXPECT_THAT(story->setup.domains, ElementsAre());
  const auto& sample = std::get<Sample>(story->steps[0]);
  ASSERT_EQ(sample.readings.size(), 1U);
  EXPECT_THAT(sample.readings[0].values, ElementsAre(Value{0, 777, Counting::kAdd, "", {}}))
      << ToText(*story);
  EXPECT_EQ(story->setup.metrics[0].type, MetricType::kU32);
  EXPECT_EQ(story->setup.metrics[0].name, "m");
}

TEST(ArbitraryStoryTest, NoDomainHasThreeInstancesShrinksToThreeSmallOnes) {
  const auto story = Shrunk([](const Story& any) {
    return !AnyResult(any, [](const archive::ResultModel& result) {
      return std::ranges::any_of(result.sets,
                                 [](const auto& set) { return set.values.size() >= 3; });
    });
  });
  ASSERT_TRUE(story);
  ASSERT_EQ(story->setup.domains.size(), 1U) << ToText(*story);
  ASSERT_EQ(story->setup.metrics.size(), 1U) << ToText(*story);
  EXPECT_LE(story->setup.domains[0].instances.size() + story->steps.size(), 4U) << ToText(*story);
  for (const std::int32_t instance : story->setup.domains[0].instances) EXPECT_LT(instance, 3);
}

TEST(ArbitraryStoryTest, ShrinkingGoesFromStepsToMetricsToInstancesToNumbers) {
  Story story;
  story.setup.domains.push_back({});
  story.setup.domains[0].instances = {0, 1};
  story.setup.metrics.resize(2);
  story.setup.metrics[1].domain = 0;
  Sample sample;
  sample.readings = {{1, {Value{0, 5, Counting::kAdd, "", {}}}, 0}};
  story.steps = {sample, Mark{}};
  const auto size = [](const Story& any) {
    return std::vector<std::size_t>{
        any.steps.size(), any.setup.metrics.size(),
        any.setup.domains.empty() ? 0 : any.setup.domains[0].instances.size()};
  };
  std::vector<std::vector<std::size_t>> sizes;
  for (const StoryEdit& edit : SimplerStories(story)) {
    Story simpler = story;
    edit(simpler);
    EXPECT_NE(simpler, story);
    sizes.push_back(size(simpler));
  }
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  using Sizes = std::vector<std::size_t>;
  EXPECT_THAT(sizes, ElementsAre(Sizes{0, 2, 2}, Sizes{1, 2, 2}, Sizes{2, 1, 2}, Sizes{2, 2, 0},
                                 Sizes{2, 2, 1}, Sizes{2, 2, 2}));
}

TEST(ArbitraryStoryTest, AMetricThatGoesTakesItsPartWithIt) {
  Story story;
  story.setup.metrics.resize(3);
  Sample sample;
  sample.readings = {{0, {}, 0}, {1, {}, 0}, {2, {}, 0}};
  story.steps = {sample, LabelChange{LabelClass::kItem, 1, {"a", "1", false}},
                 LabelChange{LabelClass::kItem, 2, {"a", "1", false}}};
  // The edits that leave all steps are the first that remove metrics: the last one first.
  const std::vector<StoryEdit> edits = SimplerStories(story);
  const auto edit = std::ranges::find_if(edits, [&](const StoryEdit& any) {
    Story simpler = story;
    any(simpler);
    return simpler.setup.metrics.size() == 2 && simpler.steps.size() == 2 &&
           std::holds_alternative<LabelChange>(simpler.steps[1]) &&
           std::get<LabelChange>(simpler.steps[1]).metric == 1;
  });
  ASSERT_NE(edit, edits.end());
  (*edit)(story);
  std::vector<std::size_t> metrics;
  for (const Reading& reading : std::get<Sample>(story.steps[0]).readings)
    metrics.push_back(reading.metric);
  EXPECT_THAT(metrics, ElementsAre(0, 1));
}

TEST(ArbitraryStoryTest, StoriesAreTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random one(seed);
    Random other(seed);
    EXPECT_EQ(RandomStory(one, {}), RandomStory(other, {}));
  }
}

TEST(ArbitraryStoryTest, EverythingThatCanHappenDoes) {
  std::set<std::size_t> kinds;
  std::set<MetricType> types;
  std::set<int> versions;
  std::size_t events = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Story story = RandomStory(random, {false, 20, 6});
    versions.insert(story.setup.version);
    for (const MetricSetup& metric : story.setup.metrics) types.insert(metric.type);
    for (const Step& step : story.steps) {
      kinds.insert(step.index());
      const auto* sample = std::get_if<Sample>(&step);
      if (sample == nullptr) continue;
      for (const Reading& reading : sample->readings) {
        for (const Value& value : reading.values) events += value.events.size();
      }
    }
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Step>);
  EXPECT_EQ(types.size(), 10U);
  EXPECT_EQ(versions.size(), 2U);
  EXPECT_GT(events, 0U);
}

}  // namespace
}  // namespace pmproof::generators
