// SPDX-License-Identifier: Apache-2.0
// Rules on instance domains (section 14.5), each by a violation that gives it and nothing else.

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/bytes.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::IndomModel;
using archive::InstanceModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class InstanceDomainsTest : public CheckedArchive {
 protected:
  using Instances = std::vector<InstanceModel>;

  static constexpr Indom kDomain = Indom::Of(29, 1);
  static constexpr std::size_t kFirst = 7;  // the record of T, the label being 0

  static IndomModel Full(Timestamp time, Instances instances, Indom indom = kDomain) {
    return {time, indom, std::move(instances), false};
  }
  static IndomModel Delta(Timestamp time, Instances changes, Indom indom = kDomain) {
    return {time, indom, std::move(changes), true};
  }

  // The change at T+3 as a full record in both versions; {0 a, 2 c} is what the data need.
  void ChangeTo(Instances instances) { plan.meta.back() = Full(At(3), std::move(instances)); }

  // The same with a string table as it is given.
  void ChangeToTable(const std::vector<std::pair<std::int32_t, std::uint32_t>>& offsets,
                     const std::string& table) {
    Instances instances;
    for (const auto& entry : offsets) instances.push_back({entry.first, std::nullopt});
    archive::RawRecordModel raw = Raw(Full(At(3), instances), table);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::size_t at = 12 + TimeSize() + 4 * (offsets.size() + i);
      StoreU32(reinterpret_cast<std::uint8_t*>(raw.payload.data()) + at, offsets[i].second);
    }
    plan.meta.back() = raw;
  }

  // The words of a record of instance domains in .meta (ARC-340), which has `count` instances.
  std::size_t CountAt(std::size_t record) { return RecordAt("meta", record) + 12 + TimeSize(); }
  std::size_t IdAt(std::size_t record, std::size_t i) { return CountAt(record) + 4 + 4 * i; }
  std::size_t NameOffsetAt(std::size_t record, std::size_t i, std::size_t count = 2) {
    return CountAt(record) + 4 + 4 * (count + i);
  }

  // Values of a metric of its own, in the records from T+3 on.
  void AddMetricOf(Indom indom, std::int32_t instance) {
    archive::DescModel desc = Desc("m.inst");
    desc.descriptor.pmid = Pmid::Of(29, 0, 20);
    desc.descriptor.indom = indom;
    desc.names = {"m.other"};
    AddMeta(desc);
    for (std::size_t k = 3; k < 6; ++k)
      Result(k).sets.push_back({desc.descriptor.pmid, 0, {{instance, 1U}}, 0});
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, InstanceDomainsTest, ::testing::Values(2, 3), VersionName);

// INDOM_DELTA records and the order of identifiers are matters of version 3 alone (ARC-370,
// ARC-343).
class DeltasTest : public InstanceDomainsTest {};
INSTANTIATE_TEST_SUITE_P(Versions, DeltasTest, ::testing::Values(3), VersionName);

TEST_P(InstanceDomainsTest, AFullRecordInPlaceOfADeltaIsFine) {
  ChangeTo({{0, "a"}, {2, "c"}});
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(InstanceDomainsTest, ANegativeNumberOfInstances) {
  image().SetWord("meta", CountAt(kFirst), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1401 fatal"));
}

TEST_P(InstanceDomainsTest, MoreInstancesThanTheRecordHasRoomFor) {
  image().SetWord("meta", CountAt(kFirst), 1000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1402 fatal"));
}

TEST_P(InstanceDomainsTest, ANameThatBeginsOutsideTheTable) {
  image().SetWord("meta", NameOffsetAt(kFirst, 1), 5000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1403 fatal"));
}

TEST_P(InstanceDomainsTest, ANameThatBeginsWhereTheTableEnds) {
  ChangeToTable({{0, 0}, {2, 2}}, std::string("a\0", 2));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1403 error"));
}

TEST_P(InstanceDomainsTest, ALastNameWithoutNul) {
  ChangeToTable({{0, 0}, {2, 2}}, std::string("a\0c", 3));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1404 error"));
}

TEST_P(InstanceDomainsTest, ADeletedInstanceInAFullRecord) {
  image().SetWord("meta", NameOffsetAt(kFirst, 1), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1405 fatal"));
}

TEST_P(DeltasTest, ANameOffsetBelowMinusOne) {
  image().SetWord("meta", NameOffsetAt(17, 1), 0xfffffffe);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1406 fatal"));
}

TEST_P(InstanceDomainsTest, ANegativeIdentifier) {
  image().SetWord("meta", IdAt(kFirst, 1), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1407 fatal"));
}

TEST_P(InstanceDomainsTest, AnIdentifierTwice) {
  ChangeTo({{0, "a"}, {2, "c"}, {2, "d"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1408 error"));
}

TEST_P(InstanceDomainsTest, ANameTwice) {
  ChangeTo({{0, "a"}, {2, "c"}, {3, "c"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1409 warning"));
}

TEST_P(InstanceDomainsTest, NamesThatAreEqualUpToTheFirstBlank) {
  ChangeTo({{0, "a"}, {2, "c x"}, {3, "c y"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1410 warning"));
}

TEST_P(InstanceDomainsTest, AnEmptyName) {
  ChangeTo({{0, "a"}, {2, ""}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1411 warning"));
}

TEST_P(InstanceDomainsTest, TheNullInstanceDomain) {
  AddMeta(Full(At(0), {{0, "a"}}, Indom::Null()));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1412 warning"));
}

TEST_P(InstanceDomainsTest, TheFlagBitOfAnInstanceDomain) {
  AddMeta(Full(At(0), {{0, "a"}}, Indom{kDomain.value | 0x80000000}));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1412 warning"));
}

TEST_P(InstanceDomainsTest, ADomainThatNoMetricUses) {
  AddMeta(Full(At(0), {{0, "a"}}, Indom::Of(29, 77)));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1413 info"));
}

TEST_P(DeltasTest, ADeltaWithoutFullRecord) {
  AddMetricOf(Indom::Of(29, 77), 7);
  AddMeta(Delta(At(3), {{7, "x"}}, Indom::Of(29, 77)), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1414 error"));
}

TEST_P(DeltasTest, ADeltaThatIsEarlierThanTheFullRecord) {
  AddMetricOf(Indom::Of(29, 77), 7);
  AddMeta(Delta(At(3), {{7, "x"}}, Indom::Of(29, 77)), true);
  AddMeta(Full(At(4), {{7, "x"}, {8, "y"}}, Indom::Of(29, 77)), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1414 error"));
}

TEST_P(DeltasTest, ADeltaThatAddsWhatIsThere) {
  AddMeta(Delta(At(4), {{0, "a"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1415 error"));
}

TEST_P(DeltasTest, ADeltaThatAddsWhatIsThereByAnotherName) {
  AddMeta(Delta(At(4), {{0, "zzz"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1415 error"));
}

TEST_P(DeltasTest, ADeltaThatDeletesWhatIsNotThere) {
  AddMeta(Delta(At(4), {{9, std::nullopt}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1416 error"));
}

TEST_P(DeltasTest, AnIdentifierTwiceInADelta) {
  AddMeta(Delta(At(4), {{0, std::nullopt}, {0, "a"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1417 warning"));
}

TEST_P(DeltasTest, ADeltaThatRenames) {  // ARC-373: works, and the identifier has another name
  AddMeta(Delta(At(4), {{0, std::nullopt}, {0, "renamed"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1417 warning", "ARC-1424 warning"));
}

TEST_P(InstanceDomainsTest, ARecordWithoutInstances) {
  AddMeta(Full(At(4), {}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1418 warning"));
}

TEST_P(DeltasTest, IdentifiersThatDescend) {
  ChangeTo({{2, "c"}, {0, "a"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1419 info"));
}

class DomainsOfVersion2Test : public InstanceDomainsTest {};
INSTANTIATE_TEST_SUITE_P(Versions, DomainsOfVersion2Test, ::testing::Values(2), VersionName);

TEST_P(DomainsOfVersion2Test, IdentifiersMayDescend) {  // ARC-343
  ChangeTo({{2, "c"}, {0, "a"}});
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(InstanceDomainsTest, BytesBetweenNames) {
  ChangeToTable({{0, 0}, {2, 5}}, std::string("a\0xy\0c\0", 7));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1420 info"));
}

TEST_P(InstanceDomainsTest, ANameInTheTailOfAnother) {
  ChangeToTable({{0, 0}, {2, 2}, {3, 3}}, std::string("a\0bc\0", 5));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1421 info"));
}

TEST_P(InstanceDomainsTest, TwoInstancesWithOneStoredName) {
  ChangeToTable({{0, 0}, {2, 2}, {3, 2}}, std::string("a\0c\0", 4));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1409 warning", "ARC-1421 info"));
}

TEST_P(InstanceDomainsTest, TwoFullRecordsOfOneTime) {  // ARC-346 says which one counts
  ChangeTo({{0, "a"}, {3, "d"}});
  AddMeta(Full(At(3), {{0, "a"}, {2, "c"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1422 warning"));
}

TEST_P(DeltasTest, AFullRecordAndADeltaOfOneTime) {
  AddMeta(Full(At(3), {{0, "a"}, {2, "c"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1422 error"));
}

TEST_P(DeltasTest, TwoDeltasOfOneTime) {
  AddMeta(Delta(At(3), {{3, "d"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1422 error"));
}

TEST_P(InstanceDomainsTest, ARecordThatChangesNothing) {
  AddMeta(Full(At(4), {{0, "a"}, {2, "c"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1423 info"));
}

TEST_P(InstanceDomainsTest, AnInstanceThatIsRenamed) {
  AddMeta(Full(At(4), {{0, "a"}, {2, "d"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1424 warning"));
}

TEST_P(InstanceDomainsTest, ANameThatGoesToAnotherInstance) {
  AddMeta(Full(At(4), {{0, "a"}, {3, "c"}}), true);
  for (std::size_t k = 4; k < 6; ++k) Set(k, 6).values[1].instance = 3;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1425 warning"));
}

TEST_P(InstanceDomainsTest, RecordsThatGoBackInTime) {
  AddMeta(Full(At(1), {{0, "a"}, {1, "b"}, {5, "e"}}), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1426 warning"));
}

TEST_P(InstanceDomainsTest, BytesBehindTheLastName) {
  plan.meta.back() = Raw(plan.meta.back(), "trailing");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1427 info"));
}

TEST_P(InstanceDomainsTest, ADomainInFrontOfItsMetric) {
  std::swap(plan.meta.at(kFirst - 2), plan.meta.at(kFirst - 1));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1428 info"));
}

TEST_P(InstanceDomainsTest, AControlCharacterInAName) {
  ChangeTo({{0, "a"}, {2, "x\ny"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1429 warning"));
}

TEST_P(InstanceDomainsTest, ANameThatIsNoUtf8) {
  ChangeTo({{0, "a"}, {2, "\xff\xfe"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1429 warning"));
}

TEST_P(InstanceDomainsTest, ANameThatRunsBackwards) {
  ChangeTo({{0, "a"}, {2, "moc.\u202elive"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1431 warning"));
}

TEST_P(InstanceDomainsTest, ANameOfTwoParagraphs) {
  ChangeTo({{0, "a"}, {2, "x\u2029y"}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1431 warning"));
}

TEST_P(DeltasTest, ADeltaInFrontOfItsFullRecord) {
  plan.meta.insert(plan.meta.begin() + kFirst - 1, plan.meta.back());
  plan.meta.pop_back();
  plan.index[1].meta_record = plan.meta.size();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1430 error"));
}

}  // namespace
}  // namespace pmproof::validator::testing
