// SPDX-License-Identifier: Apache-2.0
// What fetches answer, from outside: archives of models, encoded, opened and replayed.

#include "reference/replay/replay.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/replay/context_clock.h"
#include "reference/replay/profiles.h"
#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

std::string TextOf(const MetricAnswer& metric) {
  if (metric.status != ErrorCode::kOk) return ToText(metric.status).substr(7);
  std::string text;
  for (const InstanceAnswer& value : metric.values) {
    if (!text.empty()) text += "/";
    if (value.instance != kInstanceNull) text += std::to_string(value.instance) + "=";
    text += value.value.opaque.empty() ? std::to_string(value.value.AsU64())
                                       : std::string(AsText(value.value.opaque));
  }
  return text.empty() ? "-" : text;
}

// The answers of all fetches, one word each; metrics with a comma between them.
class Replayed {
 public:
  explicit Replayed(const Plan& plan) {
    plan.Store("a", &storage_);
    names_ = {"a"};
  }
  explicit Replayed(const std::vector<std::pair<std::string, Plan>>& plans) {
    for (const auto& [name, plan] : plans) {
      plan.Store(name, &storage_);
      names_.push_back(name);
    }
  }

  ReplayRequest request;
  archive::MemoryStorage& storage() { return storage_; }

  Replayed& Of(const std::vector<std::uint32_t>& items) {
    request.metrics.clear();
    for (const std::uint32_t item : items) request.metrics.push_back(Pmid::Of(29, 0, item));
    return *this;
  }

  std::string Every(double start, double step, int count, const Profile& profile = Pcp632()) {
    const auto nanoseconds = static_cast<std::int64_t>(step * 1e9);
    const Delta delta{nanoseconds / 1'000'000'000,
                      static_cast<std::int32_t>(nanoseconds % 1'000'000'000)};
    std::vector<Timestamp> times;
    Timestamp time = At(start);
    for (int i = 0; i < count; ++i) {
      times.push_back(time);
      time = Advance(time, delta, profile->traits().normalised_time);
    }
    request.direction = step < 0 ? -1 : 1;
    return Run(times, profile);
  }

  // Fresh fetches.
  std::string AtEach(const std::vector<double>& times, const Profile& profile = Pcp632()) {
    std::string text;
    for (const double time : times) {
      text += (text.empty() ? "" : " ") + Run({At(time)}, profile);
    }
    return text;
  }

  std::string Run(const std::vector<Timestamp>& times, const Profile& profile) {
    const auto archive = ReplayArchive::Open(storage_, names_);
    if (!archive) return archive.error().ToText();
    std::string text;
    ReplayContext context(**archive, request, profile);
    const auto error = context.Fetch(times, [&text](const FetchAnswer& fetch) {
      if (!text.empty()) text += " ";
      if (fetch.status == ErrorCode::kEndOfLog) text += "EOL";
      for (std::size_t i = 0; i < fetch.metrics.size(); ++i) {
        text += (i == 0 ? "" : ",") + TextOf(fetch.metrics[i]);
      }
    });
    return error ? error->ToText() : text;
  }

 private:
  archive::MemoryStorage storage_;
  std::vector<std::string> names_;
};

// The example of section 15.1: counter 1, instant 2, discrete 3.
Plan MarkExample() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Metric(3, MetricType::kU32, Semantics::kDiscrete);
  const auto all = [](std::uint32_t value) {
    return std::vector{U32(1, value), U32(2, value), U32(3, value)};
  };
  return plan.Record(0, all(10))
      .Record(10, all(20))
      .Mark(10.001)
      .Record(20, all(100))
      .Record(30, all(110));
}

TEST(Replay, SuppressesTheFirstSampleOfACounterBehindAMark) {  // INT-706, section 15.1
  Replayed replayed(MarkExample());
  replayed.Of({1});
  EXPECT_EQ(replayed.Every(0, 10, 5), "10 20 - 110 EOL");
  EXPECT_EQ(replayed.Every(0, 5, 7), "10 15 20 - 100 105 110");
  EXPECT_EQ(replayed.Every(0, 25, 2), "10 -");
  EXPECT_EQ(replayed.Every(30, -10, 4), "110 100 - 10");
  EXPECT_EQ(replayed.Every(30, -5, 8), "110 105 100 - 20 15 10 EOL");
}

TEST(Replay, SuppressesNoOtherSemantics) {  // INT-706
  EXPECT_EQ(Replayed(MarkExample()).Of({2, 3}).Every(0, 10, 4), "10,10 20,20 100,100 110,110");
}

TEST(Replay, ForgetsTheMarkWhereEachTimeIsSetAnew) {  // INT-706
  Replayed replayed(MarkExample());
  replayed.Of({1}).request.seeks = true;
  EXPECT_EQ(replayed.Every(0, 10, 4), "10 20 100 110");
}

TEST(Replay, AnswersFreshFetchesByTheBoundsAlone) {  // INT-1521..1531
  EXPECT_EQ(Replayed(MarkExample()).Of({1, 2, 3}).AtEach({10.0005, 10.001, 26}),
            "-,-,20 -,-,- 106,110,110");
}

TEST(Replay, AnswersEachMetricOfTheRequestInItsPlace) {  // INT-405, INT-407
  Replayed replayed(MarkExample());
  replayed.Of({2, 99, 2, 1});
  replayed.request.metrics.push_back(Pmid::Null());
  EXPECT_EQ(replayed.AtEach({5}), "10,PMID_LOG,10,15,-");
}

TEST(Replay, AnswersAMetricOfTypeNoSupportAsOneTheArchiveDoesNotHave) {  // INT-405
  Plan plan;
  plan.Metric(1, MetricType::kNoSupport, Semantics::kInstant)
      .Metric(2, MetricType::kNoSupport, Semantics::kCounter)
      .Metric(3, MetricType::kNoSupport, Semantics::kDiscrete)
      .Metric(4, MetricType::kU32, Semantics::kInstant)
      .Metric(5, MetricType::kU32, Semantics::kInstant);
  plan.Record(0, {U32(5, 10)}).Record(10, {U32(5, 20)});
  EXPECT_EQ(Replayed(plan).Of({1, 2, 3, 4, 5}).AtEach({5}), "PMID_LOG,PMID_LOG,PMID_LOG,-,10");
}

// Also before the first observation and after the last one, where a fetch needs none.
TEST(Replay, RefusesTypesThatHaveNoValuesAtAllTimes) {  // INT-412
  Plan plan;
  plan.Metric(1, MetricType::kAggregateStatic, Semantics::kInstant)
      .Metric(2, MetricType::kU32, Semantics::kInstant);
  plan.Record(0, {U32(2, 10)}).Record(10, {Text(1, "ab"), U32(2, 20)}).Record(20, {U32(2, 30)});
  Replayed replayed(plan);
  replayed.Of({1, 2});
  EXPECT_EQ(replayed.AtEach({1, 10, 19}), "TYPE,10 TYPE,20 TYPE,30");
  EXPECT_EQ(replayed.Every(1, 9, 3), "TYPE,10 TYPE,20 TYPE,30");
}

TEST(Replay, NeedsAMetric) {  // INT-405
  EXPECT_EQ(Replayed(MarkExample()).AtEach({5}), "no metric is asked for [INT-405]");
}

TEST(Replay, EndsWithTheLastRecord) {  // INT-206, INT-207
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(3, MetricType::kU32, Semantics::kDiscrete)
      .Record(0, {U32(1, 0), U32(3, 0)})
      .Record(10, {U32(1, 10), U32(3, 10)})
      .Record(20, {U32(1, 20), U32(3, 20)});
  Replayed replayed(plan);
  replayed.Of({1, 3});
  EXPECT_EQ(replayed.AtEach({20.0005, -0.001, -0.0011}), "EOL -,- EOL");
  EXPECT_EQ(replayed.Every(10, 10.0005, 3), "10,10 -,20 EOL");
  EXPECT_EQ(replayed.Every(10, 10.0005, 3, Documented()), "10,10 EOL EOL");
  EXPECT_EQ(replayed.Every(-2, 1, 4), "EOL EOL 0,0 1,0");
  EXPECT_EQ(replayed.Every(22, -1, 4), "EOL EOL 20,20 19,20");
}

TEST(Replay, TakesTheLastRecordForTheEndWhereTimesGoBack) {  // INT-207, INT-309
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 0)})
      .Record(20, {U32(1, 20)})
      .Record(10, {U32(1, 10)});
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({5, 15}), "5 EOL");
}

TEST(Replay, SeesMarksInTheOrderOfTheirTimesWhereOnlyTheyGoBack) {  // INT-302, INT-309
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kDiscrete)
      .Record(0, {U32(1, 7)})
      .Mark(20)
      .Mark(10)
      .Record(15, {U32(1, 8)})
      .Record(30, {U32(1, 9)});
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({5, 12, 15, 18, 22, 30}), "7 - 8 8 - 9");
}

TEST(Replay, DoesNotSeeStoredErrors) {  // INT-301, INT-405
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter, kIndom)
      .Domain(0, {0, 1})
      .Record(0, {Instances(1, {{0, 0}, {1, 0}})})
      .Record(10, {Error(1, -12386)})
      .Record(20, {Instances(1, {{0, 20}})})
      .Record(30, {Error(1, 0)})
      .Record(40, {Instances(1, {{0, 40}, {1, 400}})});
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({5, 25, 40}), "0=5/1=50 0=25/1=250 0=40/1=400");
}

TEST(Replay, ReturnsInstancesOfTheMetadataOnly) {  // INT-401
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant, kIndom)
      .Metric(2, MetricType::kU32, Semantics::kInstant, Indom::Of(29, 2))
      .Domain(0, {0})
      .Record(0, {Instances(1, {{0, 1}, {7, 2}}), Instances(2, {{0, 1}})})
      .Record(10, {Instances(1, {{0, 3}, {7, 4}}), Instances(2, {{0, 1}})});
  EXPECT_EQ(Replayed(plan).Of({1, 2}).AtEach({0, 10}), "0=1,- 0=3,-");
}

TEST(Replay, BridgesTheTimeInWhichAnInstanceIsGone) {  // INT-404
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter, kIndom)
      .Metric(2, MetricType::kU32, Semantics::kInstant, kIndom)
      .Domain(0, {1})
      .Domain(20, {2})
      .Domain(40, {1})
      .Record(10, {Instances(1, {{1, 13}}), Instances(2, {{1, 13}})})
      .Record(40, {Instances(1, {{1, 43}}), Instances(2, {{1, 43}})});
  Replayed replayed(plan);
  replayed.Of({1, 2});
  EXPECT_EQ(replayed.AtEach({25, 29}), "1=28,1=13 1=32,1=43");
  EXPECT_EQ(replayed.AtEach({29}, PcpLegacy()), "1=32,1=13");
}

TEST(Replay, EndsTheLifeOfDiscreteValuesInLargeDomains) {  // INT-403
  for (const int size : {15, 16}) {
    std::vector<std::int32_t> all;
    for (int id = 0; id < size; ++id) all.push_back(id);
    Plan plan;
    plan.Metric(3, MetricType::kU32, Semantics::kDiscrete, kIndom)
        .Domain(0, all)
        .Domain(30, {0})
        .Record(0, {Instances(3, {{1, 7}})})
        .Record(20, {Instances(3, {{1, 8}})})
        .Record(60, {Error(3, 0)});
    Replayed replayed(plan);
    replayed.Of({3});
    EXPECT_EQ(replayed.AtEach({30, 30.000000001, 35}), size == 15 ? "1=8 1=8 1=8" : "1=8 - -");
    EXPECT_EQ(replayed.AtEach({35}, Documented()), "1=8");
  }
}

TEST(Replay, FiltersInstancesByTheProfile) {  // INT-402
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant, kIndom)
      .Domain(0, {0, 1, 2})
      .Record(0, {Instances(1, {{0, 5}, {1, 6}, {2, 7}})});
  Replayed replayed(plan);
  replayed.Of({1}).request.instances.Add(kIndom, std::vector<std::int32_t>{1});
  EXPECT_EQ(replayed.AtEach({0}), "1=6");
}

TEST(Replay, AnswersOneForASingularMetric) {  // INT-307, INT-308
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 5, 0), U32(1, 6, 3)})
      .Record(10, {U32(1, 7, 0)});
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({4, 10}), "6 7");
}

TEST(Replay, UsesNothingFromBeforeTheStart) {  // INT-305
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 10)})
      .Record(10, {U32(1, 20)})
      .Record(20, {U32(1, 30)})
      .StartsAt(5);
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({7, 12}), "- 22");
}

TEST(Replay, AnswersStrings) {  // INT-408, INT-504
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kInstant)
      .Metric(2, MetricType::kString, Semantics::kCounter)
      .Metric(3, MetricType::kString, Semantics::kDiscrete)
      .Record(0, {Text(1, "s0"), Text(2, "c"), Text(3, "d0")})
      .Record(10, {Text(1, "s10"), Text(2, "c"), Text(3, "d10")})
      .Record(30, {U32(9, 1)});
  EXPECT_EQ(Replayed(plan).Of({1, 2, 3}).AtEach({0, 9, 10, 15}),
            "s0,TYPE,d0 s0,TYPE,d0 s10,TYPE,d10 -,-,d10");
}

TEST(Replay, GoesAcrossVolumesAndHoles) {  // INT-901, INT-902
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 0)})
      .Record(10, {U32(1, 10)})
      .Volume(2)
      .Record(40, {U32(1, 40)})
      .Record(60, {U32(1, 60)});
  EXPECT_EQ(Replayed(plan).Of({1}).AtEach({5, 30, 60}), "5 30 60");
}

TEST(Replay, RefusesOnlyWhatADamagedFormStandsInTheWayOf) {  // INT-411
  Plan plan;
  plan.Metric(1, MetricType::k64, Semantics::kInstant)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Record(0, {Error(1, 0), U32(2, 5)})
      .Record(10, {U32(1, 7), U32(2, 6)})
      .Record(20, {U32(2, 7)});
  EXPECT_EQ(Replayed(plan).Of({1, 2}).AtEach({5, 15}), "LOGREC,5 LOGREC,6");
}

TEST(Replay, SaysWhichRecordIsDamagedAndAnswersBesideIt) {  // INT-903
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 0)})
      .Record(10, {U32(1, 10)})
      .Record(20, {U32(1, 20)})
      .Record(30, {U32(1, 30)})
      .Record(40, {U32(1, 40)});
  Replayed replayed(plan);
  replayed.Of({1}).AtEach({0});
  // The number of value sets of the record at 20.
  auto& volume = replayed.storage().files["a.0"];
  constexpr std::size_t kRecord = 44;
  volume.at(808 + 2 * kRecord + 16) = 0xff;
  EXPECT_EQ(replayed.AtEach({9, 10, 15, 25, 30, 35}), "10 10 LOGREC LOGREC 30 30");
}

TEST(Replay, TakesACutRecordAtTheEndForAbsent) {  // INT-903
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 0)})
      .Record(10, {U32(1, 10)})
      .Record(20, {U32(1, 20)});
  Replayed replayed(plan);
  replayed.Of({1}).AtEach({0});
  replayed.storage().files["a.0"].resize(replayed.storage().files["a.0"].size() - 3);
  EXPECT_EQ(replayed.AtEach({10, 15}), "10 EOL");
}

std::vector<std::pair<std::string, Plan>> SetExample() {
  const auto member = [](double start, double end, std::uint32_t value) {
    Plan plan;
    plan.Metric(1, MetricType::kU32, Semantics::kCounter)
        .Metric(2, MetricType::kU32, Semantics::kInstant)
        .Metric(3, MetricType::kU32, Semantics::kDiscrete)
        .Record(start, {U32(1, value), U32(2, value), U32(3, value)})
        .Record(end, {U32(1, value + 10), U32(2, value + 10), U32(3, value + 10)})
        .StartsAt(start);
    return plan;
  };
  return {{"b", member(20, 30, 100)}, {"a", member(0, 10, 10)}};
}

TEST(ReplayOfASet, HasAVirtualMarkBetweenItsMembers) {  // INT-904, INT-905
  Replayed replayed(SetExample());
  replayed.Of({1, 2});
  EXPECT_EQ(replayed.Every(0, 10, 4), "10,10 20,20 -,100 110,110");
}

TEST(ReplayOfASet, HasTheMarkOfItsDirection) {  // INT-905
  Replayed replayed(SetExample());
  replayed.Of({3});
  EXPECT_EQ(replayed.Every(15, 1, 1), "-");
  EXPECT_EQ(replayed.Every(15, -1, 1), "20");
  EXPECT_EQ(replayed.Every(15, -1, 1, Documented()), "-");
  EXPECT_EQ(replayed.Every(10.0005, 1, 1), "20");
}

TEST(ReplayOfASet, RefusesMembersThatDoNotGoTogether) {  // INT-904
  auto other_host = SetExample();
  other_host[0].second.Host("other");
  EXPECT_EQ(Replayed(other_host).Of({1}).AtEach({0}),
            "b,a: the archives cannot be opened as one: PM_ERR_LOGHOST");
}

// ARC-555, INT-907. Two windows of one archive, as pmlogextract cuts them: 0 to 30 and 20 to 60.
// The answers are those of 6.0.3, 6.3.8 and 7.2.2, each from a new context.
std::vector<std::pair<std::string, Plan>> Overlapping() {
  const auto window = [](std::uint32_t start, std::uint32_t end) {
    Plan plan;
    plan.Metric(1, MetricType::kU32, Semantics::kInstant)
        .Metric(2, MetricType::kU32, Semantics::kCounter)
        .Metric(3, MetricType::kU32, Semantics::kDiscrete);
    for (std::uint32_t t = start; t <= end; t += 10) {
      plan.Record(t, {U32(1, 100 + t), U32(2, 100 + t), U32(3, 100 + t)});
    }
    plan.StartsAt(start);
    return plan;
  };
  return {{"b", window(20, 60)}, {"a", window(0, 30)}};
}

TEST(ReplayOfMembersThatOverlap, ReadsForwardToTheEndOfTheOneItBeginsWith) {
  EXPECT_EQ(Replayed(Overlapping()).Of({1, 2, 3}).Every(0, 5, 14),
            "100,100,100 100,105,100 110,110,110 110,115,110 120,120,120 120,125,120 130,130,130 "
            "-,-,- -,-,- -,-,- -,-,- -,-,- -,-,- EOL");
  EXPECT_EQ(Replayed(Overlapping()).Of({1, 2, 3}).Every(20, 5, 6),
            "120,120,120 120,125,120 130,130,130 -,-,- -,-,- -,-,-");
  EXPECT_EQ(Replayed(Overlapping()).Of({1, 2, 3}).Every(25, 5, 9),
            "120,125,120 130,130,130 130,135,130 140,140,140 140,145,140 150,150,150 150,155,150 "
            "160,160,160 EOL");
}

TEST(ReplayOfMembersThatOverlap, ReadsBackwardToTheStartOfTheLastOne) {
  EXPECT_EQ(Replayed(Overlapping()).Of({1, 2, 3}).Every(30, -5, 7),
            "130,130,130 120,125,120 120,120,120 -,-,- -,-,- -,-,- -,-,-");
  EXPECT_EQ(Replayed(Overlapping()).Of({1, 2, 3}).Every(15, -5, 4), "-,-,- -,-,- -,-,- -,-,-");
}

TEST(ReplayOfMembersThatOverlap, FindsTheMemberOfEachSeekAnew) {
  Replayed replayed(Overlapping());
  replayed.Of({1, 2}).request.seeks = true;
  EXPECT_EQ(replayed.Run({At(15), At(20), At(25), At(35), At(45), At(15), At(60)}, Pcp632()),
            "110,115 120,120 120,125 130,135 140,145 110,115 160,160");
}

TEST(ReplayOfMembersThatOverlap, ReadsOnAcrossMembersThatDoNot) {
  std::vector<std::pair<std::string, Plan>> members = Overlapping();
  Plan next;
  next.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(61, {U32(1, 7)})
      .Record(70, {U32(1, 8)})
      .StartsAt(61);
  members.emplace_back("c", next);
  EXPECT_EQ(Replayed(members).Of({1}).Every(25, 15, 4), "120 140 150 8");
  EXPECT_EQ(Replayed(members).Of({1}).Every(70, -15, 5), "8 150 140 120 -");
  EXPECT_EQ(Replayed(members).Of({1}).Every(0, 35, 3), "100 - -");
}

TEST(Replay, WalksAgainWhereTheAnswersDoNotFit) {
  Replayed whole(MarkExample());
  Replayed parts(MarkExample());
  parts.request.memory = 100;  // for one time
  EXPECT_EQ(whole.Of({1, 2, 3}).Every(0, 2.5, 14), parts.Of({1, 2, 3}).Every(0, 2.5, 14));
}

TEST(Replay, GivesUpTheLaterTimesWhereTheirBoundsDoNotFit) {
  Replayed whole(MarkExample());
  Replayed parts(MarkExample());
  parts.request.reasons = true;
  parts.request.memory = 2000;  // for the times, but not for the bounds of all
  EXPECT_EQ(whole.Of({1, 2, 3}).Every(0, 2.5, 14), parts.Of({1, 2, 3}).Every(0, 2.5, 14));
}

TEST(Replay, SaysThatTheValuesOfOneTimeDoNotFit) {
  archive::MemoryStorage storage;
  MarkExample().Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  ASSERT_TRUE(archive);
  ReplayRequest request;
  request.metrics = {*(*archive)->Find("m.1")};
  request.memory = 8;
  ReplayContext context(**archive, request, Pcp632());
  const auto error = context.Fetch(std::vector{At(5)}, [](const FetchAnswer&) { FAIL(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, Status::Kind::kBudget);
}

TEST(Replay, GivesTheBoundsAsReasons) {
  archive::MemoryStorage storage;
  MarkExample().Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  ASSERT_TRUE(archive);
  ReplayRequest request;
  request.metrics = {*(*archive)->Find("m.1")};
  request.reasons = true;
  ReplayContext context(**archive, request, Pcp632());
  ASSERT_FALSE(context.Fetch(std::vector{At(5)}, [](const FetchAnswer& fetch) {
    const InstanceAnswer& answer = fetch.metrics.at(0).values.at(0);
    EXPECT_EQ(answer.why, "INT-601"_clause);
    ASSERT_TRUE(answer.bounds);
    EXPECT_EQ(answer.bounds->prior.moment.record, 0U);
    EXPECT_EQ(answer.bounds->next.moment.record, 1U);
    EXPECT_EQ(answer.bounds->next.value.AsU32(), 20U);
  }));
}

}  // namespace
}  // namespace pmproof::replay
