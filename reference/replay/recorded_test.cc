// SPDX-License-Identifier: Apache-2.0
// Reading without interpolation, from outside: archives of models, encoded, opened and read.

#include "reference/replay/recorded.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

std::string TextOf(const MetricAnswer& metric) {
  if (metric.status != ErrorCode::kOk) return ToText(metric.status);
  std::string text;
  for (const InstanceAnswer& value : metric.values) {
    if (!text.empty()) text += "/";
    if (value.instance != kInstanceNull) text += std::to_string(value.instance) + "=";
    text += std::to_string(value.value.AsU32());
  }
  return text.empty() ? "-" : text;
}

// "SECONDS:METRIC,METRIC" for each answer.
std::string Read(const Plan& plan, RecordedRequest request,
                 const std::vector<std::uint32_t>& items) {
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  if (!archive) return archive.error().ToText();
  for (const std::uint32_t item : items) request.metrics.push_back(Pmid::Of(29, 0, item));
  std::string text;
  const auto error = ReadRecorded(**archive, request, [&](const FetchAnswer& answer) {
    if (!text.empty()) text += " ";
    text += std::to_string(answer.time.seconds) + ":";
    for (std::size_t i = 0; i < answer.metrics.size(); ++i) {
      text += (i == 0 ? "" : ",") + TextOf(answer.metrics[i]);
    }
  });
  return error ? text + " " + error->ToText() : text;
}

Plan TwoMetrics() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 10), U32(2, 20)})
      .Record(1, {U32(2, 21)})
      .Mark(2)
      .Record(3, {U32(1, 13)})
      .Record(4, {U32(1, 14), U32(2, 24)});
  return plan;
}

TEST(Recorded, GivesTheRecordsThatHaveOneOfTheMetricsAndNoMarks) {  // DER-1106
  EXPECT_EQ(Read(TwoMetrics(), {}, {1, 2}), "0:10,20 1:-,21 3:13,- 4:14,24");
  EXPECT_EQ(Read(TwoMetrics(), {}, {1}), "0:10 3:13 4:14");
  EXPECT_EQ(Read(TwoMetrics(), {}, {2, 1, 2}), "0:20,10,20 1:21,-,21 3:-,13,- 4:24,14,24");
}

TEST(Recorded, BeginsAndEndsWhereItIsAsked) {
  EXPECT_EQ(Read(TwoMetrics(), {.start = At(1)}, {1}), "3:13 4:14");
  EXPECT_EQ(Read(TwoMetrics(), {.start = At(0), .finish = At(3)}, {1}), "0:10 3:13");
  EXPECT_EQ(Read(TwoMetrics(), {.start = At(0.5), .count = 1}, {2}), "1:21");
  EXPECT_EQ(Read(TwoMetrics(), {.count = 0}, {2}), "");
  EXPECT_EQ(Read(TwoMetrics(), {.start = At(5)}, {1}), "");
}

TEST(Recorded, AnUnknownMetricSelectsNoRecordAndHasNoValues) {  // INT-405c
  EXPECT_EQ(Read(TwoMetrics(), {.count = 1}, {9}), "");
  EXPECT_EQ(Read(TwoMetrics(), {.count = 1}, {9, 1}), "0:-,10");
}

TEST(Recorded, InstancesStandInTheOrderOfTheRecord) {  // DER-1104, 1108
  Plan plan;
  plan.Metric(3, MetricType::kU32, Semantics::kInstant, kIndom).Domain(0, {1, 2, 3});
  plan.Record(0, {Instances(3, {{3, 30}, {1, 10}, {2, 20}})}).Record(1, {Instances(3, {{1, 11}})});
  EXPECT_EQ(Read(plan, {}, {3}), "0:3=30/1=10/2=20 1:1=11");
  RecordedRequest narrow;
  narrow.instances.Add(kIndom, std::vector<std::int32_t>{2, 3});
  EXPECT_EQ(Read(plan, narrow, {3}), "0:3=30/2=20 1:-");
}

TEST(Recorded, ErrorsAndEmptySetsAreAnswered) {  // ARC-201..203
  Plan plan = TwoMetrics();
  plan.Record(5, {{Pmid::Of(29, 0, 1), archive::kInsitu, {}, -12360}})
      .Record(6, {{Pmid::Of(29, 0, 1), archive::kInsitu, {}, 0}});
  EXPECT_EQ(Read(plan, {.start = At(5)}, {1}), "5:PM_ERR_INST 6:-");
}

// Of two archives, the second of which starts before the first one ends.
archive::MemoryStorage Overlapping() {
  archive::MemoryStorage storage;
  TwoMetrics().Store("a", &storage);
  Plan later = TwoMetrics();
  later.StartsAt(0.5);
  later.Store("b", &storage);
  return storage;
}

// ARC-555: the records of the first archive, then the error.
TEST(Recorded, AnOverlapEndsTheReading) {
  const archive::MemoryStorage storage = Overlapping();
  const auto archive = ReplayArchive::Open(storage, {"a", "b"});
  ASSERT_TRUE(archive) << archive.error().ToText();
  RecordedRequest request;
  request.metrics = {Pmid::Of(29, 0, 1)};
  Timestamp last;
  const auto error =
      ReadRecorded(**archive, request, [&](const FetchAnswer& answer) { last = answer.time; });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kLogOverlap);
  EXPECT_EQ(error->clause, "ARC-555"_clause);
  EXPECT_EQ(last, (*archive)->EndOf(0));
}

// INT-907: as a fetch forward from there.
TEST(Recorded, TheStartDecidesWhichOfTheArchivesThatOverlapIsRead) {
  const archive::MemoryStorage storage = Overlapping();
  const auto archive = ReplayArchive::Open(storage, {"a", "b"});
  ASSERT_TRUE(archive) << archive.error().ToText();
  RecordedRequest request;
  request.metrics = {Pmid::Of(29, 0, 1)};
  const auto overlap_after_start_at = [&](double start) {
    request.start = At(start);
    return ReadRecorded(**archive, request, [](const FetchAnswer&) {}).has_value();
  };
  EXPECT_TRUE(overlap_after_start_at(0.25));
  EXPECT_TRUE(overlap_after_start_at(0.5));
  EXPECT_FALSE(overlap_after_start_at(0.75));
}

TEST(Recorded, ARefusedRecordEndsTheReading) {  // INT-903
  archive::MemoryStorage storage;
  TwoMetrics().Store("a", &storage);
  std::vector<std::uint8_t>& volume = storage.files.at("a.0");
  // The last record's number of sets.
  volume[volume.size() - 4 - 2 * 20 - 4] = 0xff;
  const auto archive = ReplayArchive::Open(storage, {"a"});
  ASSERT_TRUE(archive);
  int answers = 0;
  const auto error = ReadRecorded(**archive, {.metrics = {Pmid::Of(29, 0, 1)}},
                                  [&](const FetchAnswer&) { ++answers; });
  EXPECT_EQ(answers, 2);
  ASSERT_TRUE(error);
  EXPECT_NE(error->ToText().find("a.0: offset"), std::string::npos) << error->ToText();
}

}  // namespace
}  // namespace pmproof::replay
