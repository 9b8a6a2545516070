// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/pmda/pdu/event_array_builder.h"
#include "reference/pmda/runtime/testing/agent_fixture.h"

// Chapter 10: fetches.

namespace pmproof::pmda {
namespace {

using testing::HasSubstr;

TEST_F(AgentTest, ValuesOfEveryType) {  // PDU-102, PDU-105
  Add(0, MetricType::k32, Value::Of(-1));
  Add(1, MetricType::kU32, Value::Of(7U));
  Add(2, MetricType::k64, Value::Of(std::int64_t{-2}));
  Add(3, MetricType::kU64, Value::Of(std::uint64_t{3}));
  Add(4, MetricType::kFloat, Value::Of(100.0F));
  Add(5, MetricType::kDouble, Value::Of(10.0));
  Add(6, MetricType::kString, std::string("hi"));
  Add(7, MetricType::kAggregate, std::string("\1\2", 2));
  pdu::EventArrayBuilder events;
  Add(8, MetricType::kEvent, std::string(AsText(events.body())));
  EXPECT_EQ(Fetch({Metric(0), Metric(1), Metric(2), Metric(3), Metric(4)}),
            "[{401.0.0 insitu -1:ffffffff} {401.0.1 insitu -1:00000007} "
            "{401.0.2 dynamic -1:2/fffffffffffffffe} {401.0.3 dynamic -1:3/0000000000000003} "
            "{401.0.4 dynamic -1:4/42c80000}]");
  EXPECT_EQ(Fetch({Metric(5), Metric(6), Metric(7), Metric(8)}),
            "[{401.0.5 dynamic -1:5/4024000000000000} {401.0.6 dynamic -1:6/686900} "
            "{401.0.7 dynamic -1:7/0102} {401.0.8 dynamic -1:9/00000000}]");
}

TEST_F(AgentTest, EachOfManyMetricsIsFoundAndNoOther) {  // PMD-081
  for (std::uint32_t item = 0; item < 1000; item += 3) {
    Add(item, MetricType::kU32, Value::Of(item));
  }
  for (std::uint32_t item = 0; item < 1000; ++item) {
    const std::string metric = "[{401.0." + std::to_string(item);
    EXPECT_THAT(Fetch({Metric(item)}),
                testing::StartsWith(metric + (item % 3 == 0 ? " insitu" : " -12358")));
  }
}

TEST_F(AgentTest, AValueOfAnotherTypeIsNotSent) {  // PMD-094's code, on the way out
  Add(0, MetricType::kU64, Value::Of(1));
  Add(1, MetricType::k32, std::string("1"));
  Add(2, MetricType::kString, Value::Of(1));
  EXPECT_EQ(Fetch({Metric(0), Metric(1), Metric(2)}),
            "[{401.0.0 -12362} {401.0.1 -12362} {401.0.2 -12362}]");
}

TEST_F(AgentTest, ABadMetricIsItsOwnBusiness) {  // PMD-081, PMD-084
  Add(0, MetricType::k32, Value::Of(5));
  Add(1, MetricType::k32, pdu::kErrAppVersion);
  Add(2, MetricType::k32, NoValue());
  Add(3, MetricType::kNoSupport, Value::Of(5));
  EXPECT_EQ(Fetch({Metric(9), Metric(0), Metric(1), Metric(2), Metric(3)}),
            "[{401.0.9 -12358} {401.0.0 insitu -1:00000005} {401.0.1 -12350} {401.0.2 0} "
            "{401.0.3 -12350}]");
}

TEST_F(AgentTest, DomainAndFlagOfAPmidCount) {  // CKA-050, PMD-112
  Add(0, MetricType::k32, Value::Of(5));
  EXPECT_EQ(Fetch({Pmid::Of(7, 0, 0), Pmid{Metric(0).value | 0x80000000}}),
            "[{7.0.0 -12358} {401.0.0+flag -12358}]");
  EXPECT_EQ(talk_.Ask(pdu::DescReq{Pmid::Of(7, 0, 0)}), Error(-12358));
}

TEST_F(AgentTest, InstancesThatFailAreLeftOut) {  // PMD-082, PMD-083
  InstanceDomain& indom = agent_.AddIndom(0);
  for (const char* name : {"a", "b", "c"}) indom.Activate(name);
  std::array<Sample, 3> samples;
  agent_.AddMetric({.item = 0, .indom = 0},
                   [&](std::int32_t instance) { return samples.at(std::size_t(instance)); });
  const Sample good = Value::Of(1);
  const Sample bad = ErrorCode::kAgain;
  const Sample worse = pdu::kErrAppVersion;
  const auto values = [&](const Sample& a, const Sample& b, const Sample& c) {
    samples = {a, b, c};
    return Fetch({Metric(0)});
  };
  EXPECT_EQ(values(bad, good, worse), "[{401.0.0 insitu 1:00000001}]");
  EXPECT_EQ(values(bad, NoValue(), worse), "[{401.0.0 -12350}]");
  EXPECT_EQ(values(bad, worse, NoValue()), "[{401.0.0 0}]");
  indom.DeactivateAll();
  EXPECT_EQ(values(good, good, good), "[{401.0.0 0}]");
}

TEST_F(AgentTest, AFetchCanBeRefusedAsAWhole) {
  Add(0, MetricType::k32, Value::Of(5));
  agent_.hooks().before_fetch = [] { return pdu::kErrPermission; };
  EXPECT_EQ(Fetch({Metric(0)}), Error(-12387));
  agent_.hooks().before_fetch = [] { return ErrorCode{5}; };
  EXPECT_EQ(Fetch({Metric(0)}), Error(-12345));
}

TEST_F(AgentTest, ChangesAreToldOnce) {  // PDU-111, CKA-161
  Add(0, MetricType::k32, Value::Of(5));
  agent_.AnnounceChange(pdu::kLabelsChanged);
  agent_.AnnounceChange(pdu::kNamesChanged);
  EXPECT_THAT(talk_.Ask(pdu::Fetch{0, std::array{Metric(0)}}), HasSubstr(" seconds=24 "));
  EXPECT_THAT(talk_.Ask(pdu::Fetch{0, std::array{Metric(0)}}), HasSubstr(" seconds=0 "));
}

TEST_F(AgentTest, TheLargestFetchOfAClientIsAnswered) {  // PDU-005, CKA-046
  Add(0, MetricType::kU32, Value::Of(1U));
  const std::vector<Pmid> pmids(16377, Metric(0));
  pdu::Buffer request;
  ASSERT_TRUE(pdu::Encode({0, pdu::Fetch{0, pmids}}, &request));
  EXPECT_EQ(request.size(), 65536U);
  EXPECT_EQ(talk_.Answer(request).size(), 327564U);
}

}  // namespace
}  // namespace pmproof::pmda
