// SPDX-License-Identifier: Apache-2.0
// Fetches of one context with pmSetMode and other lists between them.

#include "reference/replay/fetch_script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/replay/profiles.h"
#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

const std::vector<std::size_t> kA = {0};
const std::vector<std::size_t> kB = {1};
const std::vector<std::size_t> kBoth = {0, 1};
const std::vector<std::size_t> kTurned = {1, 0, 1};

// Two counters: 10 at 0 s, 20 at 10 s, a mark 1 ms later, 100 at 20 s, 110 at 30 s; b is 1 more.
Plan TwoCounters() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kCounter);
  const auto both = [](std::uint32_t value) {
    return std::vector{U32(1, value), U32(2, value + 1)};
  };
  return plan.Record(0, both(10))
      .Record(10, both(20))
      .Mark(10.001)
      .Record(20, both(100))
      .Record(30, both(110));
}

// One word for each fetch, values with a comma between.
std::string Play(const Plan& plan, const std::vector<ScriptedFetch>& script,
                 const Profile& profile = Pcp632()) {
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  if (!archive) return archive.error().ToText();
  ReplayRequest request;
  request.metrics = {Pmid::Of(29, 0, 1), Pmid::Of(29, 0, 2)};
  std::string text;
  const auto error =
      FetchScript(**archive, request, profile, script, [&text](const FetchAnswer& fetch) {
        text += text.empty() ? "" : " ";
        if (fetch.status == ErrorCode::kEndOfLog) text += "EOL";
        for (std::size_t i = 0; i < fetch.metrics.size(); ++i) {
          const auto& values = fetch.metrics[i].values;
          text += i == 0 ? "" : ",";
          text += values.empty() ? "-" : std::to_string(values.front().value.AsU32());
        }
      });
  return error ? error->ToText() : text;
}

TEST(FetchScript, AnswersWhatEachFetchAsksFor) {
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(6), false, kB}, {At(7), false, kTurned}}),
            "15 17 18,17,18");
}

TEST(FetchScript, SuppressesAcrossAMarkOnlyWhereTheContextGoesOn) {  // INT-706
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(25), false, kA}, {At(26), false, kA}}),
            "15 - 106");
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(25), true, kA}, {At(26), false, kA}}),
            "15 105 106");
}

TEST(FetchScript, RemembersOfEachMetricTheLastFetchThatAskedForIt) {  // INT-706
  // In the gap only b was asked for: a last had a value, but the mark is before the fetch of b.
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(12), false, kB}, {At(25), false, kBoth}}),
            "15 - 105,106");
  // a and b both had a value, and the mark is after the last fetch of either.
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(6), false, kB}, {At(25), false, kBoth}}),
            "15 17 -,-");
  // b was never asked for.
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(25), false, kBoth}}), "15 -,106");
}

TEST(FetchScript, TurnsRoundOverAMark) {  // INT-706
  EXPECT_EQ(Play(TwoCounters(), {{At(25), true, kA}, {At(5), false, kA}, {At(4), false, kA}}),
            "105 - 14");
}

TEST(FetchScript, RemembersTheEndOverEachSeek) {  // INT-206
  const ScriptedFetch behind = {At(30.0005), true, kA};
  EXPECT_EQ(Play(TwoCounters(), {behind}), "EOL");
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, behind}), "15 -");
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, behind}, Documented()), "15 EOL");
}

TEST(FetchScript, AFetchOutsideIsNoFetchBefore) {  // INT-706: the previous successful fetch
  EXPECT_EQ(Play(TwoCounters(), {{At(5), true, kA}, {At(40), false, kA}, {At(25), false, kA}}),
            "15 EOL -");
}

}  // namespace
}  // namespace pmproof::replay
