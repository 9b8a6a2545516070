// SPDX-License-Identifier: Apache-2.0
// Each deviation is named on the smallest archive that shows it; nothing is named where there is
// none.

#include "reference/replay/emulation/explain.h"

#include <gtest/gtest.h>

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

// What a client does, and what is named for each fetch.
class Explained {
 public:
  Explained(const Plan& plan, std::vector<std::uint32_t> items) {
    plan.Store("a", &storage_);
    archive_ = ReplayArchive::Open(storage_, {"a"}).value();
    std::vector<Pmid> metrics;
    for (std::size_t i = 0; i < items.size(); ++i) {
      metrics.push_back(Pmid::Of(29, 0, items[i]));
      all_.push_back(i);
    }
    log_ = RecordLog::Load(*archive_, metrics, 1 << 20).value();
  }

  Explained& From(double start, double step) {
    seek_ = {At(start), Step(step)};
    return *this;
  }
  Explained& Fetch(int count = 1) {
    for (; count > 0; --count) FetchOf(all_);
    return *this;
  }
  Explained& FetchOf(const std::vector<std::size_t>& metrics) {
    lists_.push_back(metrics);
    seeks_.push_back(seek_);
    seek_.reset();
    return *this;
  }

  // "- DEV-03 DEV-01,DEV-06": of each fetch what is named, of all its metrics; "!DEV-05" where the
  // fetch is undefined.
  std::string In(PcpVersion version, CounterWrap wrap = CounterWrap::kOff) const {
    std::vector<ExplainedStep> steps;
    for (std::size_t i = 0; i < lists_.size(); ++i) steps.push_back({seeks_[i], lists_[i]});
    ExplainRequest request;
    request.version = version;
    request.wrap = wrap;
    std::string text;
    const auto error =
        Explain(*archive_, *log_, request, steps, [&](const ExplainedFetch& explained) {
          text += (text.empty() ? "" : " ") + Named(explained);
        });
    return error ? error->ToText() : text;
  }

 private:
  static std::string Named(const ExplainedFetch& explained) {
    if (explained.emulated.undefined) return "!" + ToText(*explained.emulated.undefined);
    std::vector<Difference> all;
    for (const auto& differences : explained.differences) {
      all.insert(all.end(), differences.begin(), differences.end());
    }
    std::string text;
    for (const Deviation deviation : DeviationsOf(all)) {
      text += (text.empty() ? "" : ",") + ToText(deviation);
    }
    return text.empty() ? "-" : text;
  }

  archive::MemoryStorage storage_;
  std::unique_ptr<ReplayArchive> archive_;
  std::unique_ptr<RecordLog> log_;
  std::vector<std::size_t> all_;
  std::optional<ExplainedStep::Seek> seek_;
  std::vector<std::vector<std::size_t>> lists_;
  std::vector<std::optional<ExplainedStep::Seek>> seeks_;
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

Plan AcrossAMark() {
  Plan plan = OneOfEach();
  plan.Record(0, All(10))
      .Record(10, All(20))
      .Mark(10.001)
      .Record(20, All(100))
      .Record(30, All(110));
  return plan;
}

TEST(Explain, NamesNothingWherePcpAnswersAsTheReferenceDoes) {
  Explained forward(AcrossAMark(), {1, 2, 3});
  forward.From(0, 5).Fetch(8);
  Explained backward(AcrossAMark(), {1, 2, 3});
  backward.From(30, -5).Fetch(8);
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(forward.In(version), "- - - - - - - -");
    EXPECT_EQ(backward.In(version), "- - - - - - - -");
  }
}

TEST(Explain, NamesMarksThatAreNotSeenWhilePlacing) {  // DEV-01
  Plan plan = OneOfEach();
  plan.Record(0, All(10))
      .Record(10, All(20))
      .Mark(11)
      .Record(20, All(100))
      .Record(30, All(110))
      .Record(40, All(120))
      .Index({0, 5});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {1, 2, 3}).From(15, -1).Fetch().In(version), "DEV-01");
    EXPECT_EQ(Explained(plan, {1, 2, 3}).From(15, 1).Fetch().In(version), "-");
  }
}

TEST(Explain, NamesTheValueOfAMark) {  // DEV-02
  Plan plan = OneOfEach();
  plan.Record(0, All(7)).Record(10, All(8)).Mark(15).Record(20, All(9));
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {3}).From(11, 4).Fetch(3).In(version), "- DEV-02 -");
  }
}

TEST(Explain, NamesAStaleNextBoundWhereTheRuleChooses) {  // DEV-03
  Plan plan = OneOfEach();
  plan.Record(0, All(1)).Record(10, All(2)).Record(20, All(3)).Record(60, {U32(9, 1)});
  Explained explained(plan, {3});
  explained.From(5, 20).Fetch(3);
  EXPECT_EQ(explained.In(PcpVersion::k6_0_3), "- - -");
  EXPECT_EQ(explained.In(PcpVersion::k6_3_8), "- DEV-03 DEV-03");
  EXPECT_EQ(explained.In(PcpVersion::k7_2), "- DEV-03 DEV-03");
}

TEST(Explain, NamesTheOpaqueValueOfBefore) {  // DEV-04
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kInstant)
      .Record(0, {Text(1, "s0")})
      .Record(10, {Text(1, "s10")})
      .Record(20, {Text(1, "s20")});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {1}).From(0, 5).Fetch(5).In(version), "- - DEV-04 - DEV-04");
  }
}

TEST(Explain, SaysFromWhereOnNothingIsKnown) {  // DEV-05
  Plan plan;
  plan.Metric(2, MetricType::kDouble, Semantics::kInstant)
      .Record(0, {U32(9, 1)})
      .Record(1, {Double(2, 1)})
      .Mark(3);
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {2}).From(1.5, -0.5).Fetch(3).In(version), "- !DEV-05 !DEV-05");
  }
}

TEST(Explain, NamesMarksThatOneRequestOnlySaw) {  // DEV-06
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 10), U32(2, 10)})
      .Record(10, {U32(1, 20), U32(2, 20)})
      .Mark(10.001)
      .Record(20, {U32(1, 100), U32(2, 100)})
      .Record(30, {U32(1, 110), U32(2, 110)});
  for (const PcpVersion version : kVersions) {
    Explained explained(plan, {1, 2});
    explained.From(5, 7).FetchOf({0}).FetchOf({1}).FetchOf({0});
    EXPECT_EQ(explained.In(version), "- - DEV-06");
  }
}

TEST(Explain, NamesTheMemoryThatPmSetModeDoesNotClear) {  // DEV-07
  Explained explained(AcrossAMark(), {1, 2});
  explained.From(5, 1).Fetch().From(25, 1).Fetch();
  EXPECT_EQ(explained.In(PcpVersion::k6_0_3), "- DEV-07");
  EXPECT_EQ(explained.In(PcpVersion::k6_3_8), "- DEV-07");
  EXPECT_EQ(explained.In(PcpVersion::k7_2), "- -");
}

TEST(Explain, NamesAnErrorThatIsCountedOn) {  // DEV-18
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kCounter, kIndom).Domain(0, {0, 1, 2});
  archive::ValueSetModel set = Text(1, "x");
  set.values.push_back(set.values.front());
  set.values[0].instance = 1;
  set.values[1].instance = 2;
  plan.Record(0, {set}).Record(10, {set});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {1}).From(5, 1).Fetch().In(version), "DEV-18");
  }
}

TEST(Explain, NamesTheRecordsOfOneTimeThatAreNotRead) {  // DEV-27
  Plan plan = OneOfEach();
  plan.Record(10, {U32(1, 10)}).Record(10, {U32(2, 20)}).Record(20, {U32(2, 30)});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {1, 2}).From(20, -10).Fetch(2).In(version), "- DEV-27");
    EXPECT_EQ(Explained(plan, {1, 2}).From(10, 10).Fetch(2).In(version), "- -");
  }
}

TEST(Explain, NamesTheIndexThatBeginsBehindRecords) {  // DEV-28
  Plan plan = OneOfEach();
  plan.Record(0, All(10)).Record(10, All(20)).Record(20, All(100)).Record(30, All(110)).Index({2});
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(plan, {1}).From(0, 5).Fetch(5).In(version), "- DEV-28 DEV-28 DEV-28 -");
  }
}

TEST(Explain, NamesWhatTheSpecificationLeavesAmbiguous) {  // INT-309, INT-310, INT-704
  Plan twice = OneOfEach();
  twice.Record(0, All(1)).Record(10, All(2)).Record(10, All(3)).Record(20, All(4));
  Plan marked = OneOfEach();
  marked.Record(0, All(1)).Mark(10).Record(10, All(3)).Record(20, All(4));
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Explained(twice, {2}).From(0, 5).Fetch(4).In(version), "- - INT-310 -");
    EXPECT_EQ(Explained(marked, {2}).From(0, 5).Fetch(4).In(version), "- - INT-704 -");
  }
}

TEST(Explain, IsOfThisVersionAndWrap) {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Record(0, {U32(1, 4294967200)})
      .Record(10, {U32(1, 4)});
  for (const CounterWrap wrap : {CounterWrap::kOff, CounterWrap::kOn}) {
    EXPECT_EQ(Explained(plan, {1}).From(5, 1).Fetch(3).In(PcpVersion::k7_2, wrap), "- - -");
  }
}

}  // namespace
}  // namespace pmproof::replay::emulation
