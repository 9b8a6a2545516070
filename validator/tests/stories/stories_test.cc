// SPDX-License-Identifier: Apache-2.0
// Stories of all kinds, most of them nonsense in part: the archive is sound nevertheless.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "generators/random.h"
#include "generators/story/composer.h"
#include "reference/archive/encode.h"
#include "validator/tests/stories/findings.h"

namespace pmproof::validator::testing {
namespace {

using generators::Compose;
using generators::Counting;
using generators::DomainChange;
using generators::DomainSetup;
using generators::EventText;
using generators::LabelChange;
using generators::LabelText;
using generators::Mark;
using generators::MetricSetup;
using generators::Random;
using generators::Reading;
using generators::Sample;
using generators::Setup;
using generators::Step;
using generators::Story;
using generators::Value;
using generators::VolumeSwitch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

constexpr MetricType kTypes[] = {
    MetricType::k32,           MetricType::kU32,       MetricType::k64,
    MetricType::kU64,          MetricType::kFloat,     MetricType::kDouble,
    MetricType::kString,       MetricType::kAggregate, MetricType::kEvent,
    MetricType::kHighresEvent, MetricType::kNoSupport, MetricType::kAggregateStatic};
constexpr LabelClass kClasses[] = {LabelClass::kContext, LabelClass::kDomain,
                                   LabelClass::kIndom,   LabelClass::kCluster,
                                   LabelClass::kItem,    LabelClass::kInstances};

// Stories that a seed stands for.
class Teller {
 public:
  Teller(std::uint64_t seed, int version) : random_(seed), version_(version) {}

  Story Tell() {
    Story story;
    Setup& setup = story.setup;
    setup.version = version_;
    setup.logger = random_.Chance(3, 4);
    setup.interval = static_cast<std::int64_t>(random_.Below(5'000'000'000));
    setup.start.nanoseconds = static_cast<std::int32_t>(random_.Below(1'000'000'000));
    setup.context_labels = Labels();
    setup.agent_labels = Labels();
    setup.cluster_labels = Labels();
    for (std::uint64_t i = random_.Below(4); i > 0; --i) setup.domains.push_back(Domain());
    for (std::uint64_t i = random_.Below(8); i > 0; --i) setup.metrics.push_back(Metric());
    for (std::uint64_t i = random_.Below(30); i > 0; --i) story.steps.push_back(AnyStep());
    return story;
  }

 private:
  std::vector<LabelText> Labels() {
    static constexpr const char* kNames[] = {"a", "b", "b.c", "b.d", "hostname", "not a name", ""};
    static constexpr const char* kValues[] = {"1", "\"x#\"", "true", "[1,2]", "null", ""};
    std::vector<LabelText> labels;
    for (std::uint64_t i = random_.Below(4); i > 0; --i)
      labels.push_back({random_.Pick(kNames), random_.Pick(kValues), random_.Chance(1, 3)});
    return labels;
  }

  std::string Text() {
    static const std::string kTexts[] = {"", "", "one", "two\nlines", std::string("nul\0s", 5)};
    return random_.Pick(kTexts);
  }

  std::int32_t Instance() { return static_cast<std::int32_t>(random_.Between(-1, 6)); }

  DomainSetup Domain() {
    DomainSetup domain;
    domain.agent = static_cast<std::uint32_t>(random_.Between(29, 30));
    domain.serial = static_cast<std::uint32_t>(random_.Below(3));
    domain.instances.clear();
    for (std::uint64_t i = random_.Below(5); i > 0; --i) domain.instances.push_back(Instance());
    domain.one_line = Text();
    domain.help = Text();
    domain.labels = Labels();
    domain.instance_labels = Labels();
    return domain;
  }

  MetricSetup Metric() {
    static constexpr const char* kNames[] = {"m", "m.a",      "m.b", "m.b.c", "n",
                                             "o", "pmcd.pid", "1",   ""};
    MetricSetup metric;
    metric.agent = static_cast<std::uint32_t>(random_.Between(29, 30));
    if (random_.Chance(1, 10)) metric.agent = random_.Chance(1, 2) ? 2 : 511;
    metric.cluster = static_cast<std::uint32_t>(random_.Below(3));
    metric.item = static_cast<std::uint32_t>(random_.Below(4));
    metric.name = random_.Pick(kNames);
    if (random_.Chance(1, 3)) metric.aliases.emplace_back(random_.Pick(kNames));
    metric.type = random_.Pick(kTypes);
    metric.semantics = random_.Chance(1, 2) ? Semantics::kCounter : Semantics::kInstant;
    metric.units.word =
        random_.Chance(1, 2) ? static_cast<std::uint32_t>(random_.Next()) : 0x00100000;
    if (random_.Chance(1, 2)) metric.domain = random_.Below(4);
    metric.one_line = Text();
    metric.help = Text();
    metric.labels = Labels();
    metric.first = random_.Chance(1, 2) ? random_.Next() : 0;
    metric.parameter = random_.Chance(1, 4);
    return metric;
  }

  Value AnyValue() {
    Value value;
    value.instance = Instance();
    value.number = random_.Next() >> random_.Below(64);
    value.text = Text();
    for (std::uint64_t i = random_.Below(4); i > 0; --i) {
      EventText event;
      event.before = random_.Between(-5, 5'000'000);
      event.flags = static_cast<std::uint32_t>(random_.Next());
      event.missed = static_cast<std::uint32_t>(random_.Below(3));
      for (std::uint64_t j = random_.Below(3); j > 0; --j)
        event.parameters.push_back({random_.Below(9), random_.Next(), Text()});
      value.events.push_back(event);
    }
    return value;
  }

  Step AnyStep() {
    switch (random_.Below(10)) {
      case 0:
        return Mark{random_.Between(-1, 6'000'000'000), false};
      case 1:
        return DomainChange{random_.Below(4), DomainChange::Kind::kAppear, Instance(), 0};
      case 2:
        return DomainChange{random_.Below(4), DomainChange::Kind::kVanish, Instance(), 0};
      case 3: {
        LabelChange change;
        change.level = random_.Pick(kClasses);
        change.metric = random_.Below(9);
        const std::vector<LabelText> labels = Labels();
        if (!labels.empty()) change.label = labels.front();
        return change;
      }
      case 4:
        return VolumeSwitch{};
      default: {
        Sample sample;
        sample.after = random_.Between(-5, 60'000'000'000);
        for (std::uint64_t i = random_.Below(6); i > 0; --i) {
          Reading reading;
          reading.metric = random_.Below(9);
          reading.status = static_cast<std::int32_t>(random_.Between(-12400, 5));
          for (std::uint64_t j = random_.Below(5); j > 0; --j) reading.values.push_back(AnyValue());
          sample.readings.push_back(std::move(reading));
        }
        return sample;
      }
    }
  }

  Random random_;
  int version_;
};

class StoriesTest : public ::testing::TestWithParam<int> {};

TEST_P(StoriesTest, MakeSoundArchivesWhateverTheySay) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Story story = Teller(seed, GetParam()).Tell();
    const auto found = FindingsOn(Compose(story));
    if (story.setup.logger) {
      ASSERT_THAT(found, IsEmpty()) << "seed " << seed;
    } else {
      ASSERT_THAT(found, ::testing::Each(Key(::testing::AnyOf("ARC-2008", "ARC-2009"))))
          << "seed " << seed;
    }
  }
}

TEST_P(StoriesTest, RemainSoundWhenStepsOrMembersAreTakenOut) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Story story = Teller(seed, GetParam()).Tell();
    story.setup.logger = true;
    const auto check = [&](const Story& smaller) {
      ASSERT_THAT(FindingsOn(Compose(smaller)), IsEmpty()) << "seed " << seed;
    };
    for (std::size_t i = 0; i < story.steps.size(); i += 3) {
      Story smaller = story;
      smaller.steps.erase(smaller.steps.begin() + static_cast<std::ptrdiff_t>(i));
      check(smaller);
    }
    for (std::size_t i = 0; i < story.setup.metrics.size(); ++i) {
      Story smaller = story;
      smaller.setup.metrics.erase(smaller.setup.metrics.begin() + static_cast<std::ptrdiff_t>(i));
      check(smaller);
    }
    for (std::size_t i = 0; i < story.setup.domains.size(); ++i) {
      Story smaller = story;
      smaller.setup.domains.erase(smaller.setup.domains.begin() + static_cast<std::ptrdiff_t>(i));
      check(smaller);
    }
  }
}

TEST_P(StoriesTest, AnEmptyStoryIsAnArchiveOfItsLogger) {
  Story story;
  story.setup.version = GetParam();
  const auto plan = Compose(story);
  EXPECT_EQ(plan.volumes.at(0).size(), 2U);
  EXPECT_THAT(FindingsOn(plan), IsEmpty());
  story.setup.logger = false;
  EXPECT_THAT(FindingsOn(Compose(story)), ElementsAre(Key("ARC-2009")));
}

// A setup of one counter with instances 0 to 2, and one without.
Story Counters(int version) {
  Story story;
  story.setup.version = version;
  DomainSetup domain;
  domain.stem = "disk";
  domain.instances = {0, 1, 2};
  story.setup.domains = {domain};
  MetricSetup of_disks;
  of_disks.name = "disk.read";
  of_disks.semantics = Semantics::kCounter;
  of_disks.domain = 0;
  MetricSetup all = of_disks;
  all.name = "all.read";
  all.item = 2;
  all.domain.reset();
  all.first = 4294967290;
  story.setup.metrics = {of_disks, all};
  return story;
}

Sample Of(std::vector<Reading> readings) { return {0, std::move(readings), false}; }
Value Number(std::int32_t instance, std::uint64_t number, Counting counting = Counting::kAdd) {
  Value value;
  value.instance = instance;
  value.number = number;
  value.counting = counting;
  return value;
}

const archive::ResultModel& ResultAt(const generators::ArchivePlan& plan, std::size_t place) {
  return plan.volumes.at(0).at(place);
}
std::uint32_t WordOf(const archive::ValueModel& value) {
  return std::get<std::uint32_t>(value.value);
}

TEST_P(StoriesTest, CountersAddUpAndStayAtTheLargestValue) {
  Story story = Counters(GetParam());
  story.steps = {Of({{1, {Number(0, 5)}, 0}}), Of({{1, {Number(0, 5)}, 0}})};
  const auto plan = Compose(story);
  EXPECT_EQ(WordOf(ResultAt(plan, 1).sets.at(0).values.at(0)), 4294967295U);
  EXPECT_EQ(WordOf(ResultAt(plan, 2).sets.at(0).values.at(0)), 4294967295U);
}

TEST_P(StoriesTest, ACounterThatWrapsFalls) {
  Story story = Counters(GetParam());
  story.steps = {Of({{1, {Number(0, 5)}, 0}}), Of({{1, {Number(0, 5, Counting::kWrap)}, 0}})};
  const auto plan = Compose(story);
  EXPECT_EQ(WordOf(ResultAt(plan, 2).sets.at(0).values.at(0)), 4U);
  EXPECT_THAT(FindingsOn(plan), ElementsAre(Key("ARC-1825")));
}

TEST_P(StoriesTest, AfterAMarkACounterMayFall) {
  Story story = Counters(GetParam());
  story.steps = {Of({{1, {Number(0, 5)}, 0}}), Mark{},
                 Of({{1, {Number(0, 5, Counting::kSet)}, 0}})};
  EXPECT_THAT(FindingsOn(Compose(story)), IsEmpty());
}

TEST_P(StoriesTest, AChangeOfADomainIsADeltaInVersion3) {
  Story story = Counters(GetParam());
  story.steps = {Of({{0, {Number(0, 1), Number(1, 1), Number(2, 1)}, 0}}),
                 DomainChange{0, DomainChange::Kind::kVanish, 1, 0},
                 DomainChange{0, DomainChange::Kind::kAppear, 7, 0},
                 Of({{0, {Number(0, 1), Number(1, 1), Number(7, 1)}, 0}})};
  const auto plan = Compose(story);
  EXPECT_THAT(FindingsOn(plan), IsEmpty());
  const auto& record = std::get<archive::IndomModel>(plan.meta.back());
  EXPECT_EQ(record.delta, GetParam() == 3);
  if (GetParam() == 3) {
    EXPECT_EQ(record.instances,
              (std::vector<archive::InstanceModel>{{1, std::nullopt}, {7, "disk7"}}));
  } else {
    EXPECT_EQ(record.instances,
              (std::vector<archive::InstanceModel>{{0, "disk0"}, {2, "disk2"}, {7, "disk7"}}));
  }
  EXPECT_EQ(ResultAt(plan, 2).sets.at(0).values.size(), 2U);  // 1 is gone
}

TEST_P(StoriesTest, AnInstanceReplacedKeepsItsName) {
  Story story = Counters(GetParam());
  story.steps = {Of({{0, {Number(1, 1)}, 0}}), DomainChange{0, DomainChange::Kind::kReplace, 1, 9},
                 // Its name is taken.
                 DomainChange{0, DomainChange::Kind::kAppear, 1, 0}, Of({{0, {Number(9, 1)}, 0}})};
  const auto plan = Compose(story);
  EXPECT_THAT(FindingsOn(plan), ElementsAre(Key("ARC-1425")));
  EXPECT_EQ(std::get<archive::IndomModel>(plan.meta.back()).instances.back(),
            (archive::InstanceModel{9, "disk1"}));
}

TEST_P(StoriesTest, MarksAnywhereAreWrittenWhereTheyStand) {
  Story story = Counters(GetParam());
  story.steps = {Mark{1'000'000, true}, Of({{1, {Number(0, 5)}, 0}}), Mark{1'000'000, true},
                 Mark{2'000'000, true}, Of({{1, {Number(0, 5)}, 0}}), Mark{1'000'000, true}};
  const auto plan = Compose(story);
  std::vector<bool> marks;
  for (const auto& result : plan.volumes.at(0)) marks.push_back(result.sets.empty());
  EXPECT_THAT(marks, ElementsAre(true, false, false, true, true, false, false, true));
  EXPECT_THAT(FindingsOn(plan), ElementsAre(Key("ARC-1527"), Key("ARC-1723"), Key("ARC-1921")));
}

TEST_P(StoriesTest, AMarkMayHaveTheTimeOfTheNextSample) {
  Story story = Counters(GetParam());
  story.steps = {Of({{1, {Number(0, 5)}, 0}}), Mark{1'000'000'000, false},
                 Of({{1, {Number(0, 5)}, 0}})};
  const auto plan = Compose(story);
  EXPECT_EQ(ResultAt(plan, 2).time, ResultAt(plan, 3).time);
  EXPECT_THAT(FindingsOn(plan), IsEmpty());
}

TEST_P(StoriesTest, ASampleThatGoesBackIsTheOnlyThingWrong) {
  Story story = Counters(GetParam());
  story.steps = {Of({{1, {Number(0, 5)}, 0}}), Of({{1, {Number(0, 5)}, 0}}),
                 Sample{0, {{0, {Number(0, 1)}, 0}, {1, {Number(0, 5)}, 0}}, true},
                 Of({{1, {Number(0, 5)}, 0}})};
  EXPECT_THAT(FindingsOn(Compose(story)), ElementsAre(Key("ARC-1720")));
}

INSTANTIATE_TEST_SUITE_P(BothVersions, StoriesTest, ::testing::Values(2, 3),
                         [](const auto& each) { return "Version" + std::to_string(each.param); });

}  // namespace
}  // namespace pmproof::validator::testing
