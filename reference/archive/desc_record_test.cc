// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/desc_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "reference/archive/testing/meta_record_bytes.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using testing::RecordingReporter;

using Names = std::vector<std::string>;

constexpr std::size_t kNameCount = 28;
constexpr std::size_t kFirstName = 32;

// m.cnt of the base archive (ARC-1000).
DescModel Counter() {
  return {
      {Pmid::Of(29, 0, 1), MetricType::kU32, Indom::Null(), Semantics::kCounter, Units{0x00100000}},
      {"m.cnt"}};
}

// A metric that nothing can be said against, whatever its units.
DescModel Instant(std::uint32_t units = 0) {
  return {{Pmid::Of(29, 0, 2), MetricType::k64, Indom::Null(), Semantics::kInstant, Units{units}},
          {"m.i64"}};
}

DescModel Named(Names names) {
  DescModel model = Instant();
  model.names = std::move(names);
  return model;
}

struct Decoded {
  bool loaded = false;
  Descriptor descriptor;
  Names names;
  std::vector<std::string> rules;
  std::vector<testing::Recorded> violations;
};

Decoded Decode(const MetaRecordBytes& bytes) {
  RecordingReporter reporter;
  Decoded decoded;
  if (const auto desc = DecodeDesc(bytes.View(), reporter)) {
    decoded.loaded = true;
    decoded.descriptor = desc->descriptor;
    desc->ForEachName([&](std::string_view name, std::size_t at) {
      decoded.names.emplace_back(name);
      EXPECT_EQ(AsText(bytes.View().bytes.subspan(at, name.size())), name);
    });
  }
  decoded.rules = reporter.Rules();
  decoded.violations = std::move(reporter.violations);
  return decoded;
}

Decoded Decode(const DescModel& model) { return Decode(MetaRecordBytes(model)); }

TEST(DescRecord, HasTheFieldsOfTheMetric) {  // ARC-302
  DescModel model = Counter();
  model.descriptor.indom = Indom::Of(29, 1);
  const Decoded decoded = Decode(model);
  EXPECT_TRUE(decoded.loaded);
  EXPECT_EQ(decoded.descriptor, model.descriptor);
  EXPECT_THAT(decoded.rules, IsEmpty());
}

TEST(DescRecord, HasAllNamesInOrder) {  // ARC-306
  EXPECT_THAT(Decode(Named({"m.b", "m.a", "x"})).names, ElementsAre("m.b", "m.a", "x"));
}

TEST(DescRecord, ThatIsTooShortForItsFieldsIsNotLoaded) {  // ARC-1109
  for (std::size_t payload = 8; payload < kFirstName; ++payload) {
    if (payload == kNameCount) continue;
    const Decoded decoded = Decode(MetaRecordBytes(Counter()).CutPayload(payload));
    EXPECT_FALSE(decoded.loaded) << payload;
    EXPECT_THAT(decoded.rules, ElementsAre("ARC-1109")) << payload;
  }
}

TEST(DescRecord, ThatIsCutAnywhereIsNotLoaded) {
  const std::size_t whole = MetaRecordBytes(Counter()).size() - kLengthWord;
  for (std::size_t payload = 8; payload < whole; ++payload) {
    const Decoded decoded = Decode(MetaRecordBytes(Counter()).CutPayload(payload));
    EXPECT_FALSE(decoded.loaded) << payload;
    EXPECT_EQ(decoded.rules.size(), 1U) << payload;
  }
}

TEST(DescRecord, WithoutNumberOfNamesIsNotLoaded) {  // ARC-1303
  const Decoded decoded = Decode(MetaRecordBytes(Counter()).CutPayload(kNameCount));
  EXPECT_FALSE(decoded.loaded);
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1303"));
  EXPECT_EQ(decoded.violations[0].gravity, Gravity::kFatal);
}

TEST(DescRecord, WithNoNamesIsLoadedWithoutNames) {  // ARC-1303
  for (const std::uint32_t count : {0U, 0xffffffffU, 0x80000000U}) {
    const Decoded decoded = Decode(MetaRecordBytes(Counter()).SetWord(kNameCount, count));
    EXPECT_TRUE(decoded.loaded);
    EXPECT_THAT(decoded.names, IsEmpty());
    ASSERT_THAT(decoded.rules, ElementsAre("ARC-1303"));
    EXPECT_EQ(decoded.violations[0].gravity, Gravity::kAsCatalogued);
  }
  EXPECT_THAT(Decode(Named({})).rules, ElementsAre("ARC-1303"));
}

TEST(DescRecord, WithANameThatRunsPastItIsNotLoaded) {  // ARC-1304
  for (const std::uint32_t length : {100U, 6U, 0x7fffffffU, 0xfffffffdU, 0x80000000U}) {
    const Decoded decoded = Decode(MetaRecordBytes(Counter()).SetWord(kFirstName, length));
    EXPECT_FALSE(decoded.loaded) << length;
    EXPECT_THAT(decoded.rules, ElementsAre("ARC-1304")) << length;
  }
}

TEST(DescRecord, WithBytesLeftOverIsNotLoaded) {  // ARC-1304
  const Decoded decoded = Decode(MetaRecordBytes(Counter()).Append("four"));
  EXPECT_FALSE(decoded.loaded);
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1304"));
  EXPECT_EQ(decoded.violations[0].where.offset, 1000 + 41U);
  EXPECT_EQ(decoded.violations[0].where.length, 4U);
  EXPECT_EQ(decoded.violations[0].gravity, Gravity::kAsCatalogued);
}

TEST(DescRecord, WithAnEmptyNameIsLoaded) {  // ARC-1304
  const Decoded decoded = Decode(Named({"m.a", ""}));
  EXPECT_THAT(decoded.names, ElementsAre("m.a", ""));
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1304"));
  EXPECT_EQ(decoded.violations[0].gravity, Gravity::kError);
}

TEST(DescRecord, WithMoreNamesThanFitIsNotLoaded) {  // ARC-1335
  for (const std::uint32_t count : {2U, 1000U, 0x7fffffffU}) {
    const Decoded decoded = Decode(MetaRecordBytes(Counter()).SetWord(kNameCount, count));
    EXPECT_FALSE(decoded.loaded) << count;
    EXPECT_THAT(decoded.rules, ElementsAre("ARC-1335")) << count;
  }
  EXPECT_THAT(Decode(MetaRecordBytes(Named({})).SetWord(kNameCount, 1)).rules,
              ElementsAre("ARC-1335"));
}

TEST(DescRecord, WithFewerNamesCountedThanGivenIsNotLoaded) {  // ARC-1304
  EXPECT_THAT(Decode(MetaRecordBytes(Named({"m.a", "m.b"})).SetWord(kNameCount, 1)).rules,
              ElementsAre("ARC-1304"));
}

TEST(DescRecord, NamesAreShorterThan4096Bytes) {  // ARC-1305
  EXPECT_THAT(Decode(Named({std::string(4095, 'n')})).rules, IsEmpty());
  const Decoded decoded = Decode(Named({std::string(4096, 'n')}));
  EXPECT_TRUE(decoded.loaded);
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1305"));
  EXPECT_LT(decoded.violations[0].details.message.size(), 150U);
}

TEST(DescRecord, LongNamesAreNotHeldAgainstTheirSyntaxToo) {  // ARC-1305, ARC-1306
  EXPECT_THAT(Decode(Named({std::string(std::size_t{64} * 1024, '?')})).rules,
              ElementsAre("ARC-1305"));
}

TEST(DescRecord, NamesAreComponentsThatStartWithALetter) {  // ARC-1306, MET-701
  for (const char* name : {"m", "kernel.all.load", "a_b.C9", "A"}) {
    EXPECT_THAT(Decode(Named({name})).rules, IsEmpty()) << name;
  }
  for (const char* name : {"1bad name", "m..x", ".m", "m.", ".", "40.0.8", "m.1", "m._x", "_m",
                           "m-x", "m x", "m.\xc3\xa9", "m\n"}) {
    const Decoded decoded = Decode(Named({name}));
    EXPECT_TRUE(decoded.loaded) << name;
    EXPECT_THAT(decoded.rules, ElementsAre("ARC-1306")) << name;
  }
}

TEST(DescRecord, EveryBadNameIsReportedAtItsPlace) {  // ARC-1306
  const Decoded decoded = Decode(Named({"m.ok", "1\n", "2"}));
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1306", "ARC-1306"));
  EXPECT_EQ(decoded.violations[0].where.offset, 1000U + kFirstName + 4 + 4 + 4);
  EXPECT_EQ(decoded.violations[0].where.length, 2U);
  EXPECT_EQ(decoded.violations[0].where.record, 2U);
  EXPECT_EQ(decoded.violations[0].where.part, kMetaPart);
  EXPECT_EQ(decoded.violations[0].details.field, "name");
  EXPECT_EQ(decoded.violations[0].details.actual, "1\\x0a");
}

TEST(DescRecord, NamesAreGivenOnce) {  // ARC-1307
  EXPECT_THAT(Decode(Named({"m.dd", "m.dd"})).rules, ElementsAre("ARC-1307"));
  EXPECT_THAT(Decode(Named({"m.x", "m.dd", "m.x", "m.dd", "m.x"})).rules,
              ElementsAre("ARC-1307", "ARC-1307", "ARC-1307"));
}

TEST(DescRecord, RepeatedNamesAreReportedInFileOrder) {  // ARC-1307
  const Decoded decoded = Decode(Named({"m.b", "m.a", "m.b", "m.a"}));
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1307", "ARC-1307"));
  EXPECT_EQ(decoded.violations[0].details.actual, "m.b");
  EXPECT_LT(decoded.violations[0].where.offset, decoded.violations[1].where.offset);
}

// Everything about a metric's type and semantics (ARC-1316..1318, ARC-1334).
std::vector<std::string> RulesFor(int type, int semantics) {
  DescModel model = Instant();
  model.descriptor.type = static_cast<MetricType>(type);
  model.descriptor.semantics = static_cast<Semantics>(semantics);
  return Decode(model).rules;
}

TEST(DescRecord, TypeIsOneThatMetricsHave) {  // ARC-1316
  for (const int type : {-1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10}) {
    EXPECT_THAT(RulesFor(type, 3), IsEmpty()) << type;
  }
  for (const int type : {77, -7, 8, 11, 255, -2}) {
    EXPECT_THAT(RulesFor(type, 3), ElementsAre("ARC-1316")) << type;
    EXPECT_THAT(RulesFor(type, 1), ElementsAre("ARC-1316")) << type;
  }
}

TEST(DescRecord, SemanticsAreCounterInstantOrDiscrete) {  // ARC-1317
  for (const int semantics : {1, 3, 4}) EXPECT_THAT(RulesFor(1, semantics), IsEmpty()) << semantics;
  for (const int semantics : {2, 0, 5, -1}) {
    EXPECT_THAT(RulesFor(1, semantics), ElementsAre("ARC-1317")) << semantics;
  }
}

TEST(DescRecord, OfAMetricWithoutSupportMayHaveNoSemantics) {  // ARC-1318
  EXPECT_THAT(RulesFor(-1, 0), ElementsAre("ARC-1318"));
  EXPECT_THAT(RulesFor(-1, 2), ElementsAre("ARC-1318"));
  EXPECT_THAT(RulesFor(-1, 1), IsEmpty());
}

TEST(DescRecord, CountersAreNumbers) {  // ARC-1334
  for (const int type : {0, 1, 2, 3, 4, 5}) EXPECT_THAT(RulesFor(type, 1), IsEmpty()) << type;
  for (const int type : {6, 7, 9, 10}) {
    EXPECT_THAT(RulesFor(type, 1), ElementsAre("ARC-1334")) << type;
  }
}

TEST(DescRecord, MetricAndInstanceDomainAreOfOneDomain) {  // ARC-1319, ARC-311
  DescModel model = Instant();
  model.descriptor.indom = Indom::Of(60, 1);
  const Decoded decoded = Decode(model);
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1319"));
  EXPECT_EQ(decoded.violations[0].where.offset, 1016U);
  EXPECT_EQ(decoded.violations[0].details.actual, "60.1");
}

TEST(DescRecord, LoggedDerivedMetricsUseInstanceDomainsOfOthers) {  // ARC-1319, ARC-311
  DescModel model = Instant();
  model.descriptor.pmid = Pmid::Of(511, 2048, 1);
  model.descriptor.indom = Indom::Of(60, 1);
  EXPECT_THAT(Decode(model).rules, IsEmpty());
}

std::vector<std::string> RulesForUnits(std::uint32_t units) { return Decode(Instant(units)).rules; }

TEST(DescRecord, DimensionsAreSmall) {  // ARC-1320, ARC-1321, ARC-1322
  for (const std::uint32_t units :
       {0x20000000U, 0xe0000000U, 0x02000000U, 0x0e000000U, 0x00200000U, 0x00e00000U}) {
    EXPECT_THAT(RulesForUnits(units), IsEmpty()) << std::hex << units;
  }
  EXPECT_THAT(RulesForUnits(0x30000000), ElementsAre("ARC-1320"));
  EXPECT_THAT(RulesForUnits(0xd0000000), ElementsAre("ARC-1320"));
  EXPECT_THAT(RulesForUnits(0x03000000), ElementsAre("ARC-1321"));
  EXPECT_THAT(RulesForUnits(0x0d000000), ElementsAre("ARC-1321"));
  EXPECT_THAT(RulesForUnits(0x00300000), ElementsAre("ARC-1322"));
  EXPECT_THAT(RulesForUnits(0x00d00000), ElementsAre("ARC-1322"));
}

TEST(DescRecord, ScalesNeedTheirDimension) {  // ARC-1323, ARC-1325, ARC-1326
  EXPECT_THAT(RulesForUnits(0x00010000), ElementsAre("ARC-1323"));
  EXPECT_THAT(RulesForUnits(0x00090000), ElementsAre("ARC-1323"));
  EXPECT_THAT(RulesForUnits(0x00002000), ElementsAre("ARC-1325"));
  EXPECT_THAT(RulesForUnits(0x00006000), ElementsAre("ARC-1325"));
  EXPECT_THAT(RulesForUnits(0x00000300), ElementsAre("ARC-1326"));
  EXPECT_THAT(RulesForUnits(0x00100300), IsEmpty());
}

TEST(DescRecord, ScalesOfSpaceEndWithYbyte) {  // ARC-1324
  EXPECT_THAT(RulesForUnits(0x10080000), IsEmpty());
  EXPECT_THAT(RulesForUnits(0x10090000), ElementsAre("ARC-1324"));
}

TEST(DescRecord, ScalesOfTimeEndWithHour) {  // ARC-1326
  EXPECT_THAT(RulesForUnits(0x01005000), IsEmpty());
  EXPECT_THAT(RulesForUnits(0x01006000), ElementsAre("ARC-1326"));
}

TEST(DescRecord, ExtraUnitsHaveOneOfTheirScales) {  // ARC-1327, ARC-010
  for (const std::uint32_t low : {0x29U, 0x0dU, 0x02U, 0x08U, 0x20U, 0x25U, 0x14U, 0x80U, 0xd9U}) {
    EXPECT_THAT(RulesForUnits(low), ElementsAre("ARC-1327")) << std::hex << low;
  }
}

TEST(DescRecord, ExtraUnitsAreCounted) {  // ARC-1328
  for (const std::uint32_t low : {0x09U, 0x0bU, 0x13U, 0x1bU, 0x24U}) {
    EXPECT_THAT(RulesForUnits(low), ElementsAre("ARC-1328")) << std::hex << low;
  }
  EXPECT_THAT(RulesForUnits(0x0100501a), ElementsAre("ARC-1328"));
}

TEST(DescRecord, ExtraUnitsMayBeInTheDenominator) {  // MET-201
  EXPECT_THAT(RulesForUnits(0xe2), ElementsAre("ARC-1328"));
}

std::vector<std::string> RulesForPmid(Pmid pmid) {
  DescModel model = Instant();
  model.descriptor.pmid = pmid;
  return Decode(model).rules;
}

TEST(DescRecord, PmidHasNoFlag) {  // ARC-1329
  EXPECT_THAT(RulesForPmid(Pmid{0x80000000 | Pmid::Of(29, 0, 2).value}), ElementsAre("ARC-1329"));
}

TEST(DescRecord, PmidIsNotNull) {  // ARC-1330
  EXPECT_THAT(RulesForPmid(Pmid::Null()), ElementsAre("ARC-1330"));
}

TEST(DescRecord, Domain511IsOfLoggedDerivedMetrics) {  // ARC-1331, ARC-310
  EXPECT_THAT(RulesForPmid(Pmid::Of(511, 2048, 1)), IsEmpty());
  EXPECT_THAT(RulesForPmid(Pmid::Of(511, 0, 5)), ElementsAre("ARC-1331"));
  EXPECT_THAT(RulesForPmid(Pmid::Of(511, 30, 0)), ElementsAre("ARC-1331"));
  EXPECT_THAT(RulesForPmid(Pmid::Of(511, 2048, 0)), ElementsAre("ARC-1331"));
}

TEST(DescRecord, ThatIsNotLoadedHasOneFinding) {  // ARC-1335
  DescModel model = Instant(0x30000000);
  model.descriptor.type = static_cast<MetricType>(77);
  EXPECT_THAT(Decode(MetaRecordBytes(model).SetWord(kNameCount, 2)).rules, ElementsAre("ARC-1335"));
}

TEST(DescRecord, OfAMillionEmptyNamesIsDecoded) {
  const Decoded decoded = Decode(Named(Names(1'000'000)));
  EXPECT_EQ(decoded.names.size(), 1'000'000U);
  EXPECT_EQ(decoded.rules.size(), 1'000'000U);
}

RC_GTEST_PROP(DescRecord, DecodesWhateverWasEncoded,
              (std::uint32_t pmid, std::int32_t type, std::uint32_t indom, std::int32_t semantics,
               std::uint32_t units, const Names& names)) {
  const DescModel model{{Pmid{pmid}, static_cast<MetricType>(type), Indom{indom},
                         static_cast<Semantics>(semantics), Units{units}},
                        names};
  const Decoded decoded = Decode(model);
  RC_ASSERT(decoded.loaded);
  RC_ASSERT(decoded.descriptor == model.descriptor);
  RC_ASSERT(decoded.names == names);
}

RC_GTEST_PROP(DescRecord, AnyBytesAreDecodedOrReported, ()) {
  MetaRecordBytes bytes(Named({"m.a", "m.bcd", ""}));
  const int flips = *rc::gen::inRange(0, 6);
  for (int i = 0; i < flips; ++i) {
    bytes.SetByte(*rc::gen::inRange<std::size_t>(4, bytes.size() - 4),
                  *rc::gen::arbitrary<std::uint8_t>());
  }
  bytes.CutPayload(*rc::gen::inRange<std::size_t>(4, bytes.size() - 3));
  const Decoded decoded = Decode(bytes);
  RC_ASSERT(decoded.loaded || decoded.rules.size() == 1U);
}

}  // namespace
}  // namespace pmproof::archive
