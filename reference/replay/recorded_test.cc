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

// "SECONDS:METRIC,METRIC" for each answer, "SECONDS:STATUS" for one without; then what each reading
// after them gives, unless that is the end of the log.
std::string ReadFrom(const archive::Storage& storage, const std::vector<std::string>& names,
                     const RecordedRequest& request) {
  const auto archive = ReplayArchive::Open(storage, names);
  if (!archive) return archive.error().ToText();
  std::string text;
  const auto end = ReadRecorded(**archive, request, [&](const FetchAnswer& answer) {
    if (!text.empty()) text += " ";
    text += std::to_string(answer.time.seconds) + ":";
    if (answer.status != ErrorCode::kOk) text += ToText(answer.status);
    for (std::size_t i = 0; i < answer.metrics.size(); ++i) {
      text += (i == 0 ? "" : ",") + TextOf(answer.metrics[i]);
    }
  });
  if (!end) return text + " " + end.error().ToText();
  return end->status == ErrorCode::kEndOfLog ? text : text + " then " + ToText(end->status);
}

std::string Read(const Plan& plan, RecordedRequest request,
                 const std::vector<std::uint32_t>& items) {
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  for (const std::uint32_t item : items) request.metrics.push_back(Pmid::Of(29, 0, item));
  return ReadFrom(storage, {"a"}, request);
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
  Plan later;
  later.StartsAt(2.5);
  later.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(2.5, {U32(1, 102)})
      .Record(4, {U32(1, 104)})
      .Record(5, {U32(1, 105)});
  later.Store("b", &storage);
  return storage;
}

RecordedRequest OfTheFirstMetric() { return {.metrics = {Pmid::Of(29, 0, 1)}}; }

// ARC-555, INT-907: goes on with the first record that is later than the end of the earlier one.
TEST(Recorded, AnOverlapIsAnAnswerAfterWhichTheNextArchiveIsRead) {
  const archive::MemoryStorage storage = Overlapping();
  RecordedRequest request = OfTheFirstMetric();
  EXPECT_EQ(ReadFrom(storage, {"a", "b"}, request), "0:10 3:13 4:14 4:PM_ERR_LOGOVERLAP 5:105");
  request.count = 4;
  EXPECT_EQ(ReadFrom(storage, {"a", "b"}, request), "0:10 3:13 4:14 4:PM_ERR_LOGOVERLAP");
}

// INT-907: as a fetch forward from there.
TEST(Recorded, TheStartDecidesWhichOfTheArchivesThatOverlapIsRead) {
  const archive::MemoryStorage storage = Overlapping();
  RecordedRequest request = OfTheFirstMetric();
  request.start = At(2.5);
  EXPECT_EQ(ReadFrom(storage, {"a", "b"}, request), "3:13 4:14 4:PM_ERR_LOGOVERLAP 5:105");
  request.start = At(2.75);
  EXPECT_EQ(ReadFrom(storage, {"a", "b"}, request), "4:104 5:105");
}

// INT-1007, of one archive whose volume is as `change` makes it.
template <typename Change>
std::string ReadChanged(Change&& change, const RecordedRequest& request = OfTheFirstMetric()) {
  archive::MemoryStorage storage;
  TwoMetrics().Store("a", &storage);
  change(storage.files.at("a.0"));
  return ReadFrom(storage, {"a"}, request);
}

using Volume = std::vector<std::uint8_t>;

constexpr std::size_t kLabel = 808;  // of version 3
// Records with two metrics, with one, and marks.
constexpr std::size_t kTwo = 24 + 2 * 20;
constexpr std::size_t kOne = 24 + 20;
constexpr std::size_t kMark = 24;

TEST(Recorded, ARecordThatReadersRefuseIsAnAnswer) {  // INT-1007
  const auto break_at = [](std::size_t record) {
    return [record](Volume& volume) { volume[record + 16] = 0xff; };  // the number of sets
  };
  EXPECT_EQ(ReadChanged(break_at(kLabel)), "0:PM_ERR_LOGREC 3:13 4:14");
  EXPECT_EQ(ReadChanged(break_at(kLabel + kTwo)), "0:10 0:PM_ERR_LOGREC 3:13 4:14");
  EXPECT_EQ(ReadChanged(break_at(kLabel + kTwo + kOne + kMark)), "0:10 0:PM_ERR_LOGREC 4:14");
  EXPECT_EQ(ReadChanged(break_at(kLabel + kTwo + 2 * kOne + kMark)), "0:10 3:13 3:PM_ERR_LOGREC");
}

TEST(Recorded, AnErrorStandsAtTheStartWhereNothingWasReadBefore) {
  RecordedRequest request = OfTheFirstMetric();
  request.start = At(2);
  const auto broken = [](Volume& volume) { volume[kLabel + kTwo + kOne + kMark + 16] = 0xff; };
  EXPECT_EQ(ReadChanged(broken, request), "2:PM_ERR_LOGREC 4:14");
  request.start = At(4);
  EXPECT_EQ(ReadChanged(broken, request), "4:14");
}

TEST(Recorded, ARecordWhoseLengthWordsDifferIsRefused) {  // ARC-1104
  EXPECT_EQ(ReadChanged([](Volume& volume) { volume[kLabel + kTwo - 1] ^= 4; }),
            "0:PM_ERR_LOGREC 3:13 4:14");
}

TEST(Recorded, NothingFollowsWhatIsNoRecord) {
  EXPECT_EQ(ReadChanged([](Volume& volume) { volume[kLabel + kTwo + 3] = 7; }),
            "0:10 0:PM_ERR_LOGREC then PM_ERR_LOGREC");
}

TEST(Recorded, ACutLastRecordIsNoAnswerButAllThatFollows) {
  EXPECT_EQ(ReadChanged([](Volume& volume) { volume.resize(volume.size() - 10); }),
            "0:10 3:13 then PM_ERR_LOGREC");
  EXPECT_EQ(ReadChanged([](Volume& volume) { volume.insert(volume.end(), 40, 0); }),
            "0:10 3:13 4:14 then PM_ERR_LOGREC");
  EXPECT_EQ(ReadChanged([](Volume& volume) { volume.insert(volume.end(), 2, 0); }),
            "0:10 3:13 4:14");
}

}  // namespace
}  // namespace pmproof::replay
