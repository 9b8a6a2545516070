// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/help_text_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/loaded_metadata.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::validator {
namespace {

using archive::MetaRecordModel;
using archive::TextModel;
using archive::testing::LoadedMetadata;
using archive::testing::RecordingReporter;
using generators::BaseArchive;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::uint32_t kCounter = Pmid::Of(29, 0, 1).value;
const std::uint32_t kIndom = Indom::Of(29, 1).value;

// The base archive's metadata with records after them.
struct Checked {
  explicit Checked(std::vector<MetaRecordModel> more = {}) : loaded(BaseAnd(std::move(more)), 2) {
    CheckHelpTexts(loaded.metadata(), reporter);
  }

  static std::vector<MetaRecordModel> BaseAnd(std::vector<MetaRecordModel> more) {
    std::vector<MetaRecordModel> records = BaseArchive(2).meta;
    for (MetaRecordModel& record : more) records.push_back(std::move(record));
    return records;
  }
  std::vector<std::string> Rules() const { return reporter.Rules(); }
  const archive::testing::Recorded& First() const { return reporter.violations.at(0); }
  std::uint64_t OffsetOf(std::size_t record) const {
    return loaded.metadata().positions.at(record).offset;
  }

  LoadedMetadata loaded;
  RecordingReporter reporter;
};

TEST(HelpTextRules, HaveNothingAgainstTheBaseArchive) { EXPECT_THAT(Checked().Rules(), IsEmpty()); }

TEST(HelpTextRules, MetricOfATextExists) {  // ARC-1605
  const Checked checked({TextModel{5, Pmid::Of(99, 9, 9).value, "text"}});
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1605"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 12);
  EXPECT_EQ(checked.First().details.actual, "metric 99.9.9");
}

TEST(HelpTextRules, InstanceDomainOfATextExists) {  // ARC-1605
  const Checked checked({TextModel{9, Indom::Of(29, 2).value, "text"}});
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1605"));
  EXPECT_EQ(checked.First().details.actual, "instance domain 29.2");
}

TEST(HelpTextRules, MetricAndInstanceDomainAreDifferentThings) {  // ARC-1605
  EXPECT_THAT(Checked({TextModel{6, kIndom + 100, "t"}}).Rules(), ElementsAre("ARC-1605"));
  EXPECT_THAT(Checked({TextModel{10, Pmid::Of(29, 0, 9).value, "t"}}).Rules(),
              ElementsAre("ARC-1605"));
}

TEST(HelpTextRules, InstanceDomainExistsIfAMetricNamesIt) {  // ARC-1605
  archive::DescModel desc{
      {Pmid::Of(29, 0, 90), MetricType::kU32, Indom::Of(29, 7), Semantics::kInstant, Units{0}},
      {"m.x"}};
  EXPECT_THAT(Checked({desc, TextModel{9, Indom::Of(29, 7).value, "t"}}).Rules(), IsEmpty());
}

TEST(HelpTextRules, MetricMayBeDescribedBehindItsText) {  // ARC-1605
  archive::DescModel desc{
      {Pmid::Of(29, 0, 90), MetricType::kU32, Indom::Null(), Semantics::kInstant, Units{0}},
      {"m.x"}};
  EXPECT_THAT(Checked({TextModel{5, Pmid::Of(29, 0, 90).value, "t"}, desc}).Rules(), IsEmpty());
}

TEST(HelpTextRules, NullInstanceDomainIsAnotherRulesBusiness) {  // ARC-1605, ARC-1611
  EXPECT_THAT(Checked({TextModel{9, 0xffffffff, "t"}}).Rules(), IsEmpty());
}

TEST(HelpTextRules, NothingIsMissingWhereARecordCouldNotBeRead) {  // ARC-1605
  const archive::RawRecordModel unreadable{std::string("\0\0\0\1", 4)};
  EXPECT_THAT(Checked({unreadable, TextModel{5, Pmid::Of(99, 9, 9).value, "t"}}).Rules(),
              IsEmpty());
}

TEST(HelpTextRules, TextIsNotGivenTwiceWithDifferentContents) {  // ARC-1607, ARC-433
  const Checked checked({TextModel{5, kCounter, "different"}});
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1607"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 16);
  EXPECT_EQ(checked.First().details.actual, "different");
  EXPECT_EQ(checked.First().details.expected, "one line");
}

TEST(HelpTextRules, TextMayBeRepeated) {  // ARC-1607, ARC-308
  EXPECT_THAT(
      Checked({TextModel{5, kCounter, "one line"}, TextModel{9, kIndom, "indom one line"}}).Rules(),
      IsEmpty());
}

TEST(HelpTextRules, TextsOfOtherTypesAreOtherTexts) {  // ARC-1607
  EXPECT_THAT(Checked({TextModel{10, kIndom, "long"}}).Rules(), IsEmpty());
}

TEST(HelpTextRules, EveryChangeIsReportedInFileOrder) {  // ARC-1607
  const Checked checked({TextModel{9, kIndom, "b"}, TextModel{5, kCounter, "a"},
                         TextModel{9, kIndom, "indom one line"}});
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1607", "ARC-1607", "ARC-1607"));
  EXPECT_EQ(checked.First().details.actual, "b");
  EXPECT_LT(checked.First().where.offset, checked.reporter.violations[1].where.offset);
}

}  // namespace
}  // namespace pmproof::validator
