// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/label_set_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/model.h"
#include "reference/archive/testing/loaded_metadata.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::validator {
namespace {

using archive::ArchiveLabel;
using archive::LabelRecordModel;
using archive::LabelSetModel;
using archive::MetaRecordModel;
using archive::testing::LoadedMetadata;
using archive::testing::RecordingReporter;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Meta = std::vector<MetaRecordModel>;

constexpr Indom kIndom = Indom::Of(29, 1);
constexpr std::uint32_t kCounter = Pmid::Of(29, 0, 1).value;  // m.cnt
constexpr std::uint32_t kContext = 1;
constexpr std::uint32_t kDomain = 2;
constexpr std::uint32_t kIndomClass = 4;
constexpr std::uint32_t kCluster = 8;
constexpr std::uint32_t kItem = 16;
constexpr std::uint32_t kInstances = 32;

// What the volume of the base archive shows: a value of each metric but m.evp at T.
Usage BaseUsage() {
  Usage usage;
  const Timestamp start{kBaseTime, 0};
  usage.first_record = start;
  for (const std::uint32_t item : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 10U}) {
    usage.metrics[Pmid::Of(29, 0, item)].first_use = start;
    usage.metrics[Pmid::Of(29, 0, item)].first_value = start;
  }
  return usage;
}

// What is found in the metadata of the given records.
struct Checked {
  explicit Checked(const Meta& records, int version = 3, const std::string& host = "testhost",
                   const Usage& usage = BaseUsage())
      : loaded(records, version) {
    ArchiveLabel label;
    label.version = version;
    label.host = host;
    CheckLabelSets(loaded.metadata(), label, usage, reporter);
  }

  std::vector<std::string> Rules() const { return reporter.Rules(); }
  const archive::testing::Recorded& First() const { return reporter.violations.at(0); }
  std::uint64_t OffsetOf(std::size_t record) const {
    return loaded.metadata().positions.at(record).offset;
  }

  LoadedMetadata loaded;
  RecordingReporter reporter;
};

// {"a":N} for something.
LabelRecordModel Labels(std::int64_t seconds, std::uint32_t label_class, std::uint32_t identifier,
                        int value = 1, std::int32_t instance = kInstanceNull) {
  LabelSetModel set;
  set.instance = instance;
  set.json = "{\"a\":" + std::to_string(value) + "}";
  set.entries = {{2, 1, static_cast<std::uint8_t>(label_class), 5,
                  static_cast<std::uint16_t>(set.json.size() - 6)}};
  return {{kBaseTime + seconds, 0}, label_class, identifier, {set}};
}

LabelRecordModel Host(const std::string& value) {
  LabelSetModel set;
  set.json = "{\"hostname\":" + value + "}";
  set.entries = {{2, 8, 1, 12, static_cast<std::uint16_t>(value.size())}};
  return {{kBaseTime, 0}, kContext, 0xffffffff, {set}};
}

// The metadata of the base archive: record 11 is the LABEL of the context, 12 that of the
// instances.
Meta BaseAnd(Meta more, int version = 3) {
  Meta records = BaseArchive(version).meta;
  records.insert(records.end(), more.begin(), more.end());
  return records;
}
constexpr std::size_t kContextRecord = 11;
constexpr std::size_t kAdded = 17;

TEST(LabelSetRules, TheBaseArchiveHasNothing) {
  EXPECT_THAT(Checked(BaseAnd({}, 2), 2).Rules(), IsEmpty());
  EXPECT_THAT(Checked(BaseAnd({}, 3), 3).Rules(), IsEmpty());
}

TEST(LabelSetRules, LabelsOfAllClassesAreFine) {
  EXPECT_THAT(
      Checked(BaseAnd({Labels(0, kDomain, 29), Labels(0, kIndomClass, kIndom.value),
                       Labels(0, kCluster, Pmid::Of(29, 0, 0).value), Labels(0, kItem, kCounter)}))
          .Rules(),
      IsEmpty());
}

TEST(LabelSetRules, Arc1502NothingHasTheIdentifier) {
  const std::vector<LabelRecordModel> unknown = {
      Labels(0, kItem, Pmid::Of(29, 9, 99).value),
      Labels(0, kDomain, 30),
      Labels(0, kDomain, 512 + 29),
      Labels(0, kCluster, Pmid::Of(29, 9, 0).value),
      Labels(0, kIndomClass, Indom::Of(29, 2).value),
      Labels(0, kInstances, Indom::Of(29, 2).value, 1, 0),
      Labels(0, kItem, 0x80000000 | kCounter)};
  for (const LabelRecordModel& labels : unknown) {
    const Checked checked(BaseAnd({labels}));
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1502"));
    EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kAdded) + 24);
    EXPECT_EQ(checked.First().where.length, 4U);
  }
}

TEST(LabelSetRules, Arc1502ContextWithAnIdentifier) {
  Meta records = BaseAnd({});
  std::get<LabelRecordModel>(records[kContextRecord]).identifier = 5;
  EXPECT_THAT(Checked(records).Rules(), ElementsAre("ARC-1502"));
}

TEST(LabelSetRules, TheItemOfAClusterIsNoMatterOf1502) {
  EXPECT_THAT(Checked(BaseAnd({Labels(0, kCluster, kCounter)})).Rules(), IsEmpty());
}

TEST(LabelSetRules, AbsenceProvesNothingWhereRecordsCouldNotBeDecoded) {
  const archive::RawRecordModel too_short{std::string("\0\0\0\1", 4)};
  EXPECT_THAT(Checked({too_short, Labels(0, kItem, kCounter)}).Rules(), IsEmpty());
}

TEST(LabelSetRules, Arc1516InstanceThatIsNotInTheDomain) {
  const Checked checked(BaseAnd({Labels(3, kInstances, kIndom.value, 1, 55)}));
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1516"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kAdded) + 32);
}

TEST(LabelSetRules, Arc1516InstanceOfAnotherTime) {
  EXPECT_THAT(Checked(BaseAnd({Labels(3, kInstances, kIndom.value, 1, 1)})).Rules(),
              ElementsAre("ARC-1516"));
  EXPECT_THAT(Checked(BaseAnd({Labels(3, kInstances, kIndom.value, 1, 2)})).Rules(), IsEmpty());
}

TEST(LabelSetRules, Arc1516LooksAtTimesAndNotAtTheOrderOfTheFile) {
  Meta records = BaseAnd({Labels(3, kInstances, kIndom.value, 1, 2)});
  std::rotate(records.begin(), records.end() - 1, records.end());
  EXPECT_THAT(Checked(records).Rules(), IsEmpty());
}

TEST(LabelSetRules, Arc1520AnotherHost) {
  for (const char* value : {"\"differs\"", "5", "\"\"", "\"testhosts\""}) {
    Meta records = BaseAnd({});
    records[kContextRecord] = Host(value);
    const Checked checked(records);
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1520"));
    EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kContextRecord) + 32 + 8 + 12);
  }
}

TEST(LabelSetRules, AHostNameThatWasCutInTheLabelIsTheSame) {
  const std::string host = std::string(63, 'h');
  Meta records = BaseAnd({}, 2);
  records[kContextRecord] = Host("\"" + host + "hh.example\"");
  EXPECT_THAT(Checked(records, 2, host).Rules(), IsEmpty());
  EXPECT_THAT(Checked(records, 2, host.substr(1)).Rules(), ElementsAre("ARC-1520"));
}

TEST(LabelSetRules, TheContextNeedNotNameTheHost) {
  Meta records = BaseAnd({});
  records[kContextRecord] = Labels(0, kContext, 0xffffffff);
  EXPECT_THAT(Checked(records).Rules(), IsEmpty());
}

TEST(LabelSetRules, Arc1524NoLabelsOfTheContext) {
  for (const int version : {2, 3}) {
    Meta records = BaseAnd({}, version);
    records.erase(records.begin() + kContextRecord);
    const Checked checked(records, version);
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1524"));
    EXPECT_EQ(checked.First().where.part, archive::kMetaPart);
  }
}

TEST(LabelSetRules, ArchivesOfVersion2WithoutAnyLabelsMayBeOlderThanLabels) {
  Meta records = BaseAnd({}, 2);
  records.erase(records.begin() + kContextRecord, records.begin() + kContextRecord + 2);
  EXPECT_THAT(Checked(records, 2).Rules(), IsEmpty());
}

TEST(LabelSetRules, Arc1525TwoRecordsWithOneTime) {
  const Checked checked(BaseAnd(
      {Labels(0, kItem, kCounter), Labels(4, kItem, kCounter, 1), Labels(4, kItem, kCounter, 2)}));
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1525"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kAdded + 2) + 8);
  EXPECT_EQ(checked.First().where.length, 12U);
}

TEST(LabelSetRules, OtherClassesAndIdentifiersMayHaveOneTime) {
  EXPECT_THAT(Checked(BaseAnd({Labels(0, kItem, kCounter), Labels(0, kItem, kCounter + 1),
                               Labels(0, kIndomClass, kIndom.value)}))
                  .Rules(),
              IsEmpty());
}

TEST(LabelSetRules, Arc1527FirstLabelsAfterTheFirstValue) {
  const std::vector<LabelRecordModel> late = {Labels(4, kItem, kCounter), Labels(4, kDomain, 29),
                                              Labels(4, kCluster, Pmid::Of(29, 0, 0).value),
                                              Labels(4, kIndomClass, kIndom.value)};
  for (const LabelRecordModel& labels : late) {
    const Checked checked(BaseAnd({labels}));
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1527"));
    EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kAdded) + 8);
  }
}

TEST(LabelSetRules, Arc1527LooksAtTheEarliestLabels) {
  EXPECT_THAT(Checked(BaseAnd({Labels(4, kItem, kCounter), Labels(0, kItem, kCounter)})).Rules(),
              IsEmpty());
}

TEST(LabelSetRules, LabelsOfAMetricWithoutValuesAreNeverLate) {
  EXPECT_THAT(Checked(BaseAnd({Labels(4, kItem, Pmid::Of(29, 0, 9).value)})).Rules(), IsEmpty());
}

TEST(LabelSetRules, RecordsOfNoClassAreLeftOut) {
  EXPECT_THAT(Checked(BaseAnd({Labels(0, 3, 5), Labels(0, 3, 5)})).Rules(), IsEmpty());
}

}  // namespace
}  // namespace pmproof::validator
