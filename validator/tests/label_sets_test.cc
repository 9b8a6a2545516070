// SPDX-License-Identifier: Apache-2.0
// Rules on the labels of metrics (section 14.6), each by a violation that gives it and nothing
// else.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::LabelEntryModel;
using archive::LabelRecordModel;
using archive::LabelSetModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kContext = 1;
constexpr std::uint32_t kCluster = 8;
constexpr std::uint32_t kItem = 16;
constexpr std::uint32_t kInstances = 32;

class LabelSetsTest : public CheckedArchive {
 protected:
  static constexpr std::uint32_t kMetric = Pmid::Of(29, 0, 1).value;
  static constexpr std::size_t kInstanceLabels = 13;  // the record of T, the label being 0

  static LabelSetModel Of(std::string json, std::vector<LabelEntryModel> entries,
                          std::int32_t instance = -1) {
    return {instance, std::move(json), std::move(entries), 0};
  }
  // {"a":1} of an item, which is right.
  static LabelSetModel Right() { return Of("{\"a\":1}", {{2, 1, kItem, 5, 1}}); }

  // Labels of m.cnt from T on.
  void AddItemLabels(std::vector<LabelSetModel> sets) {
    AddMeta(LabelRecordModel{At(0), kItem, kMetric, std::move(sets)});
  }

  // The words of the record of instance labels (ARC-390, ARC-391): its first set is {"k":"A"}.
  std::size_t SetCountAt() { return RecordAt("meta", kInstanceLabels) + 16 + TimeSize(); }
  std::size_t JsonLengthAt() { return SetCountAt() + 8; }
  std::size_t LabelCountAt() { return JsonLengthAt() + 4 + 9; }
};
INSTANTIATE_TEST_SUITE_P(Versions, LabelSetsTest, ::testing::Values(2, 3), VersionName);

TEST_P(LabelSetsTest, LabelsOfAnItem) {
  AddItemLabels({Right()});
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(LabelSetsTest, NestedLabels) {  // ARC-393
  AddItemLabels({Of("{\"a\":{\"b\":1}}", {{7, 1, kItem | 0x40, 10, 1}})});
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(LabelSetsTest, AClassOfTwoBits) {
  AddMeta(LabelRecordModel{At(0), 3, kMetric, {Of("", {})}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1501 warning"));
}

TEST_P(LabelSetsTest, ClassesThatThereAreNot) {
  for (const std::uint32_t label_class : {0U, 64U}) {
    AddMeta(LabelRecordModel{At(0), label_class, kMetric, {Of("", {})}});
  }
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1501 warning"));
  EXPECT_EQ(Check().counts.warning, 2U);
}

TEST_P(LabelSetsTest, LabelsOfAMetricThatIsNotThere) {
  AddMeta(LabelRecordModel{At(0), kItem, Pmid::Of(29, 9, 99).value, {Right()}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1502 warning"));
}

TEST_P(LabelSetsTest, AnIdentifierOfTheContext) {
  Labels(kContext).identifier = 5;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1502 warning"));
}

TEST_P(LabelSetsTest, ANegativeNumberOfSets) {
  image().SetWord("meta", SetCountAt(), 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1503 fatal"));
}

TEST_P(LabelSetsTest, MoreSetsThanTheRecordHasRoomFor) {
  image().SetWord("meta", SetCountAt(), 50);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1503 fatal"));
}

TEST_P(LabelSetsTest, ANegativeLengthOfJson) {
  image().SetWord("meta", JsonLengthAt(), 0xfffffffc);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1504 fatal"));
}

TEST_P(LabelSetsTest, JsonThatIsTooLong) {
  image().SetWord("meta", JsonLengthAt(), 70000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1504 fatal"));
}

TEST_P(LabelSetsTest, JsonThatRunsPastTheRecord) {
  image().SetWord("meta", JsonLengthAt(), 500);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1504 error"));
}

TEST_P(LabelSetsTest, MoreThan255Labels) {
  image().SetWord("meta", LabelCountAt(), 300);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1505 fatal"));
}

TEST_P(LabelSetsTest, LabelsThatTheRecordHasNoRoomFor) {
  image().SetWord("meta", LabelCountAt(), 3);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1505 fatal"));
}

TEST_P(LabelSetsTest, BytesBehindTheLastSet) {
  AddMeta(Raw(LabelRecordModel{At(0), kItem, kMetric, {Right()}}, std::string(12, '\0')));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1506 warning"));
}

TEST_P(LabelSetsTest, JsonThatEndsTooEarly) {
  AddItemLabels({Of("{\"a\":1,\"b\":x", {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1507 error"));
}

TEST_P(LabelSetsTest, JsonThatIsNoObject) {
  AddItemLabels({Of("[1]", {})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1507 error"));
}

TEST_P(LabelSetsTest, BlanksInJson) {
  AddItemLabels({Of("{ \"a\" : 1 }", {{3, 1, kItem, 8, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1508 warning"));
}

TEST_P(LabelSetsTest, AnEntryOutsideTheJson) {
  AddItemLabels({Of("{\"a\":1}", {{200, 1, kItem, 500, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1509 error"));
}

TEST_P(LabelSetsTest, AnEntryThatDoesNotCoverItsKey) {
  AddItemLabels({Of("{\"a\":1}", {{1, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1510 error"));
}

TEST_P(LabelSetsTest, AnEntryThatDoesNotCoverItsValue) {
  AddItemLabels({Of("{\"a\":12}", {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1510 error"));
}

TEST_P(LabelSetsTest, EntriesThatAreNotSorted) {
  AddItemLabels({Of("{\"b\":1,\"a\":2}", {{2, 1, kItem, 5, 1}, {8, 1, kItem, 11, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1511 warning"));
}

TEST_P(LabelSetsTest, ANameTwice) {
  AddItemLabels({Of("{\"a\":1,\"a\":2}", {{2, 1, kItem, 5, 1}, {8, 1, kItem, 11, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1511 error"));
}

TEST_P(LabelSetsTest, ABlankInAName) {
  AddItemLabels({Of("{\"a b\":1}", {{2, 3, kItem, 7, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1512 warning"));
}

TEST_P(LabelSetsTest, FlagsOfAnotherClass) {
  AddItemLabels({Of("{\"a\":1}", {{2, 1, kContext, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1513 warning"));
}

TEST_P(LabelSetsTest, AnErrorCodeInPlaceOfLabels) {
  AddItemLabels({{-1, "", {}, -12351}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1514 info"));
}

TEST_P(LabelSetsTest, AnInstanceInTheLabelsOfAnItem) {
  AddItemLabels({Of("{\"a\":1}", {{2, 1, kItem, 5, 1}}, 5)});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1515 warning"));
}

TEST_P(LabelSetsTest, LabelsOfAnInstanceThatIsNotThere) {
  Labels(kInstances).sets[1].instance = 55;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1516 warning"));
}

TEST_P(LabelSetsTest, LabelsOfAnInstanceThatIsNotThereYet) {
  Labels(kInstances).sets[1].instance = 2;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1516 warning"));
}

TEST_P(LabelSetsTest, AnInstanceTwice) {
  Labels(kInstances).sets[1].instance = 0;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1517 warning"));
}

TEST_P(LabelSetsTest, TwoSetsOfAnItem) {
  AddItemLabels({Right(), Right()});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1518 warning"));
}

TEST_P(LabelSetsTest, ARecordWithoutSets) {
  AddItemLabels({});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1519 warning"));
}

TEST_P(LabelSetsTest, AHostThatIsNotThatOfTheLabel) {
  Labels(kContext).sets[0] = Of("{\"hostname\":\"differs\"}", {{2, 8, kContext, 12, 9}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1520 warning"));
}

TEST_P(LabelSetsTest, ANulInJson) {
  AddItemLabels({Of(std::string("{\"a\":1}\0", 8), {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1521 error"));
}

TEST_P(LabelSetsTest, JsonWithoutEntries) {
  AddItemLabels({Of("{\"a\":1}", {})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1522 error"));
}

TEST_P(LabelSetsTest, ANestedLabelWithoutEntry) {
  AddItemLabels({Of("{\"a\":1,\"b\":{\"c\":2}}", {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1522 error"));
}

TEST_P(LabelSetsTest, ANestedLabelThatIsNotMarkedSo) {
  AddItemLabels({Of("{\"a\":{\"b\":1}}", {{7, 1, kItem, 10, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1523 warning"));
}

TEST_P(LabelSetsTest, APlainLabelThatIsMarkedAsNested) {
  AddItemLabels({Of("{\"a\":1}", {{2, 1, kItem | 0x40, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1523 warning"));
}

TEST_P(LabelSetsTest, NoLabelsOfTheContext) {
  std::erase_if(plan.meta, [](const auto& record) {
    const auto* labels = std::get_if<LabelRecordModel>(&record);
    return labels != nullptr && labels->label_class == kContext;
  });
  plan.index[1].meta_record = plan.meta.size() - 1;
  plan.index[2].meta_record = plan.meta.size();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1524 info"));
}

TEST_P(LabelSetsTest, TwoRecordsOfOneTimeThatAgree) {
  AddItemLabels({Right()});
  AddItemLabels({Right()});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1525 warning"));
}

TEST_P(LabelSetsTest, TwoRecordsOfOneTimeWithDifferentLabels) {
  AddItemLabels({Right()});
  AddItemLabels({Of("{\"b\":2}", {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1525 warning"));
}

TEST_P(LabelSetsTest, TwoRecordsOfOneTimeThatContradictEachOther) {
  AddItemLabels({Right()});
  AddItemLabels({Of("{\"a\":2}", {{2, 1, kItem, 5, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1525 error"));
}

TEST_P(LabelSetsTest, AClusterWithAnItem) {
  AddMeta(LabelRecordModel{At(0), kCluster, kMetric, {Of("{\"a\":1}", {{2, 1, kCluster, 5, 1}})}});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1526 warning"));
}

TEST_P(LabelSetsTest, LabelsThatComeAfterTheFirstValue) {
  AddMeta(LabelRecordModel{At(4), kItem, kMetric, {Right()}}, true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1527 info"));
}

TEST_P(LabelSetsTest, ANameThatStandsForTwoObjects) {
  AddItemLabels({Of("{\"a\":{\"b\":1},\"a\":{\"c\":2}}",
                    {{7, 1, kItem | 0x40, 10, 1}, {19, 1, kItem | 0x40, 22, 1}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1528 error"));
}

TEST_P(LabelSetsTest, ANumberThatADoubleDoesNotHold) {
  AddItemLabels({Of("{\"a\":9007199254740993}", {{2, 1, kItem, 5, 16}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1529 warning"));
}

TEST_P(LabelSetsTest, AValueThatActsOnATerminal) {
  AddItemLabels({Of(R"({"a":"\u001b[2J"})", {{2, 1, kItem, 5, 11}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1530 warning"));
}

TEST_P(LabelSetsTest, AValueWithHalfOfASurrogatePair) {
  AddItemLabels({Of(R"({"a":"\ud800"})", {{2, 1, kItem, 5, 8}})});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1530 error"));
}

}  // namespace
}  // namespace pmproof::validator::testing
