// SPDX-License-Identifier: Apache-2.0
// Derived metrics of records that are read without interpolation (DER-1106).

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/derived/archive_operands.h"
#include "reference/derived/derived_replay.h"
#include "reference/replay/recorded.h"
#include "reference/replay/testing/plan.h"

namespace pmproof::derived {
namespace {

using namespace replay::testing;  // NOLINT: the words of the tests
using replay::FetchAnswer;
using replay::MetricAnswer;
using replay::ReplayArchive;

std::string TextOf(const MetricAnswer& metric) {
  if (metric.status != ErrorCode::kOk) return ToText(metric.status);
  std::string text;
  for (const replay::InstanceAnswer& value : metric.values) {
    if (!text.empty()) text += "/";
    if (value.instance != kInstanceNull) text += std::to_string(value.instance) + "=";
    text += value.value.type == MetricType::k64 ? std::to_string(value.value.AsI64())
                                                : std::to_string(value.value.AsU32());
  }
  return text.empty() ? "-" : text;
}

std::string Read(const Plan& plan, const std::string& expression,
                 replay::RecordedRequest records = {}) {
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const auto opened = ReplayArchive::Open(storage, {"a"});
  if (!opened) return opened.error().ToText();
  const ReplayArchive& archive = **opened;
  Registry global(Registry::Scope::kGlobal, kV72);
  if (!global.Register("d.x", expression)) return "not registered";
  const ArchiveOperands base(archive);
  DerivedContext context(base, global);
  DerivedReplay derived(archive, &context, kV72,
                        {.metrics = {context.Definition("d.x")->pmid}, .recorded = true});
  records.metrics = derived.fetched();
  std::string text;
  const auto end = replay::ReadRecorded(archive, records, [&](const FetchAnswer& fetch) {
    const FetchAnswer& answer = derived.Take(fetch);
    if (!text.empty()) text += " ";
    text += std::to_string(answer.time.seconds) + ":" + TextOf(answer.metrics[0]);
  });
  return end ? text : end.error().ToText();
}

Plan Counting() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 130), U32(2, 7)})
      .Mark(5)
      .Record(7, {U32(2, 8)})
      .Record(10, {U32(1, 5), U32(2, 9)});
  return plan;
}

TEST(DerivedRecordedTest, DeltaSpansAMark) {  // test idea 37
  EXPECT_EQ(Read(Counting(), "delta(m.1)"), "0:- 10:-125");
}

TEST(DerivedRecordedTest, OnlyRecordsWithAnOperandAreAnswered) {
  EXPECT_EQ(Read(Counting(), "m.2 + m.2"), "0:14 7:16 10:18");
  EXPECT_EQ(Read(Counting(), "m.1 * 1"), "0:130 10:5");
  EXPECT_EQ(Read(Counting(), "m.1 * 1", {.start = At(1), .count = 1}), "10:5");
}

TEST(DerivedRecordedTest, OperandsOfBranchesThatAreNotInPlaySelectRecords) {  // DER-1103
  EXPECT_EQ(Read(Counting(), "1 ? m.1 : m.2"), "0:130 7:- 10:5");
}

TEST(DerivedRecordedTest, AListWithoutOperandsSelectsNoRecord) {
  EXPECT_EQ(Read(Counting(), "6 * 7"), "");
}

TEST(DerivedRecordedTest, PairsStandInTheOrderOfTheRecord) {  // DER-1104, 1120
  Plan plan;
  plan.Metric(3, MetricType::kU32, Semantics::kInstant, kIndom).Domain(0, {1, 2, 3});
  plan.Record(0, {Instances(3, {{3, 30}, {1, 10}, {2, 20}})});
  EXPECT_EQ(Read(plan, "scalar(m.3)"), "0:30");
  EXPECT_EQ(Read(plan, "m.3 + 1"), "0:1=11/2=21/3=31");
}

}  // namespace
}  // namespace pmproof::derived
