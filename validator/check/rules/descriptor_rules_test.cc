// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/descriptor_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/loaded_metadata.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::validator {
namespace {

using archive::DescModel;
using archive::MetaRecordModel;
using archive::testing::LoadedMetadata;
using archive::testing::RecordingReporter;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

DescModel Desc(std::uint32_t item, Names names) {
  return {{Pmid::Of(29, 0, item), MetricType::kU32, Indom::Null(), Semantics::kInstant, Units{0}},
          std::move(names)};
}

// m.cnt of the base archive.
DescModel Counter() {
  DescModel desc = Desc(1, {"m.cnt"});
  desc.descriptor.semantics = Semantics::kCounter;
  desc.descriptor.units = Units{0x00100000};
  return desc;
}

// What is found in the metadata of the given records.
struct Checked {
  explicit Checked(const std::vector<MetaRecordModel>& records, const Usage& usage = NothingKnown())
      : loaded(records, 2) {
    CheckDescriptors(loaded.metadata(), usage, reporter);
  }

  static Usage NothingKnown() {
    Usage usage;
    usage.complete = false;
    return usage;
  }
  std::vector<std::string> Rules() const { return reporter.Rules(); }
  const archive::testing::Recorded& First() const { return reporter.violations.at(0); }
  std::uint64_t OffsetOf(std::size_t record) const {
    return loaded.metadata().positions.at(record).offset;
  }

  LoadedMetadata loaded;
  RecordingReporter reporter;
};

// The base archive's metadata with records after them.
std::vector<MetaRecordModel> BaseAnd(std::vector<MetaRecordModel> more) {
  std::vector<MetaRecordModel> records = BaseArchive(2).meta;
  for (MetaRecordModel& record : more) records.push_back(std::move(record));
  return records;
}

TEST(DescriptorRules, HaveNothingAgainstTheBaseArchive) {
  EXPECT_THAT(Checked(BaseArchive(2).meta).Rules(), IsEmpty());
}

TEST(DescriptorRules, NameBelongsToOneMetric) {  // ARC-1308, ARC-309
  const Checked checked(BaseAnd({Desc(90, {"m.cnt"})}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1308"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 36);
  EXPECT_EQ(checked.First().where.length, 5U);
  EXPECT_EQ(checked.First().details.message, "metric 29.0.90 has the name of metric 29.0.1");
}

TEST(DescriptorRules, EveryMetricThatTakesANameIsReported) {  // ARC-1308
  EXPECT_THAT(Checked(BaseAnd({Desc(90, {"m.cnt"}), Desc(91, {"m.x", "m.cnt"})})).Rules(),
              ElementsAre("ARC-1308", "ARC-1308"));
}

TEST(DescriptorRules, AMetricMayHaveSeveralNames) {  // ARC-306
  EXPECT_THAT(Checked({Desc(1, {"m.a", "n.a", "x"}), Desc(2, {"m.b", "n.b"})}).Rules(), IsEmpty());
}

TEST(DescriptorRules, NameIsNoPrefixOfALaterOne) {  // ARC-1309, ARC-309
  const Checked checked(BaseAnd({Desc(90, {"m.cnt.sub"})}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1309"));
  EXPECT_EQ(checked.First().details.actual, "m.cnt");
  EXPECT_THAT(checked.First().details.message, HasSubstr("m.cnt.sub of metric 29.0.90"));
}

TEST(DescriptorRules, NameIsNoPrefixOfAnEarlierOne) {  // ARC-1309
  const Checked checked(BaseAnd({Desc(90, {"m"})}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1309"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 36);
}

TEST(DescriptorRules, PrefixEndsAtADot) {  // ARC-1309
  EXPECT_THAT(
      Checked({Desc(1, {"m.a"}), Desc(2, {"m.ab"}), Desc(3, {"m.a_b"}), Desc(4, {"m.A"})}).Rules(),
      IsEmpty());
}

TEST(DescriptorRules, PrefixIsFoundWhateverSortsBetween) {  // ARC-1309
  // All of these bytes sort in front of a dot.
  const Checked checked({Desc(1, {"m.a"}), Desc(2, {"m.a-b"}), Desc(3, {"m.a b"}),
                         Desc(4, {"m.a\x01"}), Desc(5, {"m.a.b"})});
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1309"));
}

TEST(DescriptorRules, EveryNameThatIsAPrefixIsReportedOnce) {  // ARC-1309
  EXPECT_THAT(
      Checked({Desc(1, {"m"}), Desc(2, {"m.a"}), Desc(3, {"m.a.b"}), Desc(4, {"m.a.c"})}).Rules(),
      ElementsAre("ARC-1309", "ARC-1309"));
}

TEST(DescriptorRules, RepeatedDescriptorIsCounted) {  // ARC-1310, ARC-308
  const Checked checked(BaseAnd({Counter(), Counter()}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1310", "ARC-1310"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17));
}

TEST(DescriptorRules, RepeatedDescriptorHasTheSameType) {  // ARC-1311, ARC-307
  DescModel desc = Counter();
  desc.descriptor.type = MetricType::kU64;
  const Checked checked(BaseAnd({desc}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1311"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 12);
  EXPECT_EQ(checked.First().details.actual, "u64");
  EXPECT_EQ(checked.First().details.expected, "u32");
}

TEST(DescriptorRules, RepeatedDescriptorHasTheSameSemantics) {  // ARC-1312
  DescModel desc = Counter();
  desc.descriptor.semantics = Semantics::kInstant;
  EXPECT_THAT(Checked(BaseAnd({desc})).Rules(), ElementsAre("ARC-1312"));
}

TEST(DescriptorRules, RepeatedDescriptorHasTheSameInstanceDomain) {  // ARC-1313
  DescModel desc = Counter();
  desc.descriptor.indom = Indom::Of(29, 1);
  EXPECT_THAT(Checked(BaseAnd({desc})).Rules(), ElementsAre("ARC-1313"));
}

TEST(DescriptorRules, RepeatedDescriptorHasTheSameUnits) {  // ARC-1314
  for (const std::uint32_t units : {0x00100100U, 0x00100009U, 0U}) {
    DescModel desc = Counter();
    desc.descriptor.units = Units{units};
    EXPECT_THAT(Checked(BaseAnd({desc})).Rules(), ElementsAre("ARC-1314")) << std::hex << units;
  }
}

TEST(DescriptorRules, RepeatedDescriptorHasTheSameNames) {  // ARC-1315
  for (const Names& names : {Names{"m.other"}, Names{"m.cnt", "m.other"}, Names{}}) {
    DescModel desc = Counter();
    desc.names = names;
    EXPECT_THAT(Checked(BaseAnd({desc})).Rules(), ElementsAre("ARC-1315"));
  }
}

TEST(DescriptorRules, RepeatedDescriptorHasItsNamesInTheSameOrder) {  // ARC-1315
  const Checked checked({Desc(1, {"m.a", "m.b"}), Desc(1, {"m.b", "m.a"})});
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1315"));
  EXPECT_EQ(checked.First().details.actual, "m.b, m.a");
  EXPECT_EQ(checked.First().details.expected, "m.a, m.b");
}

TEST(DescriptorRules, LaterDescriptorsAreHeldAgainstTheFirst) {  // ARC-307
  DescModel odd = Counter();
  odd.descriptor.type = MetricType::k64;
  EXPECT_THAT(Checked({Counter(), odd, Counter(), odd}).Rules(),
              ElementsAre("ARC-1311", "ARC-1310", "ARC-1311"));
}

TEST(DescriptorRules, NameOfARepeatedDescriptorIsNoNameOfTwoMetrics) {  // ARC-1308, ARC-1310
  EXPECT_THAT(
      Checked({Desc(1, {"m.a"}), Desc(2, {"m.a"}), Desc(1, {"m.a"}), Desc(2, {"m.a"})}).Rules(),
      ElementsAre("ARC-1310", "ARC-1310", "ARC-1308"));
}

Usage UsedBy(std::vector<std::uint32_t> items) {
  Usage usage;
  for (const std::uint32_t item : items) {
    usage.metrics[Pmid::Of(29, 0, item)].first_use = {kBaseTime, 0};
  }
  return usage;
}

TEST(DescriptorRules, DescriptorIsUsed) {  // ARC-1333
  const std::vector<MetaRecordModel> records = {Desc(1, {"m.a"}), Desc(2, {"m.new"})};
  EXPECT_THAT(Checked(records, UsedBy({1, 2})).Rules(), IsEmpty());
  const Checked checked(records, UsedBy({1}));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1333"));
  EXPECT_THAT(checked.First().details.message, HasSubstr("m.new"));
}

TEST(DescriptorRules, DescriptorOfAnEventParameterIsUsed) {  // ARC-1333
  Usage usage;
  usage.metrics[Pmid::Of(29, 0, 1)] = {};  // used, without any value set
  EXPECT_THAT(Checked({Desc(1, {"m.evp"})}, usage).Rules(), IsEmpty());
}

TEST(DescriptorRules, UnusedDescriptorIsReportedOnce) {  // ARC-1333
  EXPECT_THAT(Checked({Desc(1, {"m.a"}), Desc(1, {"m.a"})}, UsedBy({})).Rules(),
              ElementsAre("ARC-1333", "ARC-1310"));
}

TEST(DescriptorRules, NothingIsUnusedWhereDataCouldNotBeRead) {  // ARC-1333
  Usage usage = UsedBy({1});
  usage.complete = false;
  EXPECT_THAT(Checked({Desc(1, {"m.a"}), Desc(2, {"m.new"})}, usage).Rules(), IsEmpty());
}

// A usage whose next index entry after the first use refers to `bound` in .meta.
Usage Bounded(std::uint64_t bound) {
  Usage usage = UsedBy({1});
  usage.metrics.begin()->second.meta_offset_bound = bound;
  return usage;
}

TEST(DescriptorRules, DescriptorLiesInFrontOfTheNextIndexEntry) {  // ARC-1336
  const std::uint64_t offset = archive::LayoutOf(2).label;
  EXPECT_THAT(Checked({Desc(1, {"m.a"})}, Bounded(offset + 45)).Rules(), IsEmpty());
  const Checked checked({Desc(1, {"m.a"})}, Bounded(offset));
  ASSERT_THAT(checked.Rules(), ElementsAre("ARC-1336"));
  EXPECT_EQ(checked.First().where.offset, offset);
}

TEST(DescriptorRules, RepetitionMayLieBehindTheNextIndexEntry) {  // ARC-1336, ARC-308
  const std::uint64_t second = archive::LayoutOf(2).label + 43;
  EXPECT_THAT(Checked({Desc(1, {"m.a"}), Desc(1, {"m.a"})}, Bounded(second)).Rules(),
              ElementsAre("ARC-1310"));
}

// What the rules say, done by comparing everything with everything.
RC_GTEST_PROP(DescriptorRules, NamesAreComparedAsIfWithEveryOther, ()) {
  const auto name =
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', '.', '-', 'b')));
  const auto names = *rc::gen::container<Names>(name);
  std::vector<MetaRecordModel> records;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < names.size(); ++i) {
    records.emplace_back(Desc(static_cast<std::uint32_t>(i), {names[i]}));
    const bool taken = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                                 names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i);
    if (taken) {
      expected.emplace_back("ARC-1308");
    } else if (std::any_of(names.begin(), names.end(), [&](const std::string& other) {
                 return other.starts_with(names[i] + ".");
               })) {
      expected.emplace_back("ARC-1309");
    }
  }
  RC_ASSERT(Checked(records).Rules() == expected);
}

TEST(DescriptorRules, AreQuickForManyMetrics) {
  std::vector<MetaRecordModel> records;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    DescModel desc = Desc(0, {"some.common.prefix.of.names.m" + std::to_string(i)});
    desc.descriptor.pmid = Pmid{i};
    records.emplace_back(std::move(desc));
  }
  EXPECT_THAT(Checked(records).Rules(), IsEmpty());
}

TEST(DescriptorRules, AreQuickForLongNamesOfManyComponents) {  // ARC-1309
  std::string deep;
  while (deep.size() < 4000) deep += "a.";
  std::vector<MetaRecordModel> records;
  for (std::uint32_t i = 0; i < 2'000; ++i)
    records.emplace_back(Desc(i % 1024, {deep + "m" + std::to_string(i)}));
  const Checked checked(records);
  EXPECT_THAT(checked.Rules().size(), 976U);
}

}  // namespace
}  // namespace pmproof::validator
