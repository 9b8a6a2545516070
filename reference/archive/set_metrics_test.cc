// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/set_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/model.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

DescModel Metric(std::uint32_t item, std::vector<std::string> names,
                 MetricType type = MetricType::kU32) {
  return {{Pmid::Of(29, 0, item), type, Indom::Null(), Semantics::kCounter, Units{0x00100000}},
          std::move(names)};
}

class SetMetricsTest : public ::testing::Test {
 protected:
  DescriptorClash Add(const std::string& name, const std::vector<DescModel>& models) {
    std::vector<DescRecord> descs;
    std::uint64_t at = 132;
    for (const DescModel& model : models) {
      Buffer& buffer = buffers_.emplace_back();
      AppendMetaRecord(model, 2, &buffer);
      descs.push_back(*DecodeDesc({Bytes(buffer), at, descs.size() + 1, kMetaPart}, ignore_));
      at += buffer.size();
    }
    const DescriptorClash clash = metrics_.Add(name, descs, reporter_);
    buffers_.clear();  // nothing of a member need stay
    return clash;
  }

  SetMetrics metrics_;
  testing::RecordingReporter reporter_;
  IgnoringReporter ignore_;
  std::list<Buffer> buffers_;
};

TEST_F(SetMetricsTest, EqualMembersAgree) {
  Add("a", {Metric(1, {"m.cnt", "n.cnt"}), Metric(2, {"m.two"})});
  EXPECT_EQ(Add("b", {Metric(2, {"m.two"}), Metric(1, {"n.cnt", "m.cnt"})}), DescriptorClash());
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(SetMetricsTest, MembersMayHaveMetricsOfTheirOwn) {
  Add("a", {Metric(1, {"m.one"})});
  Add("b", {Metric(2, {"m.two"})});
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(SetMetricsTest, AnotherTypeIsReportedAtTheLaterRecord) {
  Add("a", {Metric(1, {"m.cnt"})});
  const DescriptorClash clash =
      Add("b", {Metric(2, {"m.two"}), Metric(1, {"m.cnt"}, MetricType::kU64)});
  EXPECT_EQ(clash, (DescriptorClash{ErrorCode::kLogChangeType, ErrorCode::kLogChangeType}));
  ASSERT_THAT(reporter_.Rules(), ElementsAre("ARC-2104"));
  const testing::Recorded& found = reporter_.violations[0];
  EXPECT_EQ(found.where.record, 2U);
  EXPECT_EQ(found.details.field, "type");
  EXPECT_EQ(found.details.actual, "u64");
  EXPECT_EQ(found.details.expected, "u32");
  EXPECT_THAT(found.details.message, HasSubstr("in a"));
  EXPECT_THAT(found.details.message, HasSubstr("PM_ERR_LOGCHANGETYPE"));
}

TEST_F(SetMetricsTest, AllFieldsThatDifferAreOneFinding) {
  Add("a", {Metric(1, {"m.cnt"})});
  DescModel other = Metric(1, {"m.cnt"});
  other.descriptor.semantics = Semantics::kInstant;
  other.descriptor.indom = Indom::Of(29, 1);
  other.descriptor.units = Units{0};
  EXPECT_EQ(Add("b", {other}).error, ErrorCode::kLogChangeSemantics);
  ASSERT_THAT(reporter_.Rules(), ElementsAre("ARC-2104"));
  EXPECT_EQ(reporter_.violations[0].details.field, "semantics, pmInDom, units");
  EXPECT_EQ(reporter_.violations[0].details.actual, "instant, 29.1, none");
}

TEST_F(SetMetricsTest, TheExtraUnitCountsFromSevenOn) {
  Add("a", {Metric(1, {"m.cnt"})});
  DescModel other = Metric(1, {"m.cnt"});
  other.descriptor.units = Units{0x00100009};
  EXPECT_EQ(Add("b", {other}), (DescriptorClash{ErrorCode::kLogChangeUnits, ErrorCode::kOk}));
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-2104"));
}

TEST_F(SetMetricsTest, AChangeIsReportedWhereItHappensAndNotAgain) {
  Add("a", {Metric(1, {"m.cnt"})});
  Add("b", {Metric(1, {"m.cnt"}, MetricType::kU64)});
  EXPECT_EQ(Add("c", {Metric(1, {"m.cnt"}, MetricType::kU64)}), DescriptorClash());
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-2104"));
}

TEST_F(SetMetricsTest, AMetricIsComparedWithTheLastMemberThatHasIt) {
  Add("a", {Metric(1, {"m.cnt"})});
  Add("b", {Metric(2, {"m.two"})});
  Add("c", {Metric(1, {"m.cnt"}, MetricType::kU64)});
  ASSERT_THAT(reporter_.Rules(), ElementsAre("ARC-2104"));
  EXPECT_THAT(reporter_.violations[0].details.message, HasSubstr("than in a:"));
}

TEST_F(SetMetricsTest, OtherNamesOfAMetricAreReported) {
  Add("a", {Metric(1, {"m.cnt"})});
  EXPECT_EQ(Add("b", {Metric(1, {"m.renamed"})}), DescriptorClash());
  ASSERT_THAT(reporter_.Rules(), ElementsAre("ARC-2105"));
  EXPECT_EQ(reporter_.violations[0].details.actual, "m.renamed");
  EXPECT_EQ(reporter_.violations[0].details.expected, "m.cnt");
}

TEST_F(SetMetricsTest, NamesOfRepeatedDescriptorsAddUp) {
  Add("a", {Metric(1, {"m.cnt", "n.cnt"})});
  Add("b", {Metric(1, {"m.cnt"}), Metric(1, {"n.cnt"})});
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(SetMetricsTest, AnotherMetricUnderANameIsReported) {
  Add("a", {Metric(1, {"m.cnt"})});
  Add("b", {Metric(66, {"m.cnt"})});
  ASSERT_THAT(reporter_.Rules(), ElementsAre("ARC-2106"));
  EXPECT_EQ(reporter_.violations[0].details.actual, "29.0.66");
  EXPECT_EQ(reporter_.violations[0].details.expected, "29.0.1");
}

TEST_F(SetMetricsTest, SwappedNamesBreakBothRules) {
  Add("a", {Metric(1, {"m.one"}), Metric(2, {"m.two"})});
  Add("b", {Metric(1, {"m.two"}), Metric(2, {"m.one"})});
  EXPECT_THAT(reporter_.Rules(),
              UnorderedElementsAre("ARC-2105", "ARC-2105", "ARC-2106", "ARC-2106"));
}

TEST_F(SetMetricsTest, ANameBelongsToTheFirstMetricOfItsArchive) {
  Add("a", {Metric(1, {"m.cnt"}), Metric(2, {"m.cnt", "m.two"})});
  Add("b", {Metric(1, {"m.cnt"}), Metric(2, {"m.two"})});
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

}  // namespace
}  // namespace pmproof::archive
