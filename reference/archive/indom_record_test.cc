// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/indom_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/model.h"
#include "reference/archive/testing/meta_record_bytes.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using testing::RecordingReporter;
using ::testing::SizeIs;
using Rules = std::vector<std::string>;

constexpr Timestamp kTime{1700000000, 0};

// Offsets in a record of version 3 (ARC-340).
constexpr std::size_t kIndom = 20;
constexpr std::size_t kCount = 24;
constexpr std::size_t kIds = 28;

IndomModel Full(std::vector<InstanceModel> instances) {
  return {kTime, Indom::Of(29, 1), std::move(instances), false};
}

IndomModel Delta(std::vector<InstanceModel> changes) {
  return {kTime, Indom::Of(29, 1), std::move(changes), true};
}

// {0 a, 1 b}: identifiers at 28 and 32, name offsets at 36 and 40, the table at 44.
MetaRecordBytes TwoInstances() { return MetaRecordBytes(Full({{0, "a"}, {1, "b"}}), 3); }

struct Decoded {
  explicit Decoded(MetaRecordBytes damaged, int version = 3)
      : bytes(std::move(damaged)), record(DecodeIndom(bytes.View(), version, reporter)) {}
  explicit Decoded(const IndomModel& model, int version = 3)
      : Decoded(MetaRecordBytes(model, version), version) {}

  Rules rules() const { return reporter.Rules(); }
  const testing::Recorded& first() const { return reporter.violations.at(0); }

  RecordingReporter reporter;
  MetaRecordBytes bytes;
  std::optional<IndomRecord> record;
};

TEST(IndomRecord, DecodesAFullRecordOfVersion2) {
  const Decoded decoded(Full({{0, "a"}, {7, "bc"}}), 2);
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->time, kTime);
  EXPECT_EQ(decoded.record->indom, Indom::Of(29, 1));
  EXPECT_FALSE(decoded.record->delta);
  ASSERT_EQ(decoded.record->count, 2U);
  EXPECT_EQ(decoded.record->Id(1), 7);
  EXPECT_EQ(decoded.record->Name(1), "bc");
  EXPECT_THAT(decoded.rules(), IsEmpty());
}

TEST(IndomRecord, DecodesADeltaOfVersion3) {
  const Decoded decoded(Delta({{1, std::nullopt}, {2, "c"}}));
  ASSERT_TRUE(decoded.record);
  EXPECT_TRUE(decoded.record->delta);
  EXPECT_EQ(decoded.record->record.bytes.size(), 50U);
  EXPECT_EQ(decoded.record->Name(0), std::nullopt);
  EXPECT_EQ(decoded.record->NameOffset(1), 0);
  EXPECT_EQ(decoded.record->Name(1), "c");
  EXPECT_THAT(decoded.rules(), IsEmpty());
}

TEST(IndomRecord, LaysARecordOutByItsTypeAndNotByTheArchive) {
  const MetaRecordBytes bytes(Full({{0, "a"}, {7, "bc"}}), 2);
  const Decoded decoded(bytes, 3);
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->Name(1), "bc");
  EXPECT_THAT(decoded.rules(), IsEmpty());
}

TEST(IndomRecord, Arc1109TooShortForAnInstanceDomain) {
  for (const int version : {2, 3}) {
    const std::size_t least = version == 3 ? 32 : 28;
    MetaRecordBytes bytes(Full({{0, "a"}}), version);
    bytes.CutPayload(least - 5);
    const Decoded decoded(bytes, version);
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1109"));
  }
}

TEST(IndomRecord, Arc1401NegativeNumberOfInstances) {
  const Decoded decoded(TwoInstances().SetWord(kCount, 0xffffffff));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1401"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kCount);
  EXPECT_EQ(decoded.first().where.length, 4U);
}

TEST(IndomRecord, Arc1402MoreInstancesThanTheRecordHasRoomFor) {
  for (const std::uint32_t count : {1000U, 3U, 0x7fffffffU, 0x20000000U}) {
    const Decoded decoded(TwoInstances().SetWord(kCount, count));
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1402"));
  }
}

TEST(IndomRecord, Arc1403NameOutsideTheTable) {
  for (const std::uint32_t offset : {5000U, 5U, 0xfffffffeU, 0x80000000U}) {
    const Decoded decoded(TwoInstances().SetWord(kIds + 12, offset));
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1403"));
    EXPECT_EQ(decoded.first().gravity, Gravity::kAsCatalogued);
    EXPECT_EQ(decoded.first().where.offset, 1000 + kIds + 12);
  }
}

TEST(IndomRecord, Arc1403NameAtTheEndOfTheTableIsAnErrorAndLoads) {
  const Decoded decoded(TwoInstances().SetWord(kIds + 12, 4));
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->Name(1), "");
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1403"));
  EXPECT_EQ(decoded.first().gravity, Gravity::kError);
}

TEST(IndomRecord, Arc1404LastNameWithoutNul) {
  const Decoded decoded(TwoInstances().SetByte(kIds + 19, 'x'));
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->Name(1), "bx");
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1404"));
}

TEST(IndomRecord, Arc1404TableCutBeforeTheNul) {
  const Decoded decoded(TwoInstances().CutPayload(kIds + 19));
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->Name(1), "b");
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1404"));
}

TEST(IndomRecord, Arc1405DeletedInstanceInAFullRecord) {
  const Decoded decoded(TwoInstances().SetWord(kIds + 8, 0xffffffff));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1405"));
}

TEST(IndomRecord, Arc1406OffsetBelowMinusOneInADelta) {
  MetaRecordBytes bytes(Delta({{1, std::nullopt}, {2, "c"}}), 3);
  const Decoded decoded(bytes.SetWord(kIds + 8, 0xfffffffe));
  EXPECT_FALSE(decoded.record);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1406"));
}

TEST(IndomRecord, Arc1407NegativeIdentifier) {
  for (const int version : {2, 3}) {
    const Decoded decoded(Full({{-1, "a"}, {1, "b"}}), version);
    EXPECT_FALSE(decoded.record);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1407"));
  }
}

TEST(IndomRecord, Arc1408IdentifierTwice) {
  for (const int version : {2, 3}) {
    const Decoded decoded(Full({{2, "b"}, {2, "c"}}), version);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1408"));
  }
}

TEST(IndomRecord, Arc1408IdentifierTwiceAndNotNextToEachOther) {
  const Decoded decoded(Full({{2, "b"}, {0, "a"}, {2, "c"}}), 2);
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1408"));
  EXPECT_EQ(decoded.first().where.offset, 1000U + 24 + 8);
}

TEST(IndomRecord, Arc1409NameTwice) {
  const Decoded decoded(Full({{0, "a"}, {1, "c"}, {2, "c"}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1409"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kIds + 12 + 8);
}

TEST(IndomRecord, Arc1409EachNameThatStoodBefore) {
  EXPECT_THAT(Decoded(Full({{0, "c"}, {1, "c"}, {2, "c"}})).rules(),
              ElementsAre("ARC-1409", "ARC-1409"));
}

TEST(IndomRecord, Arc1410NamesThatAreTheSameUpToTheFirstBlank) {
  EXPECT_THAT(Decoded(Full({{0, "a x"}, {1, "a y"}})).rules(), ElementsAre("ARC-1410"));
  EXPECT_THAT(Decoded(Full({{0, "a"}, {1, "a y"}})).rules(), ElementsAre("ARC-1410"));
  EXPECT_THAT(Decoded(Full({{0, "ab"}, {1, "a y"}})).rules(), IsEmpty());
}

TEST(IndomRecord, Arc1410SaysNothingOfNamesThatAreEqual) {
  EXPECT_THAT(Decoded(Full({{0, "a x"}, {1, "a x"}})).rules(), ElementsAre("ARC-1409"));
}

TEST(IndomRecord, Arc1411EmptyName) {
  EXPECT_THAT(Decoded(Full({{0, "a"}, {1, ""}})).rules(), ElementsAre("ARC-1411"));
}

TEST(IndomRecord, Arc1412NullOrFlaggedInstanceDomain) {
  EXPECT_THAT(Decoded(TwoInstances().SetWord(kIndom, 0xffffffff)).rules(), ElementsAre("ARC-1412"));
  EXPECT_THAT(Decoded(TwoInstances().SetWord(kIndom, 0x87400001)).rules(), ElementsAre("ARC-1412"));
}

TEST(IndomRecord, Arc1417IdentifierTwiceInADelta) {
  const Decoded decoded(Delta({{0, std::nullopt}, {0, "renamed"}}));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1417"));
}

TEST(IndomRecord, Arc1418NoInstances) {
  for (const int version : {2, 3}) {
    const Decoded decoded(Full({}), version);
    ASSERT_TRUE(decoded.record);
    EXPECT_EQ(decoded.record->count, 0U);
    EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1418"));
  }
}

TEST(IndomRecord, Arc1418IsAllThatIsSaidOfARecordThatReadersIgnore) {
  EXPECT_THAT(Decoded(TwoInstances().SetWord(kCount, 0)).rules(), ElementsAre("ARC-1418"));
}

TEST(IndomRecord, Arc1419DescendingIdentifiersInVersion3Only) {
  EXPECT_THAT(Decoded(Full({{2, "c"}, {0, "a"}}), 3).rules(), ElementsAre("ARC-1419"));
  EXPECT_THAT(Decoded(Full({{2, "c"}, {0, "a"}}), 2).rules(), IsEmpty());
}

TEST(IndomRecord, Arc1419IsReportedOnceForARecord) {
  EXPECT_THAT(Decoded(Full({{4, "a"}, {2, "b"}, {1, "c"}})).rules(), ElementsAre("ARC-1419"));
}

TEST(IndomRecord, Arc1420BytesBetweenNames) {
  MetaRecordBytes bytes(Full({{0, "a"}, {2, "b"}}), 3);
  bytes.CutPayload(kIds + 16).Append(std::string("a\0junk\0b\0", 9));
  const Decoded decoded(bytes.SetWord(kIds + 12, 7));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1420"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kIds + 16 + 2);
  EXPECT_EQ(decoded.first().where.length, 5U);
}

TEST(IndomRecord, Arc1420BytesBeforeTheFirstName) {
  MetaRecordBytes bytes = TwoInstances();
  bytes.CutPayload(kIds + 16).Append(std::string("junk\0a\0b\0", 9));
  EXPECT_THAT(Decoded(bytes.SetWord(kIds + 8, 5).SetWord(kIds + 12, 7)).rules(),
              ElementsAre("ARC-1420"));
}

TEST(IndomRecord, Arc1421NameInTheTailOfAnother) {
  MetaRecordBytes bytes(Full({{0, "xb"}, {1, "c"}}), 3);
  bytes.CutPayload(kIds + 16).Append(std::string("xb\0", 3));
  const Decoded decoded(bytes.SetWord(kIds + 12, 1));
  EXPECT_EQ(decoded.record->Name(1), "b");
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1421"));
}

TEST(IndomRecord, Arc1421EqualOffsetsAreEqualNamesToo) {
  MetaRecordBytes bytes = TwoInstances();
  bytes.CutPayload(kIds + 16).Append(std::string("a\0", 2));
  EXPECT_THAT(Decoded(bytes.SetWord(kIds + 12, 0)).rules(), ElementsAre("ARC-1421", "ARC-1409"));
}

TEST(IndomRecord, Arc1427BytesBehindTheLastName) {
  const Decoded decoded(TwoInstances().Append("trailing"));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1427"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kIds + 20);
  EXPECT_EQ(decoded.first().where.length, 8U);
}

TEST(IndomRecord, Arc1427BytesInADeltaThatOnlyDeletes) {
  MetaRecordBytes bytes(Delta({{1, std::nullopt}}), 3);
  EXPECT_THAT(Decoded(bytes.Append("x")).rules(), ElementsAre("ARC-1427"));
}

TEST(IndomRecord, Arc1429ControlCharactersAndBrokenUtf8) {
  for (const char* name : {"x\ny", "\xff\xfe", "x\x7f", "\xc2\x85", "\xc3", "\xed\xa0\x80"}) {
    EXPECT_THAT(Decoded(Full({{0, name}, {1, "b"}})).rules(), ElementsAre("ARC-1429"));
  }
}

TEST(IndomRecord, OtherCharactersAreFineInNames) {
  EXPECT_THAT(Decoded(Full({{0, "caf\xc3\xa9 \xe2\x82\xac"}, {1, "\xf0\x9f\x98\x80"}})).rules(),
              IsEmpty());
}

TEST(IndomRecord, Arc1429OfATailIsAboutTheTail) {
  MetaRecordBytes bytes(Full({{0, "x\nb"}, {1, "c"}}), 3);
  bytes.CutPayload(kIds + 16).Append(std::string("x\nb\0", 4));
  EXPECT_THAT(Decoded(bytes.SetWord(kIds + 12, 2)).rules(), ElementsAre("ARC-1429", "ARC-1421"));
}

TEST(IndomRecord, Arc1431CharactersThatReorderHideOrBreakText) {
  for (const char* name :
       {"moc.\u202elive", "a\u2028b", "\u2029", "a\u200b", "\ufeffa", "\u2066x"}) {
    EXPECT_THAT(Decoded(Full({{0, name}, {1, "b"}})).rules(), ElementsAre("ARC-1431")) << name;
  }
  EXPECT_THAT(Decoded(Full({{0, "a\n\u202e"}, {1, "b"}})).rules(),
              ElementsAre("ARC-1429", "ARC-1431"));
}

TEST(IndomRecord, Arc1431OfATailIsAboutTheTail) {
  MetaRecordBytes bytes(Full({{0, "x\u202eb"}, {1, "c"}}), 3);
  bytes.CutPayload(kIds + 16).Append("x\u202eb" + std::string(1, '\0'));
  EXPECT_THAT(Decoded(bytes.SetWord(kIds + 12, 4)).rules(), ElementsAre("ARC-1431", "ARC-1421"));
}

TEST(IndomRecord, Arc1431OfATailThatBeginsInsideTheCharacterIsArc1429) {
  MetaRecordBytes bytes(Full({{0, "x\u202eb"}, {1, "c"}}), 3);
  bytes.CutPayload(kIds + 16).Append("x\u202eb" + std::string(1, '\0'));
  EXPECT_THAT(Decoded(bytes.SetWord(kIds + 12, 2)).rules(),
              ElementsAre("ARC-1431", "ARC-1421", "ARC-1429"));
}

TEST(IndomRecord, NamesInAnotherOrderThanTheInstancesAreFine) {
  MetaRecordBytes bytes = TwoInstances();
  const Decoded decoded(bytes.SetWord(kIds + 8, 2).SetWord(kIds + 12, 0));
  EXPECT_EQ(decoded.record->Name(0), "b");
  EXPECT_THAT(decoded.rules(), IsEmpty());
}

// A table of one long string into which all offsets point, twice the same way.
MetaRecordBytes Tangle(std::uint32_t count, char filler) {
  std::vector<InstanceModel> instances(2 * count, {0, ""});
  for (std::uint32_t i = 0; i < 2 * count; ++i) instances[i].id = static_cast<std::int32_t>(i);
  MetaRecordBytes bytes(Full(instances), 3);
  const std::size_t table = kIds + 16 * std::size_t{count};
  std::string text(2 * std::size_t{count} + 2, filler);
  text[count] = '\0';
  text.back() = '\0';
  bytes.CutPayload(table).Append(text);
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes.SetWord(kIds + 4 * (2 * std::size_t{count} + i), i);
    bytes.SetWord(kIds + 4 * (3 * std::size_t{count} + i), count + 1 + i);
  }
  return bytes;
}

TEST(IndomRecord, TangledNamesAreFoundToBeEqual) {
  const Decoded decoded(Tangle(100, 'x'));
  ASSERT_TRUE(decoded.record);
  EXPECT_TRUE(decoded.record->tangled());
  EXPECT_EQ(decoded.record->Name(0), std::string(100, 'x'));
  EXPECT_EQ(decoded.record->Name(99), "x");
  EXPECT_EQ(decoded.record->Name(100), std::string(100, 'x'));
  const Rules rules = decoded.rules();
  EXPECT_EQ(std::count(rules.begin(), rules.end(), "ARC-1409"), 100);
  EXPECT_EQ(std::count(rules.begin(), rules.end(), "ARC-1421"), 198);
  EXPECT_THAT(rules, SizeIs(298));
}

// The names are 7 * 10^11 bytes together: read one by one they would take minutes.
TEST(IndomRecord, TangledNamesTakeLinearTime) {
  const MetaRecordBytes bytes = Tangle(600'000, 'x');
  IgnoringReporter reporter;
  const std::optional<IndomRecord> record = DecodeIndom(bytes.View(), 3, reporter);
  ASSERT_TRUE(record);
  std::uint64_t length = 0;
  for (std::uint32_t i = 0; i < record->count; ++i) length += record->Name(i)->size();
  EXPECT_EQ(length, std::uint64_t{600'000} * 600'001);
}

TEST(IndomRecord, ManyInstancesWithoutOrderTakeLinearTime) {
  std::vector<InstanceModel> instances;
  for (std::int32_t i = 0; i < 300'000; ++i) {
    instances.push_back(
        {static_cast<std::int32_t>(i * 2654435761U >> 1), "name " + std::to_string(i)});
  }
  const Decoded decoded(Full(std::move(instances)), 2);
  ASSERT_TRUE(decoded.record);
  const Rules rules = decoded.rules();
  EXPECT_EQ(static_cast<std::size_t>(std::count(rules.begin(), rules.end(), "ARC-1410")),
            rules.size());
  EXPECT_THAT(rules, SizeIs(299'999));
}

// Names whose hashes agree in the bits that place them in a table.
TEST(IndomRecord, NamesThatWereChosenToCollideAreStillCompared) {
  constexpr std::size_t kNames = 300;
  std::vector<InstanceModel> instances;
  for (int i = 0; instances.size() < kNames; ++i) {
    const std::string name = "n" + std::to_string(i);
    if (std::hash<std::string_view>()(name) % 1024 != 7) continue;
    instances.push_back({static_cast<std::int32_t>(instances.size()), name});
  }
  EXPECT_THAT(Decoded(Full(instances)).rules(), IsEmpty());
  instances.push_back({static_cast<std::int32_t>(kNames), instances[5].name});
  const Decoded decoded(Full(instances));
  EXPECT_THAT(decoded.rules(), ElementsAre("ARC-1409"));
  EXPECT_EQ(decoded.first().where.offset, 1000 + kIds + 4 * (301 + 300));
}

RC_GTEST_PROP(IndomRecordProperty, RandomModelsDecodeToWhatTheyWere, ()) {
  const int version = *rc::gen::element(2, 3);
  const auto ids = *rc::gen::unique<std::vector<std::int32_t>>(rc::gen::inRange(0, 1000));
  std::vector<InstanceModel> instances;
  for (const std::int32_t id : ids) {
    std::string name = *rc::gen::string<std::string>();
    name.erase(std::remove(name.begin(), name.end(), '\0'), name.end());
    instances.push_back({id, name});
  }
  const IndomModel model = Full(instances);
  const Decoded decoded(model, version);
  RC_ASSERT(decoded.record.has_value());
  RC_ASSERT(decoded.record->count == instances.size());
  for (std::uint32_t i = 0; i < decoded.record->count; ++i) {
    RC_ASSERT(decoded.record->Id(i) == instances[i].id);
    RC_ASSERT(decoded.record->Name(i) == std::optional<std::string_view>(*instances[i].name));
  }
}

RC_GTEST_PROP(IndomRecordProperty, FlippedBytesNeverMakeNamesThatLeaveTheRecord, ()) {
  const int version = *rc::gen::element(2, 3);
  const bool delta = version == 3 && *rc::gen::arbitrary<bool>();
  IndomModel model = Full({{0, "a"}, {1, "bc d"}, {5, "bc e"}});
  model.delta = delta;
  if (delta) model.instances[1].name.reset();
  MetaRecordBytes bytes(model, version);
  const int flips = *rc::gen::inRange(1, 6);
  for (int i = 0; i < flips; ++i) {
    bytes.SetByte(*rc::gen::inRange<std::size_t>(8, bytes.size() - 4),
                  *rc::gen::arbitrary<std::uint8_t>());
  }
  RecordingReporter reporter;
  const std::optional<IndomRecord> record = DecodeIndom(bytes.View(), version, reporter);
  RC_ASSERT(record || !reporter.violations.empty());
  if (!record) return;
  const Bytes whole = bytes.View().bytes;
  for (std::uint32_t i = 0; i < record->count; ++i) {
    const std::optional<std::string_view> name = record->Name(i);
    RC_ASSERT(!name || (name->data() >= AsText(whole).data() &&
                        name->data() + name->size() <= AsText(whole).data() + whole.size() - 4));
  }
}

}  // namespace
}  // namespace pmproof::archive
