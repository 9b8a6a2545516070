// SPDX-License-Identifier: Apache-2.0
// That what matters to replay is in the archives and times by chance: else properties of them would
// say less than they seem to.

#include "validator/tests/replay/any_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/arbitrary/story_text.h"
#include "validator/tests/replay/naive_search.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

constexpr std::uint64_t kSeeds = 300;

// How many archives have it.
std::size_t Count(const std::function<bool(const AnyArchive& archive)>& has) {
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    count += has(ArchivesToReplay()(rc::Random(seed), 60).value()) ? 1 : 0;
  }
  return count;
}

TEST(AnyArchiveTest, EachOfThemIsOpened) {
  EXPECT_EQ(Count([](const AnyArchive& archive) { return Open(archive.plans).error.empty(); }),
            kSeeds);
}

TEST(AnyArchiveTest, RecipesAreMade) {
  const auto is_made = [](const AnyArchive& archive) {
    return archive.origin.starts_with("pmproof generate");
  };
  EXPECT_GT(Count(is_made), kSeeds / 4);
  // What cannot be made is an archive of nothing.
  const std::string nothing = ToText(generators::Story());
  EXPECT_EQ(Count([&](const AnyArchive& archive) { return archive.origin == nothing; }), 0U);
}

TEST(AnyArchiveTest, MarksVolumesAndTimesThatGoBackAreThere) {
  EXPECT_GT(
      Count([](const AnyArchive& archive) { return !NaiveSearch(archive.plan()).Marks().empty(); }),
      kSeeds / 10);
  EXPECT_GT(Count([](const AnyArchive& archive) { return archive.plan().volumes.size() > 2; }),
            kSeeds / 50);
  EXPECT_GT(Count([](const AnyArchive& archive) {
              const std::vector<Timestamp> times = TimesOfRecords(archive);
              return !std::ranges::is_sorted(times);
            }),
            kSeeds / 50);
  for (const int version : {2, 3}) {
    EXPECT_GT(
        Count([&](const AnyArchive& archive) { return archive.plan().label.version == version; }),
        kSeeds / 4);
  }
}

TEST(AnyArchiveTest, AllTypesAreThereInAllSemantics) {
  std::map<std::pair<MetricType, Semantics>, std::size_t> counts;
  Count([&](const AnyArchive& archive) {
    const NaiveSearch search(archive.plan());
    for (const auto& [pmid, metric] : search.metrics()) {
      ++counts[{metric.type, metric.semantics}];
    }
    return true;
  });
  for (const MetricType type : {MetricType::k32, MetricType::kU32, MetricType::k64,
                                MetricType::kU64, MetricType::kFloat, MetricType::kDouble}) {
    for (const Semantics semantics :
         {Semantics::kCounter, Semantics::kInstant, Semantics::kDiscrete}) {
      EXPECT_GT((counts[{type, semantics}]), kSeeds / 50) << ToText(type) << ToText(semantics);
    }
  }
  for (const MetricType type : {MetricType::kString, MetricType::kAggregate, MetricType::kEvent,
                                MetricType::kHighresEvent}) {
    EXPECT_GT((counts[{type, Semantics::kDiscrete}]), 0U) << ToText(type);
  }
}

// INT-403.
TEST(AnyArchiveTest, InstancesThatAreBeyondTheirLifeAreThere) {
  EXPECT_GT(Count([](const AnyArchive& archive) {
              const NaiveSearch search(archive.plan());
              for (const auto& [pmid, metric] : search.metrics()) {
                for (const std::int32_t instance : search.Candidates(pmid)) {
                  if (search.IsBeyondLife(pmid, instance, search.End())) return true;
                }
              }
              return false;
            }),
            0U);
}

TEST(AnyArchiveTest, TimesAreOnRecordsBesideThemBetweenThemAndOutside) {
  std::size_t on = 0, beside = 0, before = 0, behind = 0, other = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AnyArchive archive = ArchivesToReplay()(rc::Random(seed), 60).value();
    const std::vector<Timestamp> records = TimesOfRecords(archive);
    const auto is_record = [&](Timestamp time) {
      return std::ranges::find(records, time.Normalised()) != records.end();
    };
    generators::Random random(seed);
    for (const Timestamp time : AnyTimes(archive, random, 20)) {
      if (is_record(time)) {
        ++on;
      } else if (is_record(time + 1) || is_record(time + -1)) {
        ++beside;
      } else if (time < archive.plan().label.start) {
        ++before;
      } else if (time > records.back()) {
        ++behind;
      } else {
        ++other;
      }
    }
  }
  for (const std::size_t count : {on, beside, before, behind, other}) EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace pmproof::validator::testing
