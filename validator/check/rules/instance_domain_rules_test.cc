// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/instance_domain_rules.h"

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

using archive::DescModel;
using archive::Gravity;
using archive::IndomModel;
using archive::InstanceModel;
using archive::MetaRecordModel;
using archive::testing::LoadedMetadata;
using archive::testing::RecordingReporter;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Instances = std::vector<InstanceModel>;
using Meta = std::vector<MetaRecordModel>;

constexpr Indom kIndom = Indom::Of(29, 1);

IndomModel Full(std::int64_t seconds, Instances instances, Indom indom = kIndom) {
  return {{kBaseTime + seconds, 0}, indom, std::move(instances), false};
}
IndomModel Delta(std::int64_t seconds, Instances changes, Indom indom = kIndom) {
  return {{kBaseTime + seconds, 0}, indom, std::move(changes), true};
}
DescModel Desc(std::uint32_t item, Indom indom) {
  return {{Pmid::Of(29, 0, item), MetricType::kU32, indom, Semantics::kInstant, Units{0}},
          {"x.n" + std::to_string(item)}};
}

// What is found in the metadata of the given records.
struct Checked {
  explicit Checked(const Meta& records, int version = 3) : loaded(records, version) {
    CheckInstanceDomains(loaded.metadata(), version, reporter);
  }

  std::vector<std::string> Rules() const { return reporter.Rules(); }
  const archive::testing::Recorded& First() const { return reporter.violations.at(0); }
  std::uint64_t OffsetOf(std::size_t record) const {
    return loaded.metadata().positions.at(record).offset;
  }

  LoadedMetadata loaded;
  RecordingReporter reporter;
};

// The metadata of the base archive, of which record 6 is INDOM {0 a, 1 b} at T and the last one
// leads to {0 a, 2 c} at T+3, with more records after them.
Meta BaseAnd(Meta more, int version = 3) {
  Meta records = BaseArchive(version).meta;
  records.insert(records.end(), more.begin(), more.end());
  return records;
}
constexpr std::size_t kBaseIndom = 6;

// A descriptor, {0 a, 1 b} at T, and more.
Meta TwoInstancesAnd(Meta more) {
  Meta records = {Desc(1, kIndom), Full(0, {{0, "a"}, {1, "b"}})};
  records.insert(records.end(), more.begin(), more.end());
  return records;
}

TEST(InstanceDomainRules, TheBaseArchiveHasNothing) {
  EXPECT_THAT(Checked(BaseAnd({}, 2), 2).Rules(), IsEmpty());
  EXPECT_THAT(Checked(BaseAnd({}, 3), 3).Rules(), IsEmpty());
}

TEST(InstanceDomainRules, Arc1413DomainThatNoDescriptorNames) {
  const Checked checked(BaseAnd({Full(3, {{0, "x"}}, Indom::Of(29, 77))}));
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1413"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 20);
}

TEST(InstanceDomainRules, Arc1413OnceForADomain) {
  const Indom unused = Indom::Of(29, 77);
  EXPECT_THAT(Checked(BaseAnd({Full(3, {{0, "x"}}, unused), Full(4, {{1, "y"}}, unused)})).Rules(),
              ElementsAre("ARC-1413"));
}

TEST(InstanceDomainRules, NothingIsSaidOfDomainsThatMetricsCanNotName) {
  EXPECT_THAT(Checked(BaseAnd({Delta(3, {{0, "x"}}, Indom::Null())})).Rules(), IsEmpty());
}

TEST(InstanceDomainRules, AbsenceProvesNothingWhereRecordsCouldNotBeDecoded) {
  IndomModel undecodable = Full(3, {{-1, "x"}}, Indom::Of(29, 77));
  const Indom other = Indom::Of(29, 78);
  EXPECT_THAT(Checked(BaseAnd({undecodable, Delta(3, {{0, std::nullopt}}, other)})).Rules(),
              IsEmpty());
}

TEST(InstanceDomainRules, Arc1414DeltaOfADomainWithoutAFullRecord) {
  Meta records = BaseAnd({Delta(4, {{0, "x"}}, Indom::Of(29, 77))});
  records.insert(records.begin(), Desc(90, Indom::Of(29, 77)));
  const Checked checked(records);
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1414"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(18));
}

TEST(InstanceDomainRules, Arc1414TheFullRecordDropped) {
  Meta records = BaseAnd({});
  records.erase(records.begin() + kBaseIndom);
  EXPECT_THAT(Checked(records).Rules(), ElementsAre("ARC-1414"));
}

TEST(InstanceDomainRules, Arc1414OnlyALaterFullRecord) {
  EXPECT_THAT(
      Checked({Desc(1, kIndom), Delta(1, {{0, "a"}}), Full(2, {{0, "a"}, {1, "b"}})}).Rules(),
      ElementsAre("ARC-1414"));
}

TEST(InstanceDomainRules, Arc1415DeltaAddsWhatIsThere) {
  EXPECT_THAT(Checked(TwoInstancesAnd({Delta(1, {{0, "a"}})})).Rules(), ElementsAre("ARC-1415"));
}

TEST(InstanceDomainRules, Arc1415TheOldNameStays) {
  const Checked checked(TwoInstancesAnd({Delta(1, {{0, "zzz"}}), Delta(2, {{2, "zzz"}})}));
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1415"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(2) + 28);
}

TEST(InstanceDomainRules, Arc1416DeltaDeletesWhatIsNotThere) {
  EXPECT_THAT(Checked(TwoInstancesAnd({Delta(1, {{9, std::nullopt}})})).Rules(),
              ElementsAre("ARC-1416"));
}

TEST(InstanceDomainRules, Arc1416DeletedByAnEarlierDelta) {
  EXPECT_THAT(
      Checked(TwoInstancesAnd({Delta(1, {{1, std::nullopt}}), Delta(2, {{1, std::nullopt}})}))
          .Rules(),
      ElementsAre("ARC-1416"));
}

TEST(InstanceDomainRules, DeleteAndAddInOneDeltaIsNeither1415Nor1416) {
  EXPECT_THAT(Checked(TwoInstancesAnd({Delta(1, {{0, std::nullopt}, {0, "a"}})})).Rules(),
              IsEmpty());
}

TEST(InstanceDomainRules, Arc1422FullRecordAndDeltaWithOneTime) {
  for (const bool delta_first : {false, true}) {
    const MetaRecordModel full = Full(3, {{0, "a"}, {2, "c"}});
    const MetaRecordModel delta = Delta(3, {{1, std::nullopt}, {2, "c"}});
    const Checked checked(TwoInstancesAnd(delta_first ? Meta{delta, full} : Meta{full, delta}));
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1422"));
    EXPECT_EQ(checked.First().gravity, Gravity::kAsCatalogued);
    EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(3) + 8);
    EXPECT_EQ(checked.First().where.length, 12U);
  }
}

TEST(InstanceDomainRules, Arc1422TwoDeltasWithOneTime) {
  EXPECT_THAT(Checked(BaseAnd({Delta(3, {{3, "d"}})})).Rules(), ElementsAre("ARC-1422"));
}

TEST(InstanceDomainRules, Arc1422AFirstDeltaWithTheTimeOfItsFullRecord) {
  EXPECT_THAT(Checked({Desc(1, kIndom), Delta(0, {{0, "a"}}), Full(0, {{0, "a"}})}).Rules(),
              ElementsAre("ARC-1422"));
}

TEST(InstanceDomainRules, Arc1422TwoFullRecordsAreAWarning) {
  const Checked checked(BaseAnd({Full(4, {{2, "c"}}), Full(4, {{0, "a"}})}, 2), 2);
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1422"));
  EXPECT_EQ(checked.First().gravity, Gravity::kWarning);
}

TEST(InstanceDomainRules, RecordsOfTwoDomainsMayHaveOneTime) {
  const Indom other = Indom::Of(29, 2);
  EXPECT_THAT(
      Checked({Desc(1, kIndom), Desc(2, other), Full(0, {{0, "a"}}), Full(0, {{0, "a"}}, other)})
          .Rules(),
      IsEmpty());
}

TEST(InstanceDomainRules, Arc1423RecordThatRepeatsWhatIsInForce) {
  for (const int version : {2, 3}) {
    const Checked checked(BaseAnd({Full(4, {{0, "a"}, {2, "c"}})}, version), version);
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1423"));
    EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17));
  }
}

TEST(InstanceDomainRules, FewerInstancesAreNoRepetition) {
  EXPECT_THAT(Checked(BaseAnd({Full(4, {{0, "a"}})})).Rules(), IsEmpty());
}

TEST(InstanceDomainRules, Arc1424InstanceWithAnotherName) {
  for (const int version : {2, 3}) {
    const Checked checked(BaseAnd({Full(4, {{0, "a"}, {2, "renamed"}})}, version), version);
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1424"));
    EXPECT_EQ(checked.First().details.actual, "renamed");
    EXPECT_EQ(checked.First().details.expected, "c");
  }
}

TEST(InstanceDomainRules, Arc1424RenamedByADelta) {
  EXPECT_THAT(Checked(TwoInstancesAnd({Delta(1, {{0, std::nullopt}, {0, "renamed"}})})).Rules(),
              ElementsAre("ARC-1424"));
}

TEST(InstanceDomainRules, Arc1424RememberedWhileTheInstanceIsAway) {
  EXPECT_THAT(
      Checked(TwoInstancesAnd({Full(1, {{0, "a"}}), Full(2, {{0, "a"}, {1, "x"}})})).Rules(),
      ElementsAre("ARC-1424"));
}

TEST(InstanceDomainRules, AnInstanceMayComeBack) {
  EXPECT_THAT(
      Checked(TwoInstancesAnd({Full(1, {{0, "a"}}), Full(2, {{0, "a"}, {1, "b"}})})).Rules(),
      IsEmpty());
}

TEST(InstanceDomainRules, Arc1425NameOfAnotherInstance) {
  for (const int version : {2, 3}) {
    const Checked checked(BaseAnd({Full(4, {{0, "a"}, {3, "c"}})}, version), version);
    EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1425"));
    EXPECT_EQ(checked.First().details.actual, "3");
    EXPECT_EQ(checked.First().details.expected, "2");
  }
}

TEST(InstanceDomainRules, TwoInstancesWithOneNameAtATimeAreNo1425) {
  EXPECT_THAT(Checked(BaseAnd({Full(4, {{0, "a"}, {2, "c"}, {3, "c"}})})).Rules(), IsEmpty());
}

TEST(InstanceDomainRules, Arc1426InstanceDomainOlderThanTheOneBefore) {
  const Checked checked(BaseAnd({Full(1, {{0, "a"}, {1, "b"}, {4, "e"}})}, 2), 2);
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1426"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(17) + 8);
  EXPECT_EQ(checked.First().where.length, 8U);
}

TEST(InstanceDomainRules, Arc1426OverAllDomains) {
  const Indom other = Indom::Of(29, 2);
  EXPECT_THAT(
      Checked({Desc(1, kIndom), Desc(2, other), Full(3, {{0, "a"}}), Full(1, {{0, "a"}}, other)})
          .Rules(),
      ElementsAre("ARC-1426"));
}

TEST(InstanceDomainRules, Arc1428InstanceDomainBeforeItsDescriptor) {
  Meta records = BaseAnd({});
  std::swap(records[kBaseIndom - 1], records[kBaseIndom]);
  const Checked checked(records);
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1428"));
  EXPECT_EQ(checked.First().where.offset, checked.OffsetOf(kBaseIndom - 1));
}

TEST(InstanceDomainRules, LaterDescriptorsOfADomainAreFine) {
  EXPECT_THAT(Checked(TwoInstancesAnd({Desc(2, kIndom)})).Rules(), IsEmpty());
}

TEST(InstanceDomainRules, Arc1430DeltaBeforeItsFullRecordInTheFile) {
  Meta records = BaseAnd({});
  std::rotate(records.begin(), records.end() - 1, records.end());
  // After a descriptor, so that this is not ARC-1428.
  std::rotate(records.begin(), records.begin() + 1, records.begin() + 7);
  const Checked checked(records);
  EXPECT_THAT(checked.Rules(), ElementsAre("ARC-1430"));
}

TEST(InstanceDomainRules, Arc1430SeveralDeltas) {
  EXPECT_THAT(
      Checked({Desc(1, kIndom), Delta(1, {{1, "b"}}), Delta(2, {{2, "c"}}), Full(0, {{0, "a"}})})
          .Rules(),
      ElementsAre("ARC-1430", "ARC-1430"));
}

TEST(InstanceDomainRules, NamesOfTangledRecordsAreNotCompared) {
  std::vector<InstanceModel> instances(200, {0, ""});
  for (std::int32_t i = 0; i < 200; ++i) instances[static_cast<std::size_t>(i)].id = i;
  archive::Buffer encoded;
  archive::AppendMetaRecord(Full(1, instances), 3, &encoded);
  std::string payload(encoded.begin() + 4, encoded.end() - 4 - 200);
  for (std::uint32_t i = 0; i < 200; ++i) {
    StoreU32(
        reinterpret_cast<std::uint8_t*>(payload.data()) + payload.size() - 800 + 4 * std::size_t{i},
        i);
  }
  payload += std::string(4000, 'x') + std::string(1, '\0');
  const archive::RawRecordModel tangled{payload};
  EXPECT_THAT(Checked(TwoInstancesAnd({tangled, Full(2, {{0, "a"}, {1, "b"}})})).Rules(),
              IsEmpty());
}

// Test idea 52: the second record says 0 "i2" (ARC-662).
TEST(InstanceDomainRules, TheWriterThatMixesUpNamesIsFound) {
  EXPECT_THAT(Checked({Desc(1, kIndom), Full(0, {{0, "i0"}, {2, "i2"}}),
                       Full(1, {{0, "i2"}, {1, "i1"}, {2, "i0"}})})
                  .Rules(),
              ElementsAre("ARC-1424", "ARC-1425", "ARC-1424", "ARC-1425"));
}

TEST(InstanceDomainRules, ManyChangesTakeLinearTime) {
  Meta records = {Desc(1, kIndom), Full(0, {{0, "first"}})};
  for (std::int32_t i = 1; i <= 100'000; ++i) {
    records.emplace_back(Delta(i, {{i - 1, std::nullopt}, {i, "n" + std::to_string(i)}}));
  }
  EXPECT_THAT(Checked(records).Rules(), IsEmpty());
}

}  // namespace
}  // namespace pmproof::validator
