// SPDX-License-Identifier: Apache-2.0
// The same request gives the same answer whatever was fetched before (INT-306, INT-1213): from any
// start, at times in any order, in calls of any size, beside other metrics, with any memory. What a
// context remembers is what INT-206 and INT-706 say, which is said here a second time
// (naive_search.h).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/replay/any_archive.h"
#include "validator/tests/replay/naive_search.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

using generators::Random;
using replay::Profile;
using replay::ReplayArchive;

constexpr ErrorCode kPmidLog{-12378};

// What a fresh context answers at one time, without INT-706 and the end of INT-206: in the
// millisecond after the end only a context that knows the end answers.
GotFetch Alone(const ReplayArchive& archive, const NaiveSearch& search, Timestamp time,
               const Profile& profile, const Replay& replay) {
  Asked asked;
  asked.request.metrics = AllMetrics(archive);
  asked.request.seeks = true;
  asked.times = {time};
  if (search.Relative(time) > search.End()) {
    asked.times = {time + 10'000'000'000, time};  // the first fetch finds the end out
  }
  return replay(archive, asked, profile).back();
}

// Some metrics in any order, perhaps twice (INT-407), perhaps unknown or none (INT-405).
std::vector<Pmid> AnyMetrics(const ReplayArchive& archive, Random& random) {
  std::vector<Pmid> all = AllMetrics(archive);
  all.push_back(Pmid::Of(511, 4095, 1023));
  all.push_back(Pmid::Null());
  std::vector<Pmid> some;
  for (std::uint64_t i = random.Between(1, 8); i > 0; --i) some.push_back(random.Pick(all));
  return some;
}

std::size_t AnyMemory(Random& random) {
  constexpr std::size_t kSizes[] = {1, 500, 5'000, 50'000, std::size_t{512} << 20};
  return random.Pick(kSizes);
}

std::vector<std::size_t> AnyCalls(Random& random, std::size_t times) {
  std::vector<std::size_t> calls;
  if (random.Chance(1, 4)) return calls;
  while (calls.size() < times) calls.push_back(static_cast<std::size_t>(random.Below(4)));
  return calls;
}

// What one metric of a fetch is, by what it is alone and what the context remembers.
GotMetric Expected(Pmid pmid, double t, const GotFetch& alone, const NaiveSearch& search,
                   const NaiveMemory& memory) {
  const auto known = std::ranges::find(alone.metrics, pmid, &GotMetric::pmid);
  if (known == alone.metrics.end()) {
    return {pmid, pmid.IsNull() ? ErrorCode::kOk : kPmidLog, {}, {}};
  }
  GotMetric metric = *known;
  const Descriptor& descriptor = search.metrics().at(pmid);
  const bool counter = descriptor.semantics == Semantics::kCounter && IsNumeric(descriptor.type);
  if (counter && memory.LeavesOut(pmid, t)) metric.values.clear();
  return metric;
}

std::string HistoryMatters(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                           const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  const NaiveSearch search(archive.plan());
  const std::vector<Timestamp> some = AnyTimes(archive, random, 2 + random.Below(8));
  std::vector<GotFetch> alone;
  alone.reserve(some.size());
  for (const Timestamp time : some) {
    alone.push_back(Alone(*opened.archive, search, time, profile, replay));
  }
  for (int i = 0; i < 3; ++i) {
    Asked asked;
    asked.request.metrics = AnyMetrics(*opened.archive, random);
    asked.request.direction = random.Chance(1, 2) ? 1 : -1;
    asked.request.seeks = random.Chance(1, 3);
    asked.request.memory = AnyMemory(random);
    std::vector<std::size_t> order;
    for (std::uint64_t n = random.Between(1, 12); n > 0; --n) {
      order.push_back(static_cast<std::size_t>(random.Below(some.size())));
    }
    if (random.Chance(1, 2)) {
      std::ranges::sort(order, {}, [&](std::size_t place) { return some[place]; });
      if (random.Chance(1, 2)) std::ranges::reverse(order);
    }
    for (const std::size_t place : order) asked.times.push_back(some[place]);
    asked.calls = AnyCalls(random, order.size());

    NaiveMemory memory(search, profile->traits().exact_end);
    std::vector<GotFetch> expected;
    for (const std::size_t place : order) {
      const double t = search.Relative(some[place]);
      GotFetch fetch{alone[place].time, ErrorCode::kOk, {}};
      if (asked.request.seeks) memory.Forget();
      if (memory.IsEndOfLog(t)) {
        fetch.status = ErrorCode::kEndOfLog;
      } else {
        for (const Pmid pmid : asked.request.metrics) {
          fetch.metrics.push_back(Expected(pmid, t, alone[place], search, memory));
        }
        for (const GotMetric& metric : fetch.metrics) {
          memory.NoteMetric(metric.pmid, !metric.values.empty());
        }
        memory.NoteFetch(t);
      }
      expected.push_back(std::move(fetch));
    }
    std::string difference = Difference(expected, replay(*opened.archive, asked, profile));
    if (!difference.empty()) return difference;
  }
  return "";
}

RC_GTEST_PROP(ReplayHistoryTest, WhatWasFetchedBeforeMakesNoDifference, ()) {
  Holds(ArchivesToReplay(), HistoryMatters);
}

TEST(ReplayHistoryTest, AContextThatForgetsTheMarkItHasPassedIsCaught) {  // INT-706
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), HistoryMatters,
                       [](const ReplayArchive& archive, Asked asked, const Profile& profile) {
                         asked.request.seeks = true;
                         return RealReplay(archive, asked, profile);
                       }));
}

TEST(ReplayHistoryTest, AContextThatForgetsTheEndIsCaught) {  // INT-206
  const auto fresh_at_each_call = [](const ReplayArchive& archive, const Asked& asked,
                                     const Profile& profile) {
    std::vector<GotFetch> all;
    for (const Timestamp time : asked.times) {
      Asked one = asked;
      one.times = {time};
      all.push_back(RealReplay(archive, one, profile).back());
    }
    return all;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), HistoryMatters, fresh_at_each_call,
                       {replay::PcpLegacy(), replay::Pcp632()}));
}

TEST(ReplayHistoryTest, AContextThatKeepsAnOlderAnswerIsCaught) {
  const auto keeps = [](const ReplayArchive& archive, const Asked& asked, const Profile& profile) {
    std::vector<GotFetch> all = RealReplay(archive, asked, profile);
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].metrics.size() != all[i - 1].metrics.size()) continue;
      for (std::size_t metric = 0; metric < all[i].metrics.size(); ++metric) {
        if (all[i].metrics[metric].values.empty()) {
          all[i].metrics[metric] = all[i - 1].metrics[metric];
        }
      }
    }
    return all;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), HistoryMatters, keeps));
}

}  // namespace
}  // namespace pmproof::validator::testing
