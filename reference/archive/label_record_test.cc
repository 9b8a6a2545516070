// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/archive/model.h"
#include "reference/archive/testing/meta_record_bytes.h"
#include "reference/archive/testing/recording_reporter.h"
#include "reference/core/identifiers.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using testing::RecordingReporter;
using Rules = std::vector<std::string>;

constexpr Timestamp kTime{1700000000, 0};
constexpr std::uint32_t kItem = 16;
constexpr std::uint32_t kInstances = 32;
constexpr std::uint32_t kPmid = Pmid::Of(29, 0, 1).value;

// Offsets in a record of version 3 (ARC-390), and in the record of Item().
constexpr std::size_t kClass = 20;
constexpr std::size_t kSetCount = 28;
constexpr std::size_t kSet = 32;
constexpr std::size_t kJsonLength = kSet + 4;
constexpr std::size_t kLabelCount = kSet + 8 + 15;
constexpr std::size_t kEntries = kLabelCount + 4;

LabelRecordModel Record(std::uint32_t label_class, std::uint32_t identifier,
                        std::vector<LabelSetModel> sets) {
  return {kTime, label_class, identifier, std::move(sets)};
}

LabelSetModel Set(std::string json, std::vector<LabelEntryModel> entries,
                  std::int32_t instance = kInstanceNull) {
  return {instance, std::move(json), std::move(entries), 0};
}

// {"a":1,"b":"x"}: the record of test idea 22.
LabelRecordModel Item() {
  return Record(kItem, kPmid, {Set(R"({"a":1,"b":"x"})", {{2, 1, 16, 5, 1}, {8, 1, 16, 11, 3}})});
}

LabelRecordModel ItemWith(std::string json, std::vector<LabelEntryModel> entries) {
  return Record(kItem, kPmid, {Set(std::move(json), std::move(entries))});
}

LabelSetModel InstanceSet(std::int32_t instance) {
  return Set(R"({"k":"A"})", {{2, 1, 32, 5, 3}}, instance);
}

LabelRecordModel Instances(std::vector<LabelSetModel> sets) {
  return Record(kInstances, Indom::Of(29, 1).value, std::move(sets));
}

MetaRecordBytes ItemBytes() { return MetaRecordBytes(Item(), 3); }

struct Decoded {
  explicit Decoded(MetaRecordBytes damaged, int version = 3)
      : bytes(std::move(damaged)), record(DecodeLabels(bytes.View(), version, reporter)) {}
  explicit Decoded(const LabelRecordModel& model, int version = 3)
      : Decoded(MetaRecordBytes(model, version), version) {}

  Rules rules() const { return reporter.Rules(); }
  const testing::Recorded& first() const { return reporter.violations.at(0); }
  std::vector<LabelSet> sets() const {
    std::vector<LabelSet> all;
    record->ForEachSet([&](const LabelSet& set) { all.push_back(set); });
    return all;
  }

  RecordingReporter reporter;
  MetaRecordBytes bytes;
  std::optional<LabelRecord> record;
};

TEST(LabelRecord, DecodesBothVersions) {
  for (const int version : {2, 3}) {
    const Decoded decoded(Item(), version);
    ASSERT_TRUE(decoded.record);
    EXPECT_EQ(decoded.record->time, kTime);
    EXPECT_EQ(decoded.record->label_class, LabelClass::kItem);
    EXPECT_EQ(decoded.record->identifier, kPmid);
    ASSERT_EQ(decoded.sets().size(), 1U);
    EXPECT_EQ(decoded.sets()[0].instance, kInstanceNull);
    EXPECT_EQ(decoded.sets()[0].json, R"({"a":1,"b":"x"})");
    EXPECT_EQ(decoded.sets()[0].Entry(1).value_offset, 11);
    EXPECT_THAT(decoded.rules(), IsEmpty());
  }
}

TEST(LabelRecord, Arc1528NameOfAnObjectTwice) {
  const std::string json = R"({"a":{"b":1},"a":{"c":2}})";
  const Decoded decoded(ItemWith(json, {{7, 1, 0x50, 10, 1}, {19, 1, 0x50, 22, 1}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1528"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 14);
}

TEST(LabelRecord, Arc1528IsNotArc1511Again) {
  const std::string json = R"({"a":{"b":1},"a":{"b":2}})";
  EXPECT_THAT(Decoded(ItemWith(json, {{7, 1, 0x50, 10, 1}, {19, 1, 0x50, 22, 1}})).rules(),
              ElementsAre("ARC-1511"));
}

TEST(LabelRecord, Arc1529NumberThatADoubleDoesNotHold) {
  const Decoded decoded(ItemWith(R"({"a":1e999})", {{2, 1, 16, 5, 5}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1529"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 5);
  EXPECT_EQ(decoded.first().where.length, 5U);
  EXPECT_EQ(decoded.first().details.actual, "1e999");
}

TEST(LabelRecord, Arc1529NumberInAnArray) {
  const Decoded decoded(ItemWith(R"({"a":[1,9007199254740993]})", {{2, 1, 16, 5, 20}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1529"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 8);
  EXPECT_EQ(decoded.first().where.length, 16U);
}

TEST(LabelRecord, Arc1529IsNotAboutStringsOrNames) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":"1e999"})", {{2, 1, 16, 5, 7}})).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1530EscapeForATerminal) {
  const Decoded decoded(ItemWith(R"({"a":["x","\u001b[2J"]})", {{2, 1, 16, 5, 17}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1530"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 11);
  EXPECT_EQ(decoded.first().where.length, 6U);
  EXPECT_EQ(decoded.first().gravity, Gravity::kAsCatalogued);
}

TEST(LabelRecord, Arc1530HalfOfASurrogatePairIsAnError) {
  const Decoded decoded(ItemWith(R"({"a":"\ud800"})", {{2, 1, 16, 5, 8}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1530"));
  EXPECT_EQ(decoded.first().gravity, Gravity::kError);
}

TEST(LabelRecord, Arc1530IsAboutValuesAlone) {  // ARC-1512
  EXPECT_THAT(Decoded(ItemWith(R"({"\u202e":1})", {{2, 6, 16, 10, 1}})).rules(),
              ElementsAre("ARC-1512"));
}

TEST(LabelRecord, TakesAsManyBytesAsItsLayoutSays) { EXPECT_EQ(ItemBytes().size(), 79U); }

TEST(LabelRecord, InstancesWithoutLabelsAreCommon) {
  const Decoded decoded(Instances({InstanceSet(0), Set("", {}, 1), InstanceSet(2)}));
  ASSERT_EQ(decoded.sets().size(), 3U);
  EXPECT_EQ(decoded.sets()[2].instance, 2);
  EXPECT_THAT(decoded.rules(), IsEmpty());
}

TEST(LabelRecord, LaysARecordOutByItsTypeAndNotByTheArchive) {
  EXPECT_THAT(Decoded(MetaRecordBytes(Item(), 2), 3).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1109TooShortForLabels) {
  for (const int version : {2, 3}) {
    MetaRecordBytes bytes(Item(), version);
    bytes.CutPayload(version == 3 ? 31 : 27);
    const Decoded decoded(bytes, version);
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1109"));
  }
}

TEST(LabelRecord, Arc1501ClassThatIsNotOneOfSix) {
  for (const std::uint32_t label_class : {0U, 3U, 64U, 0x80000000U}) {
    const Decoded decoded(ItemBytes().SetWord(kClass, label_class));
    EXPECT_TRUE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1501"));
    EXPECT_EQ(decoded.first().where.offset, 1000 + kClass);
  }
}

TEST(LabelRecord, Arc1503NegativeNumberOfSets) {
  const Decoded decoded(ItemBytes().SetWord(kSetCount, 0xffffffff));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1503"));
}

TEST(LabelRecord, Arc1503MoreSetsThanTheRecordHasRoomFor) {
  for (const std::uint32_t count : {2U, 50U, 0x7fffffffU}) {
    const Decoded decoded(ItemBytes().SetWord(kSetCount, count));
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1503"));
    EXPECT_EQ(decoded.first().where.offset, 1000 + kSetCount);
  }
}

TEST(LabelRecord, Arc1504JsonLengthOutOfRange) {
  for (const std::uint32_t length : {0xfffffffcU, 70000U, 65536U}) {
    const Decoded decoded(ItemBytes().SetWord(kJsonLength, length));
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1504"));
    EXPECT_EQ(decoded.first().gravity, Gravity::kAsCatalogued);
    EXPECT_EQ(decoded.first().where.offset, 1000 + kJsonLength);
  }
}

TEST(LabelRecord, Arc1504JsonBeyondTheRecordIsAnErrorAndEndsItsSets) {
  for (const std::uint32_t length : {500U, 32U}) {
    const Decoded decoded(ItemBytes().SetWord(kJsonLength, length));
    ASSERT_TRUE(decoded.record);
    EXPECT_THAT(decoded.sets(), IsEmpty());
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1504"));
    EXPECT_EQ(decoded.first().gravity, Gravity::kError);
  }
}

TEST(LabelRecord, Arc1505TooManyLabels) {
  const Decoded decoded(ItemBytes().SetWord(kLabelCount, 300));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1505"));
}

TEST(LabelRecord, Arc1505EntriesThatDoNotFit) {
  const Decoded decoded(ItemBytes().SetWord(kLabelCount, 3));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1505"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kLabelCount);
}

TEST(LabelRecord, Arc1506BytesBehindTheLastSet) {
  const Decoded decoded(ItemBytes().Append("twelve bytes"));
  EXPECT_TRUE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1506"));
  EXPECT_EQ(decoded.first().where.length, 12U);
}

TEST(LabelRecord, Arc1507JsonThatDoesNotParse) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":1,"b":x)", {{2, 1, 16, 5, 1}, {8, 1, 16, 11, 1}})).rules(),
              ElementsAre("ARC-1507"));
}

TEST(LabelRecord, Arc1507JsonThatIsNoObject) {
  EXPECT_THAT(Decoded(ItemWith(R"(["a"])", {})).rules(), ElementsAre("ARC-1507"));
}

TEST(LabelRecord, Arc1507BrokenUtf8) {
  EXPECT_THAT(Decoded(ItemWith("{\"a\":\"\xff\"}", {{2, 1, 16, 5, 3}})).rules(),
              ElementsAre("ARC-1507"));
}

TEST(LabelRecord, Arc1507NoJsonForTheLabels) {
  EXPECT_THAT(Decoded(ItemWith("", {{2, 1, 16, 5, 3}})).rules(), ElementsAre("ARC-1507"));
}

TEST(LabelRecord, Arc1508BlanksWithMatchingEntries) {
  EXPECT_THAT(Decoded(ItemWith(R"({ "a" : 1 })", {{3, 1, 16, 8, 1}})).rules(),
              ElementsAre("ARC-1508"));
}

TEST(LabelRecord, Arc1508OuterNameWithOtherCharacters) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a b":{"c":1}})", {{9, 1, 16 | 64, 12, 1}})).rules(),
              ElementsAre("ARC-1508"));
}

TEST(LabelRecord, Arc1509EntryOutsideTheJson) {
  const LabelRecordModel model = ItemWith(R"({"a":1})", {{200, 1, 16, 500, 1}});
  const Decoded decoded(model);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1509"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 7 + 4);
  EXPECT_EQ(decoded.first().where.length, 8U);
}

TEST(LabelRecord, Arc1509LengthThatReachesOutsideTheJson) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":1})", {{2, 1, 16, 5, 3}})).rules(), ElementsAre("ARC-1509"));
}

TEST(LabelRecord, Arc1510EntryThatCoversNoNameOrNoCompleteValue) {
  const std::vector<LabelEntryModel> wrong = {
      {1, 1, 16, 5, 3}, {2, 2, 16, 5, 3}, {2, 1, 16, 6, 1}, {2, 1, 16, 5, 2}};
  for (const LabelEntryModel& entry : wrong) {
    EXPECT_THAT(Decoded(ItemWith(R"({"a":"x"})", {entry})).rules(), ElementsAre("ARC-1510"));
  }
}

TEST(LabelRecord, Arc1510ValueOfAnotherName) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":1,"b":2})", {{2, 1, 16, 11, 1}, {8, 1, 16, 11, 1}})).rules(),
              ElementsAre("ARC-1510"));
}

TEST(LabelRecord, Arc1511EntriesNotSortedByName) {
  const Decoded decoded(ItemWith(R"({"b":1,"a":2})", {{2, 1, 16, 5, 1}, {8, 1, 16, 11, 1}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1511"));
  EXPECT_EQ(decoded.first().gravity, Gravity::kAsCatalogued);
}

TEST(LabelRecord, JsonNeedNotBeSorted) {
  EXPECT_THAT(Decoded(ItemWith(R"({"b":1,"a":2})", {{8, 1, 16, 11, 1}, {2, 1, 16, 5, 1}})).rules(),
              IsEmpty());
}

TEST(LabelRecord, Arc1511NameTwiceIsAnError) {
  const Decoded decoded(ItemWith(R"({"a":1,"a":2})", {{2, 1, 16, 5, 1}, {8, 1, 16, 11, 1}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1511"));
  EXPECT_EQ(decoded.first().gravity, Gravity::kError);
}

TEST(LabelRecord, Arc1511AShorterNameSortsFirst) {
  const std::string json = R"({"ab":1,"a":2})";
  EXPECT_THAT(Decoded(ItemWith(json, {{9, 1, 16, 12, 1}, {2, 2, 16, 6, 1}})).rules(), IsEmpty());
  EXPECT_THAT(Decoded(ItemWith(json, {{2, 2, 16, 6, 1}, {9, 1, 16, 12, 1}})).rules(),
              ElementsAre("ARC-1511"));
}

TEST(LabelRecord, Arc1511NestedNamesAreSortedByOneNameOrTheOther) {
  const std::string json = R"({"z":{"a":1},"b":2})";
  const LabelEntryModel nested{7, 1, 16 | 64, 10, 1};
  const LabelEntryModel plain{14, 1, 16, 17, 1};
  EXPECT_THAT(Decoded(ItemWith(json, {nested, plain})).rules(), IsEmpty());
  EXPECT_THAT(Decoded(ItemWith(json, {plain, nested})).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1512NameWithOtherCharacters) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a b":1})", {{2, 3, 16, 7, 1}})).rules(),
              ElementsAre("ARC-1512"));
}

TEST(LabelRecord, Arc1512EmptyName) {
  EXPECT_THAT(Decoded(ItemWith(R"({"":1})", {{2, 0, 16, 4, 1}})).rules(), ElementsAre("ARC-1512"));
}

TEST(LabelRecord, Arc1512NameOf254BytesIsTheLongest) {
  for (const std::size_t length : {254U, 255U, 300U}) {
    const std::string json = "{\"" + std::string(length, 'n') + "\":1}";
    const Rules rules = Decoded(ItemWith(json, {{2, static_cast<std::uint8_t>(length), 16,
                                                 static_cast<std::uint16_t>(length + 4), 1}}))
                            .rules();
    if (length == 254) {
      EXPECT_THAT(rules, IsEmpty());
    } else {
      EXPECT_THAT(rules, ElementsAre("ARC-1512"));
    }
  }
}

TEST(LabelRecord, Arc1513FlagsOfAnotherClass) {
  const Decoded decoded(ItemBytes().SetByte(kEntries + 3, 1));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1513"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kEntries);
}

TEST(LabelRecord, OptionalLabelsAreFine) {
  EXPECT_THAT(Decoded(ItemBytes().SetByte(kEntries + 3, 16 | 0x80)).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1514ErrorCodeInPlaceOfLabels) {
  LabelRecordModel model = ItemWith("", {});
  model.sets[0].error = -12351;
  const Decoded decoded(model);
  EXPECT_EQ(decoded.sets().at(0).count, -12351);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1514"));
}

TEST(LabelRecord, Arc1515InstanceInASetOfAnotherClass) {
  const Decoded decoded(ItemBytes().SetWord(kSet, 5));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1515"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet);
}

TEST(LabelRecord, Arc1517InstanceTwice) {
  EXPECT_THAT(Decoded(Instances({InstanceSet(0), InstanceSet(0)})).rules(),
              ElementsAre("ARC-1517"));
  EXPECT_THAT(Decoded(Instances({InstanceSet(0), InstanceSet(2), InstanceSet(0)})).rules(),
              ElementsAre("ARC-1517"));
}

TEST(LabelRecord, InstancesInAnyOrderAreFine) {
  EXPECT_THAT(Decoded(Instances({InstanceSet(2), InstanceSet(0)})).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1518TwoSetsOfAnotherClass) {
  LabelRecordModel model = Item();
  model.sets.push_back(model.sets[0]);
  EXPECT_THAT(Decoded(model).rules(), ElementsAre("ARC-1518"));
}

TEST(LabelRecord, Arc1519NoSets) {
  const Decoded decoded(Record(kItem, kPmid, {}));
  EXPECT_TRUE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1519"));
}

TEST(LabelRecord, Arc1521NulInTheJson) {
  EXPECT_THAT(Decoded(ItemWith(std::string("{\"a\":1}\0", 8), {{2, 1, 16, 5, 1}})).rules(),
              ElementsAre("ARC-1521"));
  EXPECT_THAT(Decoded(ItemWith(std::string("{\"a\":\"\0\"}", 9), {{2, 1, 16, 5, 3}})).rules(),
              ElementsAre("ARC-1521"));
}

TEST(LabelRecord, Arc1522JsonWithoutEntries) {
  const Decoded decoded(ItemWith(R"({"a":1})", {}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1522"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kSet + 8 + 7);
}

TEST(LabelRecord, Arc1522NestedLabelWithoutEntry) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":1,"b":{"c":2}})", {{2, 1, 16, 5, 1}})).rules(),
              ElementsAre("ARC-1522"));
}

TEST(LabelRecord, Arc1522MoreLabelsThanASetCanHaveEntriesFor) {
  std::string json = "{";
  for (int i = 0; i < 300; ++i) json += "\"n" + std::to_string(1000 + i) + "\":1,";
  json.back() = '}';
  EXPECT_THAT(Decoded(ItemWith(json, {{2, 5, 16, 9, 1}})).rules(), ElementsAre("ARC-1522"));
}

TEST(LabelRecord, AnEmptyObjectNeedsNoEntries) {
  EXPECT_THAT(Decoded(ItemWith("{}", {})).rules(), IsEmpty());
}

TEST(LabelRecord, NestedLabelsCarryTheCompoundFlag) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":{"b":1}})", {{7, 1, 16 | 64, 10, 1}})).rules(), IsEmpty());
}

TEST(LabelRecord, AnEmptyObjectMayCarryTheCompoundFlag) {  // MET-905
  EXPECT_THAT(Decoded(ItemWith(R"({"a":{}})", {{2, 1, 16 | 64, 5, 2}})).rules(), IsEmpty());
}

TEST(LabelRecord, Arc1523CompoundFlagMissing) {
  EXPECT_THAT(Decoded(ItemWith(R"({"a":{"b":1}})", {{7, 1, 16, 10, 1}})).rules(),
              ElementsAre("ARC-1523"));
}

TEST(LabelRecord, Arc1523CompoundFlagOfAPlainLabel) {
  EXPECT_THAT(Decoded(ItemBytes().SetByte(kEntries + 3, 16 | 64)).rules(), ElementsAre("ARC-1523"));
}

TEST(LabelRecord, Arc1526ClusterWithAnItem) {
  LabelRecordModel model =
      Record(8, Pmid::Of(29, 0, 1).value, {Set(R"({"a":1})", {{2, 1, 8, 5, 1}})});
  EXPECT_THAT(Decoded(model).rules(), ElementsAre("ARC-1526"));
  model.identifier = Pmid::Of(29, 0, 0).value;
  EXPECT_THAT(Decoded(model).rules(), IsEmpty());
}

RC_GTEST_PROP(LabelRecordProperty, FlippedBytesNeverMakeSetsThatLeaveTheRecord, ()) {
  const int version = *rc::gen::element(2, 3);
  LabelRecordModel model = Instances({InstanceSet(0), Set("", {}, 1)});
  model.sets.push_back(
      Set(R"({"a":{"b":[1,{"c":"\u0041"}]},"d":2})", {{7, 1, 96, 10, 1}, {31, 1, 32, 34, 1}}, 3));
  MetaRecordBytes bytes(model, version);
  const int flips = *rc::gen::inRange(1, 6);
  for (int i = 0; i < flips; ++i) {
    bytes.SetByte(*rc::gen::inRange<std::size_t>(8, bytes.size() - 4),
                  *rc::gen::arbitrary<std::uint8_t>());
  }
  RecordingReporter reporter;
  const std::optional<LabelRecord> record = DecodeLabels(bytes.View(), version, reporter);
  RC_ASSERT(record || !reporter.violations.empty());
  if (!record) return;
  const std::uint8_t* begin = bytes.View().bytes.data();
  const std::uint8_t* end = begin + bytes.size() - 4;
  record->ForEachSet([&](const LabelSet& set) {
    RC_ASSERT(AsBytes(set.json).data() >= begin &&
              AsBytes(set.json).data() + set.json.size() <= end);
    const std::size_t entries = set.count > 0 ? static_cast<std::size_t>(set.count) : 0;
    RC_ASSERT(set.entries + 8 * entries <= end);
  });
}

}  // namespace
}  // namespace pmproof::archive
