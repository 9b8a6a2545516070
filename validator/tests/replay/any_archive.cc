// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/replay/any_archive.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "generators/arbitrary/arbitrary_story.h"
#include "generators/generate.h"
#include "generators/scenarios/scenario.h"
#include "generators/story/composer.h"
#include "generators/transform.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::Random;
using generators::Recipe;
using generators::Story;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

// No PCP opens an archive with another descriptor of a metric (ARC-2107).
AnyArchive OfStory(Story story) {
  std::erase_if(story.steps, [](const generators::Step& step) {
    return std::holds_alternative<generators::Redefinition>(step);
  });
  return {{Compose(story)}, ToText(story)};
}

// What makes one archive of this version that can be read, and more of values than of names.
std::vector<std::string> Scenarios(int version) {
  static const std::set<std::string_view> kOthers = {"plain", "indom-churn", "long-names",
                                                     "set",   "set-gaps",    "labels"};
  std::vector<std::string> names;
  for (const generators::ScenarioKind& kind : generators::AllScenarios()) {
    if (!kind.unreadable && (kind.version == 0 || kind.version == version) &&
        !kOthers.contains(kind.name)) {
      names.emplace_back(kind.name);
    }
  }
  return names;
}

AnyArchive OfRecipe(Recipe recipe) {
  std::string text = "pmproof generate --archive-version " + std::to_string(recipe.version) +
                     " --seed " + std::to_string(recipe.seed) + " --records " +
                     std::to_string(*recipe.records) + " --instances " +
                     std::to_string(*recipe.instances) + " --metrics 3 --scenario ";
  for (const std::string& name : recipe.scenarios) text += name + ",";
  recipe.metrics = 3;
  const auto generation = generators::Generation::Of(recipe);
  if (!generation) return OfStory({});
  generators::PlanSink sink(recipe.version, (*generation)->Index());
  const archive::LabelModel label = (*generation)->Label();
  if ((*generation)->Next(sink, {})) return OfStory({});
  return {{std::move(sink).Finish(label)}, std::move(text)};
}

Recipe AnyRecipe(std::uint64_t seed, std::uint64_t records) {
  Random random(seed);
  Recipe recipe;
  recipe.seed = seed;
  recipe.records = records;
  recipe.instances = random.Chance(1, 2) ? random.Between(14, 20) : random.Between(1, 5);
  recipe.version = random.Chance(1, 2) ? 2 : 3;
  const std::vector<std::string> scenarios = Scenarios(recipe.version);
  std::set<std::string> chosen;
  if (random.Chance(1, 2)) chosen.insert(random.Chance(1, 2) ? "replay" : "replay-falls");
  for (std::uint64_t i = random.Below(4); i > 0; --i) chosen.insert(random.Pick(scenarios));
  recipe.scenarios.assign(chosen.begin(), chosen.end());
  return recipe;
}

std::int64_t EndOf(const std::vector<Timestamp>& times, Timestamp start) {
  std::int64_t end = 0;
  for (const Timestamp time : times) end = std::max(end, NanosecondsBetween(start, time));
  return end;
}

AnyArchive WithAnother(AnyArchive archive, std::int64_t gap) {
  const Timestamp start = archive.plan().label.start;
  const std::int64_t end = EndOf(TimesOfRecords(archive), start);
  const auto other = ShiftTimes(archive.plan(), (end + 2 * kMillisecond) / kSecond + 1 + gap);
  if (other) archive.plans.push_back(*other);
  archive.origin += "\ntwice, " + std::to_string(gap) + " s between them";
  return archive;
}

// With a few records, marks too, at the times of others (INT-309).
AnyArchive Disordered(AnyArchive archive, std::uint64_t seed) {
  const std::vector<Timestamp> times = TimesOfRecords(archive);
  if (times.size() < 2) return archive;
  Random random(seed);
  ArchivePlan plan = DropIndex(archive.plan());
  for (std::uint64_t i = random.Between(1, 4); i > 0; --i) {
    const auto moved = static_cast<std::size_t>(random.Between(1, times.size() - 1));
    std::size_t number = 0;
    for (auto& [volume, results] : plan.volumes) {
      for (archive::ResultModel& result : results) {
        if (number++ != moved) continue;
        result.time = random.Pick(times);
        archive.origin +=
            "record " + std::to_string(moved) + " at " + ToEpochText(result.time) + "\n";
      }
    }
  }
  archive.plans = {std::move(plan)};
  return archive;
}

// Both seconds and nanoseconds as somebody may state the same time (INT-204).
Timestamp Unlike(Timestamp time, Random& random) {
  if (time.nanoseconds == 0 && random.Chance(1, 4)) return {time.seconds - 1, 1'000'000'000};
  return time;
}

}  // namespace

rc::Gen<AnyArchive> ArchivesToReplay() {
  const auto stories = rc::gen::map(rc::gen::arbitrary<Story>(), &OfStory);
  const auto seeds = rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const auto recipes = [seeds](std::uint64_t least, std::uint64_t most) {
    return rc::gen::map(
        rc::gen::apply(&AnyRecipe, seeds, rc::gen::inRange<std::uint64_t>(least, most)), &OfRecipe);
  };
  return rc::gen::weightedOneOf<AnyArchive>(
      {{8, stories},
       {4, recipes(12, 30)},
       {1, recipes(100, 300)},
       {1, rc::gen::apply(&Disordered, stories, seeds)},
       {1, rc::gen::apply(&Disordered, recipes(12, 20), seeds)}});
}

rc::Gen<AnyArchive> SetsToReplay() {
  const auto stories = rc::gen::map(generators::SoundStory(), &OfStory);
  return rc::gen::apply(&WithAnother, stories, rc::gen::inRange<std::int64_t>(0, 3));
}

std::vector<Timestamp> TimesOfRecords(const AnyArchive& archive) {
  std::vector<Timestamp> times;
  for (const ArchivePlan& plan : archive.plans) {
    for (const auto& [volume, results] : plan.volumes) {
      for (const archive::ResultModel& result : results) times.push_back(result.time);
    }
  }
  return times;
}

std::vector<Timestamp> AnyTimes(const AnyArchive& archive, Random& random, std::size_t count) {
  const std::vector<Timestamp> records = TimesOfRecords(archive);
  const Timestamp start = archive.plan().label.start;
  const Timestamp end = records.empty() ? start : records.back();
  const auto any_record = [&] { return records.empty() ? start : random.Pick(records); };
  std::vector<Timestamp> times;
  while (times.size() < count) {
    const std::size_t place = static_cast<std::size_t>(random.Below(records.size()));
    const Timestamp one = records.empty() ? start : records[place];
    const Timestamp next = records.empty() ? end : records[std::min(place + 1, records.size() - 1)];
    const std::int64_t gap = NanosecondsBetween(one, next);
    Timestamp time = one;
    switch (random.Below(12)) {
      case 0:
      case 1:
        break;
      case 2:
      case 3:
        time = one + (random.Chance(1, 2) ? 1 : -1);
        break;
      case 4:
      case 5:  // the middle, where the choice between two values changes
        time = one + (gap / 2 + random.Between(-1, 1));
        break;
      case 6:
      case 7:
        time = one + (gap > 0 ? random.Between(0, gap) : 0);
        break;
      case 8: {  // far apart
        const std::int64_t span = NanosecondsBetween(one, any_record());
        time = one + (span > 0 ? random.Between(0, span) : random.Between(span, 0));
        break;
      }
      case 9:
        time = start + -random.Between(0, random.Chance(1, 2) ? 2 * kMillisecond : 5 * kSecond);
        break;
      case 10:
        time = end + random.Between(0, random.Chance(1, 2) ? 2 * kMillisecond : 5 * kSecond);
        break;
      default:
        time = times.empty() ? one : random.Pick(times);
    }
    times.push_back(Unlike(time, random));
  }
  return times;
}

}  // namespace pmproof::validator::testing
