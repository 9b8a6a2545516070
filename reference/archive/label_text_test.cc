// SPDX-License-Identifier: Apache-2.0
// The texts of a label: host, timezone and zoneinfo.
#include "reference/archive/archive_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "reference/archive/testing/label_fixture.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LabelTest;

class OnlyUtc final : public ZoneChecker {
 public:
  bool Exists(std::string_view name) const override { return name == "UTC"; }
};

INSTANTIATE_TEST_SUITE_P(Version, LabelTest, ::testing::Values(2, 3));

class LabelV3Test : public LabelTest {};
INSTANTIATE_TEST_SUITE_P(Version, LabelV3Test, ::testing::Values(3));

TEST_P(LabelTest, AHostWithoutNulIsARC1215AndLosesItsLastByte) {
  SetText(layout().host_field, std::string(layout().host_size, 'h'));
  const auto label = Read();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1215"));
  EXPECT_EQ(label->host, std::string(layout().host_size - 1, 'h'));
}

TEST_P(LabelTest, BytesBehindTheNulAreARC1216) {
  SetText(layout().host_field + 20, "secret");
  const auto label = Read();
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1216"));
  EXPECT_EQ(Only().where.offset, layout().host_field + 20);
  EXPECT_EQ(Only().where.length, 6U);
  EXPECT_EQ(label->host, "testhost");
}

TEST_P(LabelTest, AnEmptyHostIsARC1217) {
  model_.host.clear();
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1217"));
}

TEST_P(LabelTest, AHostThatIsAPathIsARC1227) {
  for (const char* const host :
       {"../../../../tmp/target", "/etc", "a/b", "host/", "/", ".", ".."}) {
    EXPECT_THAT(RulesOfHost(host), ElementsAre("ARC-1227")) << host;
  }
}

TEST_P(LabelTest, PointsMakeNoPathOfAHost) {
  for (const char* const host : {"...", ".host", "host.", "a..b"}) {
    EXPECT_THAT(RulesOfHost(host), IsEmpty()) << host;
  }
}

TEST_P(LabelTest, AHostWithOtherCharactersIsARC1228) {
  for (const char* const host :
       {"my host", "a$(id)", "a;b", "\"a\"", "it's", "\\", "a*", "a|b", "a&b", "<b>", "a,b", "u@h",
        "-oProxyCommand=x", "-", "moc.\u202elive", "a\u200bb", "a\u009bb"}) {
    EXPECT_THAT(RulesOfHost(host), ElementsAre("ARC-1228")) << host;
    EXPECT_EQ(Only().gravity, Gravity::kAsCatalogued) << host;
    EXPECT_EQ(Only().where.offset, layout().host_field) << host;
  }
}

TEST_P(LabelTest, AHostThatIsNotUtf8IsAnErrorOfARC1228) {
  for (const char* const host : {"caf\xe9", "\xff", "my h\xc3"}) {
    EXPECT_THAT(RulesOfHost(host), ElementsAre("ARC-1228")) << host;
    EXPECT_EQ(Only().gravity, Gravity::kError) << host;
  }
}

TEST_P(LabelTest, NamesAddressesAndOtherScriptsAreHosts) {  // ARC-1228
  for (const char* const host : {"localhost", "db-1.example.org", "a_b", "10.0.0.1", "fe80::1%eth0",
                                 "4f1d2e3c5a6b", "b\u00fccher.example", "\u4e2d"}) {
    EXPECT_THAT(RulesOfHost(host), IsEmpty()) << host;
  }
}

TEST_P(LabelTest, APathOfOtherCharactersBreaksTwoRules) {
  EXPECT_THAT(RulesOfHost("/a b"), ElementsAre("ARC-1227", "ARC-1228"));
}

TEST_P(LabelTest, AControlCharacterOfAHostIsNotARC1228) {
  EXPECT_THAT(RulesOfHost("a\x1b"), ElementsAre("ARC-1224"));
  EXPECT_THAT(RulesOfHost("a\x7f"), ElementsAre("ARC-1224"));
}

TEST_P(LabelTest, AnEmptyTimezoneIsARC1218) {
  model_.timezone.clear();
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1218"));
}

TEST_P(LabelV3Test, AnEmptyZoneinfoIsRight) {
  model_.zoneinfo.clear();
  EXPECT_THAT(RulesOf(), IsEmpty());
}

TEST_P(LabelTest, ATimezoneThatIsNeitherFormIsARC1223) {
  model_.timezone = "not a tz!";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1223"));
  EXPECT_EQ(Only().where.offset, layout().timezone_field);
}

TEST_P(LabelTest, ATimezoneThatIsNotKnownIsARC1223WhereZonesAreKnown) {
  model_.timezone = "No/Such";
  EXPECT_THAT(RulesOf(), IsEmpty());
  const OnlyUtc zones;
  EXPECT_THAT(RulesOf(&zones), ElementsAre("ARC-1223"));
}

TEST_P(LabelV3Test, AZoneinfoThatIsNotKnownIsARC1223WhereZonesAreKnown) {
  model_.zoneinfo = ":No/Such";
  EXPECT_THAT(RulesOf(), IsEmpty());
  const OnlyUtc zones;
  EXPECT_THAT(RulesOf(&zones), ElementsAre("ARC-1223"));
  EXPECT_EQ(Only().where.offset, 548U);
}

TEST_P(LabelV3Test, AZoneinfoOfOneMachineIsARC1223) {
  model_.zoneinfo = ":No Such Zone";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1223"));
}

TEST_P(LabelTest, ATimezoneThatIsAPathIsARC1229) {
  for (const char* const zone :
       {"/etc/passwd", "../../../tmp/x", "Europe/../x", "..", ".", "UTC/."}) {
    EXPECT_THAT(RulesOfTimezone(zone), ElementsAre("ARC-1229")) << zone;
    EXPECT_EQ(Only().where.offset, layout().timezone_field) << zone;
  }
}

TEST_P(LabelTest, APathInTheFormOfZoneinfoBreaksTwoRules) {
  model_.timezone = ":/etc/localtime";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1229", "ARC-1224"));
}

TEST_P(LabelV3Test, AZoneinfoThatIsAPathIsARC1229) {
  model_.zoneinfo = ":/etc/localtime";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1229"));
  EXPECT_EQ(Only().where.offset, 548U);
}

TEST_P(LabelTest, TheTimesOfAPosixZoneMakeNoPathOfIt) {  // ARC-1229
  model_.timezone = "GMT0BST-1,M3.5.0/2,M10.5.0/2";
  EXPECT_THAT(RulesOf(), IsEmpty());
}

TEST_P(LabelTest, ControlCharactersAreARC1224) {
  model_.host = "two\nlines";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1224"));
  EXPECT_EQ(Only().where.offset, layout().host_field);
}

TEST_P(LabelTest, ATimezoneWithControlCharactersIsNotAlsoUnknown) {
  model_.timezone = "UT\tC";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1224"));
}

TEST_P(LabelTest, AColonInTheTimezoneIsARC1224) {
  model_.timezone = ":UTC";
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1224"));
}

TEST_P(LabelTest, BytesAbove127AreRight) {
  model_.host = "h\xc3\xb6st";
  EXPECT_THAT(RulesOf(), IsEmpty());
}

}  // namespace
}  // namespace pmproof::archive
