// SPDX-License-Identifier: Apache-2.0
// Derived metrics in replay, from outside: archives of models, encoded, opened and replayed.

#include "reference/derived/derived_replay.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/derived/archive_operands.h"
#include "reference/replay/profiles.h"
#include "reference/replay/testing/plan.h"

namespace pmproof::derived {
namespace {

using namespace replay::testing;  // NOLINT: the words of the tests
using replay::FetchAnswer;
using replay::MetricAnswer;
using replay::ReplayArchive;

std::string TextOf(const MetricAnswer& metric) {
  if (metric.status != ErrorCode::kOk) return ToText(metric.status).substr(7);
  std::string text;
  for (const auto& [instance, value, why, bounds] : metric.values) {
    if (!text.empty()) text += "/";
    if (instance != kInstanceNull) text += std::to_string(instance) + "=";
    text += value.type == MetricType::kDouble ? std::to_string(value.AsDouble())
            : value.type == MetricType::k64   ? std::to_string(value.AsI64())
                                              : std::to_string(value.AsU32());
  }
  return text.empty() ? "-" : text;
}

struct Defined {
  std::string name;
  std::string text;
};

// What fetches of the metrics answer at the times, one word each; metrics with a comma between
// them.
std::string Replayed(const Plan& plan, const std::vector<Defined>& definitions,
                     const std::vector<std::string>& metrics, const std::vector<double>& seconds,
                     DerivedReplay::Request request = {}) {
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const auto opened = ReplayArchive::Open(storage, {"a"});
  if (!opened) return opened.error().ToText();
  const ReplayArchive& archive = **opened;
  Registry global(Registry::Scope::kGlobal, kV72);
  for (const Defined& definition : definitions) {
    if (!global.Register(definition.name, definition.text)) return "not registered";
  }
  const ArchiveOperands base(archive);
  DerivedContext context(base, global);
  for (const std::string& name : metrics) {
    const DefinitionPointer definition = context.Definition(name);
    request.metrics.push_back(definition ? definition->pmid
                                         : archive.Find(name).value_or(Pmid::Of(511, 5, 5)));
  }
  const replay::InstanceProfile instances = request.instances;
  DerivedReplay derived(archive, &context, kV72, std::move(request));
  replay::ReplayRequest fetches;
  fetches.metrics = derived.fetched();
  fetches.instances = instances;
  fetches.seeks = true;
  replay::ReplayContext replay(archive, fetches, replay::Pcp632());
  std::vector<Timestamp> times;
  for (const double at : seconds) times.push_back(At(at));
  std::string text;
  const auto error = replay.Fetch(times, [&](const FetchAnswer& fetch) {
    const FetchAnswer& answer = derived.Take(fetch);
    EXPECT_EQ(answer.time, fetch.time);
    if (!text.empty()) text += " ";
    if (answer.status != ErrorCode::kOk) text += "EOL";
    for (std::size_t i = 0; i < answer.metrics.size(); ++i) {
      text += (i == 0 ? "" : ",") + TextOf(answer.metrics[i]);
    }
  });
  return error ? error->ToText() : text;
}

Plan Counting() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant);
  return plan;
}

TEST(DerivedReplayTest, TheListIsCutBack) {  // DER-1101
  const Plan plan =
      Counting().Record(0, {U32(1, 0), U32(2, 7)}).Record(10, {U32(1, 100), U32(2, 9)});
  EXPECT_EQ(
      Replayed(plan, {{"d.x", "m.1 * 2"}, {"d.y", "m.2 + m.1 - m.1"}}, {"m.2", "d.x"}, {0, 5}),
      "7,0 7,100");
  EXPECT_EQ(Replayed(plan, {{"d.x", "m.1 * 2"}}, {"d.x", "m.1"}, {5}), "100,50");
}

TEST(DerivedReplayTest, OperandsAreInterpolatedAndNotTheResult) {  // DER-1101
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 10)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "instant(m.1) * instant(m.1)"}}, {"d.x"}, {0, 5, 10}),
            "0 25 100");
}

TEST(DerivedReplayTest, AMetricListedTwiceHasOneMemory) {  // DER-1102; test idea 22
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 100)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "delta(m.1)"}}, {"d.x", "d.x"}, {0, 4, 10}), "-,0 40,0 60,0");
}

TEST(DerivedReplayTest, AGapTakesTwoFetches) {  // DER-1107; test idea 37
  const Plan plan = Counting()
                        .Record(0, {U32(1, 0)})
                        .Record(10, {U32(1, 100)})
                        .Mark(15)
                        .Record(20, {U32(1, 1000)})
                        .Record(30, {U32(1, 1010)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "delta(m.1)"}}, {"d.x"}, {0, 10, 15, 20, 30}), "- 100 - - 10");
}

TEST(DerivedReplayTest, OutsideOfTheArchiveNothingIsEvaluated) {  // INT-206
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 100)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "delta(m.1)"}}, {"d.x"}, {0, 50, 10}), "- EOL 100");
}

TEST(DerivedReplayTest, WhatDoesNotBindIsNoMetric) {  // DER-710, 1204
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 100)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "no.such + 1"}}, {"d.x", "m.1"}, {0}), "PMID,0");
}

TEST(DerivedReplayTest, ConstantsAloneNeedNoOperand) {
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 100)});
  EXPECT_EQ(Replayed(plan, {{"d.x", "6 * 7"}}, {"d.x"}, {0, 5}), "42 42");
}

Plan Changing() {
  archive::IndomModel first{At(0), kIndom, {{1, "a"}, {2, "b"}}, false};
  archive::IndomModel second{At(10), kIndom, {{1, "b"}, {2, "a"}}, false};
  Plan plan;
  plan.Metric(3, MetricType::kU32, Semantics::kInstant, kIndom);
  plan.model().meta.records.emplace_back(first);
  plan.model().meta.records.emplace_back(second);
  plan.Record(0, {Instances(3, {{1, 10}, {2, 20}})}).Record(20, {Instances(3, {{1, 10}, {2, 20}})});
  return plan;
}

TEST(DerivedReplayTest, InstancesAreLookedUpAtThePosition) {  // DER-1113, O2; MET-604
  const std::vector<Defined> filter = {{"d.x", "m.3[a]"}};
  EXPECT_EQ(Replayed(Changing(), filter, {"d.x"}, {5, 15}), "1=10 1=10");
  EXPECT_EQ(Replayed(Changing(), filter, {"d.x"}, {15, 5}), "2=20 2=20");
  DerivedReplay::Request ahead;
  ahead.step = 10'000'000'000;
  EXPECT_EQ(Replayed(Changing(), filter, {"d.x"}, {5, 15}, ahead), "2=20 2=20");
  EXPECT_EQ(Replayed(Changing(), {{"d.x", "matchinst(/a/, m.3)"}}, {"d.x"}, {5, 15}), "1=10 1=10");
}

TEST(DerivedReplayTest, NamesForPatternsAreThoseOfTheTimeOfTheFetch) {  // DER-1114
  const std::vector<Defined> filter = {{"d.x", "matchinst(/a/, m.3)"}};
  DerivedReplay::Request ahead;
  ahead.step = 10'000'000'000;
  EXPECT_EQ(Replayed(Changing(), filter, {"d.x"}, {5, 15}, ahead), "1=10 1=10");
  EXPECT_EQ(Replayed(Changing(), filter, {"d.x"}, {15}, ahead), "2=20");
}

TEST(DerivedReplayTest, AnAliasOfADerivedMetricIsNotInTheArchive) {  // DER-702, INT-405c
  const Plan plan = Counting().Record(0, {U32(1, 0)}).Record(10, {U32(1, 100)});
  const std::vector<Defined> definitions = {
      {"d.x", "instant(m.1) + 1"}, {"d.y", "d.x"}, {"d.z", "event.flags"}};
  EXPECT_EQ(Replayed(plan, definitions, {"d.x", "d.y", "d.z"}, {0, 10}),
            "1,PMID_LOG,PMID_LOG 101,PMID_LOG,PMID_LOG");
}

TEST(DerivedReplayTest, ARateOfAConstantHasTheInstancesOfNow) {  // DER-1139
  archive::IndomModel first{At(0), kIndom, {{1, "a"}, {2, "b"}}, false};
  archive::IndomModel second{At(10), kIndom, {{2, "b"}, {3, "c"}}, false};
  Plan plan = Counting();
  plan.model().meta.records.emplace_back(first);
  plan.model().meta.records.emplace_back(second);
  plan.Record(0, {U32(1, 0)}).Record(20, {U32(1, 100)});
  const std::vector<Defined> definitions = {{"d.x", "delta(mkconst(5,type=32,indom=29.1))"},
                                            {"d.y", "delta(-mkconst(5,type=32,indom=29.1))"}};
  EXPECT_EQ(Replayed(plan, definitions, {"d.x", "d.y"}, {0, 5, 15, 20}),
            "-,- 1=0/2=0,1=0/2=0 2=0/3=0,2=0 2=0/3=0,2=0/3=0");
}

TEST(DerivedReplayTest, PositionsAreThoseOfPcpsAnswers) {  // DER-1120, 1153; INT-409
  Plan plan;
  plan.Metric(3, MetricType::kU32, Semantics::kInstant, kIndom).Domain(0, {3, 7, 10, 25});
  plan.Record(0, {Instances(3, {{3, 1}, {7, 2}, {10, 3}, {25, 4}})});
  const std::vector<Defined> definitions = {{"d.first", "scalar(m.3)"}, {"d.all", "m.3 + 0"}};
  EXPECT_EQ(Replayed(plan, definitions, {"d.first", "d.all"}, {0}), "4,3=1/7=2/10=3/25=4");
}

TEST(DerivedReplayTest, TheProfileAppliesToOperandsAndConstants) {  // DER-1108, 1112; idea 39
  const std::vector<Defined> definitions = {
      {"d.x", "m.3 + 1"}, {"d.c", "mkconst(5,indom=29.1)"}, {"d.none", "mkconst(5,indom=29.2)"}};
  EXPECT_EQ(Replayed(Changing(), definitions, {"d.x", "d.c"}, {5}), "1=11/2=21,1=5/2=5");
  EXPECT_EQ(Replayed(Changing(), definitions, {"d.none"}, {5}), "INDOM_LOG");
  DerivedReplay::Request narrow;
  narrow.instances.Add(kIndom, std::vector<std::int32_t>{2});
  EXPECT_EQ(Replayed(Changing(), definitions, {"d.x", "d.c"}, {5}, narrow), "2=21,2=5");
}

}  // namespace
}  // namespace pmproof::derived
