// SPDX-License-Identifier: Apache-2.0
// The emulation on the examples that section 13 of reference/spec/interpolation.md gives for each
// deviation, and where PCP does not deviate.

#include "reference/replay/emulation/pcp_context.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "reference/replay/testing/plan.h"

namespace pmproof::replay::emulation {
namespace {

using archive::PcpVersion;
using namespace testing;  // NOLINT: the words of the tests

constexpr PcpVersion kVersions[] = {PcpVersion::k6_0_3, PcpVersion::k6_3_8, PcpVersion::k7_2};

Delta Step(double seconds) {
  const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9);
  return {nanoseconds / 1'000'000'000, static_cast<std::int32_t>(nanoseconds % 1'000'000'000)};
}

// One context over an archive; answers as text.
class Emulated {
 public:
  Emulated(const Plan& plan, std::vector<std::uint32_t> items, PcpVersion version,
           CounterWrap wrap = CounterWrap::kOff) {
    plan.Store("a", &storage_);
    archive_ = ReplayArchive::Open(storage_, {"a"}).value();
    std::vector<Pmid> metrics;
    for (const std::uint32_t item : items) metrics.push_back(Pmid::Of(29, 0, item));
    log_ = RecordLog::Load(*archive_, metrics, 1 << 20).value();
    context_.emplace(*log_, version, wrap);
    all_.resize(items.size());
    std::iota(all_.begin(), all_.end(), 0);
  }

  Emulated& From(double start, double step) {
    context_->SetMode(At(start), Step(step));
    return *this;
  }

  std::string Fetch() { return Fetch(all_); }
  std::string Fetch(const std::vector<std::size_t>& metrics) {
    const EmulatedFetch fetch = context_->Fetch(metrics);
    if (fetch.status == ErrorCode::kEndOfLog) return "EOL";
    if (fetch.undefined) return "undefined";
    std::string text;
    deviation_ = Deviation::kNone;
    for (const EmulatedMetric& metric : fetch.metrics) {
      if (!metric.values.empty()) deviation_ = metric.values.front().deviation;
      text += (text.empty() ? "" : ",") + TextOf(metric);
    }
    return text;
  }

  std::string Fetches(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + Fetch();
    return text;
  }

  // Of the value that the last fetch gave first.
  Deviation deviation() const { return deviation_; }

 private:
  static std::string TextOf(const EmulatedMetric& metric) {
    if (metric.numval < 0) return std::to_string(metric.numval);
    std::string text;
    for (const EmulatedValue& value : metric.values) {
      if (!text.empty()) text += "/";
      if (value.instance != kInstanceNull) text += std::to_string(value.instance) + "=";
      text += value.value.opaque.empty() ? std::to_string(value.value.AsU64())
                                         : std::string(AsText(value.value.opaque));
    }
    return text.empty() ? "-" : text;
  }

  archive::MemoryStorage storage_;
  std::unique_ptr<ReplayArchive> archive_;
  std::unique_ptr<RecordLog> log_;
  std::optional<PcpContext> context_;
  Deviation deviation_ = Deviation::kNone;
  std::vector<std::size_t> all_;
};

Plan OneOfEach(MetricType type = MetricType::kU32) {
  Plan plan;
  plan.Metric(1, type, Semantics::kCounter)
      .Metric(2, type, Semantics::kInstant)
      .Metric(3, type, Semantics::kDiscrete);
  return plan;
}
std::vector<archive::ValueSetModel> All(std::uint32_t value) {
  return {U32(1, value), U32(2, value), U32(3, value)};
}

// Found in libpcp 6.0.3 and 6.3.8 by qa/beside_pcp/differential: who asks for the end of the
// archive, as the first fetch does, has opened the last volume.
TEST(PcpContext, EntriesBeyondTheOpenVolumeAreIgnoredFromTheFirstFetchOn) {  // DEV-17, DEV-07
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter);
  plan.Record(0, {U32(1, 10)}).Record(1, {U32(1, 20)}).Index({0, 1});
  plan.Volume(1).Record(2, {U32(1, 30)}).Mark(2.5);
  plan.Volume(2).Record(3, {U32(1, 40)}).Record(4, {U32(1, 50)}).Record(4.5, {U32(1, 60)});
  archive::Buffer bytes;
  archive::AppendLabel(plan.model().volumes[2].label, &bytes);
  plan.model().index->records.push_back({At(2), 1, 808, bytes.size()});
  plan.model().index->records.push_back({At(3), 2, 808, bytes.size()});
  for (const std::size_t record : {0U, 1U})
    archive::AppendResult(plan.model().volumes[2].records[record], 3, &bytes);
  plan.model().index->records.push_back({At(4.5), 2, 808, bytes.size()});
  for (const PcpVersion version : kVersions) {
    Emulated c(plan, {1}, version);
    EXPECT_EQ(c.From(1.5, 0.1).Fetch(), "25");
    EXPECT_EQ(c.From(4, 0.1).Fetch(), version == PcpVersion::k7_2 ? "50" : "-");
  }
}

// Confirmed with libpcp of all three versions: golden case replay/no-support.
TEST(PcpContext, AnswersAMetricOfTypeNoSupportAsOneTheArchiveDoesNotHave) {  // INT-405
  Plan plan;
  plan.Metric(1, MetricType::kNoSupport, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant);
  plan.Record(0, {U32(2, 10)}).Record(10, {U32(2, 20)});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {1, 2}, version).From(5, 5).Fetches(2), "-12378,10 -12378,20");
  }
}

TEST(PcpContext, AnswersAsTheReferenceDoesWithoutHistory) {  // section 15.1
  Plan plan = OneOfEach();
  plan.Record(0, All(10))
      .Record(10, All(20))
      .Mark(10.001)
      .Record(20, All(100))
      .Record(30, All(110));
  for (const PcpVersion version : kVersions) {
    Emulated c(plan, {1}, version);
    EXPECT_EQ(c.From(0, 10).Fetches(5), "10 20 - 110 EOL");
    EXPECT_EQ(Emulated(plan, {1}, version).From(0, 5).Fetches(7), "10 15 20 - 100 105 110");
    EXPECT_EQ(Emulated(plan, {1}, version).From(30, -10).Fetches(4), "110 100 - 10");
    EXPECT_EQ(Emulated(plan, {1}, version).From(30, -5).Fetches(8), "110 105 100 - 20 15 10 EOL");
    EXPECT_EQ(Emulated(plan, {2, 3}, version).From(0, 10).Fetches(4),
              "10,10 20,20 100,100 110,110");
  }
}

TEST(PcpContext, DoesNotSeeMarksWhilePlacing) {  // DEV-01
  Plan plan = OneOfEach();
  plan.Record(0, All(10))
      .Record(10, All(20))
      .Mark(11)
      .Record(20, All(100))
      .Record(30, All(110))
      .Record(40, All(120));
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {1, 2, 3}, version).From(15, 1).Fetch(), "-,-,-");
    EXPECT_EQ(Emulated(plan, {1, 2, 3}, version).From(15, -1).Fetch(), "-,-,-");
  }
  plan.Index({0, 5});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {1, 2, 3}, version).From(15, 1).Fetch(), "-,-,-");
    EXPECT_EQ(Emulated(plan, {1, 2, 3}, version).From(15, -1).Fetch(), "60,20,20");
  }
  plan.Index({0, 3, 5});
  EXPECT_EQ(Emulated(plan, {1, 2, 3}, PcpVersion::k7_2).From(15, -1).Fetch(), "-,-,-");
}

TEST(PcpContext, AnswersTheValueOfAMark) {  // DEV-02
  Plan plan = OneOfEach();
  plan.Record(0, All(7)).Record(10, All(8)).Mark(15).Record(20, All(9));
  for (const PcpVersion version : kVersions) {
    Emulated context(plan, {3}, version);
    EXPECT_EQ(context.From(11, 4).Fetches(2), "8 0");
    EXPECT_EQ(ToText(context.deviation()), "DEV-02");
    EXPECT_EQ(context.Fetch(), "-");
  }
  Plan doubles;
  doubles.Metric(3, MetricType::kDouble, Semantics::kDiscrete)
      .Record(0, {Double(3, 7)})
      .Record(10, {Double(3, 8)})
      .Mark(15)
      .Record(20, {Double(3, 9)});
  EXPECT_EQ(Emulated(doubles, {3}, PcpVersion::k7_2).From(15, 4).Fetches(2), "- -");
  Emulated across(doubles, {3}, PcpVersion::k7_2);
  across.From(11, 4).Fetch();
  EXPECT_EQ(across.Fetch(), "undefined");
}

TEST(PcpContext, IsUndefinedAfterReleasingABufferTwice) {  // DEV-05
  Plan plan;
  plan.Metric(2, MetricType::kDouble, Semantics::kInstant)
      .Record(0, {U32(9, 1)})
      .Record(1, {Double(2, 1)})
      .Mark(3);
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {2}, version).From(1.5, -0.5).Fetches(2), "- undefined");
  }
}

TEST(PcpContext, TakesAStaleNextBoundForTheClosest) {  // DEV-03
  Plan plan = OneOfEach();
  plan.Record(0, All(1)).Record(10, All(2)).Record(20, All(3)).Record(60, {U32(9, 1)});
  EXPECT_EQ(Emulated(plan, {3}, PcpVersion::k6_0_3).From(5, 20).Fetches(3), "1 3 3");
  EXPECT_EQ(Emulated(plan, {3}, PcpVersion::k6_3_8).From(5, 20).Fetches(3), "1 2 2");
  Emulated stale(plan, {3}, PcpVersion::k7_2);
  EXPECT_EQ(stale.From(5, 20).Fetches(3), "1 2 2");
  EXPECT_EQ(ToText(stale.deviation()), "DEV-03");
}

TEST(PcpContext, AnswersTheOpaqueValueOfBefore) {  // DEV-04
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kInstant)
      .Record(0, {Text(1, "s0")})
      .Record(10, {Text(1, "s10")})
      .Record(20, {Text(1, "s20")})
      .Record(30, {Text(1, "s30")});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {1}, version).From(0, 5).Fetches(7), "s0 s0 s0 s10 s10 s20 s20");
    Emulated late(plan, {1}, version);
    EXPECT_EQ(late.From(0, 5).Fetches(3), "s0 s0 s0");
    EXPECT_EQ(ToText(late.deviation()), "DEV-04");
    EXPECT_EQ(Emulated(plan, {1}, version).From(0, 10).Fetches(4), "s0 s10 s20 s30");
  }
}

TEST(PcpContext, RegistersMarksForTheRequestAtHandOnly) {  // DEV-06
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 10), U32(2, 10)})
      .Record(10, {U32(1, 20), U32(2, 20)})
      .Mark(10.001)
      .Record(20, {U32(1, 100), U32(2, 100)})
      .Record(30, {U32(1, 110), U32(2, 110)});
  Emulated context(plan, {1, 2}, PcpVersion::k7_2);
  context.From(5, 7);
  EXPECT_EQ(context.Fetch({0}), "15");
  EXPECT_EQ(context.Fetch({1}), "-");
  EXPECT_EQ(context.Fetch({0}), "92");
}

TEST(PcpContext, KeepsTheMemoryOfCountersOverPmSetModeBefore7) {  // DEV-07
  Plan plan = OneOfEach();
  plan.Record(0, All(10))
      .Record(10, All(20))
      .Mark(10.001)
      .Record(20, All(100))
      .Record(30, All(110));
  for (const PcpVersion version : kVersions) {
    Emulated context(plan, {1}, version);
    EXPECT_EQ(context.From(5, 1).Fetch(), "15");
    EXPECT_EQ(context.From(25, 1).Fetch(), version == PcpVersion::k7_2 ? "105" : "-");
  }
}

// Where the index begins after the time, 7.x looks at the records before it again after a second
// pmSetMode, and has the record at 9 after the place where it goes on.
TEST(PcpContext, LooksBeforeTheIndexOnceAMetricIsKnownSince7) {  // INT-1403, INT-1406, DEV-28
  Plan plan = OneOfEach();
  plan.Mark(0).Record(9, All(10)).Mark(12).Mark(16).Index({2});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Emulated(plan, {3}, version).From(8, 3).Fetches(2), "- -");
    Emulated again(plan, {3}, version);
    EXPECT_EQ(again.From(15, -3).Fetch(), "-");
    EXPECT_EQ(again.From(8, 3).Fetches(2), version == PcpVersion::k7_2 ? "- 10" : "- -");
  }
}

TEST(PcpContext, CountsTheErrorOnForCandidatesWithoutBounds) {  // DEV-18, INT-406
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kCounter, kIndom).Domain(0, {0, 1, 2});
  archive::ValueSetModel set = Text(1, "x");
  set.values.push_back(set.values.front());
  set.values[0].instance = 1;
  set.values[1].instance = 2;
  plan.Record(0, {set}).Record(10, {set});
  EXPECT_EQ(Emulated(plan, {1}, PcpVersion::k7_2).From(5, 1).Fetch(), "-12398");
}

TEST(PcpContext, GivesInstancesInTheOrderOfItsChains) {  // INT-409
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant, kIndom)
      .Domain(0, {3, 7, 10, 25})
      .Record(0, {Instances(1, {{3, 1}, {7, 2}, {10, 3}, {25, 4}})});
  Emulated context(plan, {1}, PcpVersion::k7_2);
  EXPECT_EQ(context.From(0, 1).Fetch(), "25=4/10=3/7=2/3=1");
}

TEST(PcpContext, IsUndefinedAfterAWrapOf32) {  // DEV-10
  Plan plan;
  plan.Metric(1, MetricType::k32, Semantics::kCounter)
      .Record(0, {U32(1, 1000)})
      .Record(10, {U32(1, 10)});
  EXPECT_EQ(Emulated(plan, {1}, PcpVersion::k7_2, CounterWrap::kOn).From(5, 1).Fetch(),
            "undefined");
}

}  // namespace
}  // namespace pmproof::replay::emulation
