// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RecordingReporter;

class File final : public StoredFile {
 public:
  explicit File(std::vector<std::uint8_t> content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  std::vector<std::uint8_t> content_;
};

class OnlyUtc final : public ZoneChecker {
 public:
  bool Exists(std::string_view name) const override { return name == "UTC"; }
};

// A label of version 2 or 3 as the base archive has it, to be edited as model or as bytes.
class LabelTest : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  const Layout& layout() const { return LayoutOf(version()); }

  void Encode() {
    bytes_.clear();
    AppendLabel(model_, &bytes_);
    encoded_ = true;
  }
  void SetWord(std::size_t at, std::uint32_t value) {
    if (!encoded_) Encode();
    StoreU32(bytes_.data() + at, value);
  }
  void SetText(std::size_t at, std::string_view text) {
    if (!encoded_) Encode();
    std::copy(text.begin(), text.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void Truncate(std::size_t size) {
    if (!encoded_) Encode();
    bytes_.resize(size);
  }

  Result<ArchiveLabel> Read(const ZoneChecker* zones = nullptr) {
    if (!encoded_) Encode();
    const File file(bytes_);
    const auto source = MakeSource(file, "base.0", Compression::kNone);
    auto label = ReadLabel(*source, 0, "base.0", now_, reporter_, zones);
    position_ = source->position();
    return label;
  }
  std::vector<std::string> RulesOf(const ZoneChecker* zones = nullptr) {
    (void)Read(zones);
    return reporter_.Rules();
  }
  std::vector<std::string> RulesOfHost(const char* host) {
    model_.host = host;
    return RulesOfModel();
  }
  std::vector<std::string> RulesOfTimezone(const char* zone) {
    model_.timezone = zone;
    return RulesOfModel();
  }
  const testing::Recorded& Only() const { return reporter_.violations.at(0); }

  // Of the model as it is now, whatever was read before.
  std::vector<std::string> RulesOfModel() {
    Encode();
    reporter_.violations.clear();
    return RulesOf();
  }

  LabelModel model_ = generators::BaseArchive(GetParam()).label;
  Buffer bytes_;
  bool encoded_ = false;
  Timestamp now_{kBaseTime + 1000, 0};
  RecordingReporter reporter_;
  std::uint64_t position_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Version, LabelTest, ::testing::Values(2, 3));

class LabelV3Test : public LabelTest {};
INSTANTIATE_TEST_SUITE_P(Version, LabelV3Test, ::testing::Values(3));

TEST_P(LabelTest, TheFieldsAreDecoded) {
  const auto label = Read();
  ASSERT_TRUE(label) << label.error().ToText();
  EXPECT_EQ(label->version, version());
  EXPECT_EQ(label->pid, 4242);
  EXPECT_EQ(label->start, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(label->part, 0);
  EXPECT_EQ(label->host, "testhost");
  EXPECT_EQ(label->timezone, "UTC");
  EXPECT_EQ(label->zoneinfo, version() == 3 ? ":UTC" : "");
  EXPECT_EQ(position_, layout().label);
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_P(LabelTest, AnEmptyFileIsARC1004) {
  Truncate(0);
  const auto label = Read();
  ASSERT_FALSE(label);
  EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
  EXPECT_EQ(label.error().code, ErrorCode::kNoData);
  EXPECT_EQ(label.error().ToText(), "base.0: offset 0: the file is empty [ARC-1004]");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1004"));
}

TEST_P(LabelTest, AFileThatEndsInItsFirstLengthWordIsARC1004) {
  for (const std::size_t size : {1U, 2U, 3U}) {
    Encode();
    Truncate(size);
    reporter_.violations.clear();
    const auto label = Read();
    ASSERT_FALSE(label);
    EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
    EXPECT_EQ(label.error().code, ErrorCode::kNoData);
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1004"));
    EXPECT_EQ(Only().where.length, size);
  }
}

TEST_P(LabelTest, AFileCutInsideTheLabelIsARC1201OrInItsTrailerARC1202) {
  Encode();
  const Buffer whole = bytes_;
  for (std::size_t size = 4; size < layout().label; ++size) {
    bytes_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    reporter_.violations.clear();
    const auto label = Read();
    ASSERT_FALSE(label) << size;
    const bool trailer = size >= layout().label - 4;
    EXPECT_THAT(reporter_.Rules(), ElementsAre(trailer ? "ARC-1202" : "ARC-1201")) << size;
    EXPECT_EQ(Only().where.length, size);
    EXPECT_EQ(label.error().kind, size < 8 ? Status::Kind::kNotAnArchive : Status::Kind::kDamaged)
        << size;
    EXPECT_EQ(label.error().code, ErrorCode::kLabel);
  }
}

TEST_P(LabelTest, AWrongLeadingLengthIsARC1201AndTheLabelIsRead) {
  for (const std::uint32_t length : {140U, 0U, 4U, 0xffffffffU}) {
    reporter_.violations.clear();
    SetWord(0, length);
    const auto label = Read();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201"));
    ASSERT_TRUE(label);
    EXPECT_EQ(label->pid, 4242);
    EXPECT_EQ(position_, layout().label);
  }
}

TEST_P(LabelTest, AWrongTrailingLengthIsARC1202AndTheLabelIsRead) {
  for (const std::uint32_t length : {140U, 0U, 64U}) {
    reporter_.violations.clear();
    SetWord(layout().label - 4, length);
    ASSERT_TRUE(Read());
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1202"));
    EXPECT_EQ(Only().where.offset, layout().label - 4);
    EXPECT_EQ(position_, layout().label);
  }
}

TEST_P(LabelTest, LengthsThatAgreeOnALongerLabelSayWhereItEnds) {
  const auto longer = static_cast<std::uint32_t>(layout().label + 8);
  SetWord(0, longer);
  SetWord(layout().label - 4, 0);
  bytes_.resize(longer + 100);
  SetWord(longer - 4, longer);
  ASSERT_TRUE(Read());
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201"));
  EXPECT_EQ(position_, longer);
}

TEST_P(LabelTest, TwoWrongLengthsAreBothReported) {
  SetWord(0, 12);
  SetWord(layout().label - 4, 16);
  ASSERT_TRUE(Read());
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1201", "ARC-1202"));
}

TEST_P(LabelTest, AnotherMagicIsARC1203AndNoArchive) {
  SetWord(4, 0x50052500U + static_cast<std::uint32_t>(version()));
  const auto label = Read();
  ASSERT_FALSE(label);
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1203"));
  EXPECT_EQ(Only().where.offset, 4U);
  EXPECT_EQ(label.error().kind, Status::Kind::kNotAnArchive);
  EXPECT_THAT(label.error().ToText(), HasSubstr("0x5005250"));
}

TEST_P(LabelTest, AnotherVersionIsARC1204) {
  for (const std::uint32_t other : {0U, 1U, 4U, 255U}) {
    reporter_.violations.clear();
    SetWord(4, kLabelMagic | other);
    const auto label = Read();
    ASSERT_FALSE(label);
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1204"));
    EXPECT_EQ(label.error().kind, Status::Kind::kDamaged);
    EXPECT_EQ(label.error().ToText().find("3.5.11") != std::string::npos, other == 1);  // ARC-018
  }
}

TEST_P(LabelTest, TheVolumeOfAnotherFileIsARC1206) {
  for (const std::int32_t volume : {7, -1, -2}) {
    reporter_.violations.clear();
    model_.volume = volume;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1206"));
    EXPECT_EQ(Only().where.offset, version() == 3 ? 24U : 20U);
  }
}

TEST_P(LabelV3Test, AFeatureBitIsARC1212) {
  model_.features = 1;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1212"));
  EXPECT_EQ(Only().details.actual, "0x00000001");
  EXPECT_EQ(Only().where.offset, 28U);
}

TEST_P(LabelV3Test, TheFeatureBitOfQaIsARC1213) {
  model_.features = 0x80000000;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1213"));
}

TEST_P(LabelV3Test, AReservedWordIsARC1214) {
  model_.reserved = 0x1234;
  EXPECT_THAT(RulesOf(), ElementsAre("ARC-1214"));
  EXPECT_EQ(Only().where.offset, 32U);
}

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

TEST_P(LabelTest, AFractionOutOfRangeIsARC1219) {
  const std::size_t at = version() == 3 ? 20 : 16;
  for (const std::int32_t fraction : {version() == 3 ? 1'000'000'000 : 2'000'000, -1}) {
    reporter_.violations.clear();
    SetWord(at, static_cast<std::uint32_t>(fraction));
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1219"));
    EXPECT_EQ(Only().where.offset, at);
    EXPECT_EQ(Only().details.actual, std::to_string(fraction));
  }
}

TEST_P(LabelTest, AStartThatIsNotPlausibleIsARC1220) {
  for (const std::int64_t start :
       {std::int64_t{0}, std::int64_t{-5}, std::int64_t{631151999}, now_.seconds + 86401}) {
    reporter_.violations.clear();
    model_.start.seconds = start;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1220")) << start;
    EXPECT_EQ(Only().where.offset, 12U);
  }
}

TEST_P(LabelTest, AStartUpToADayAheadIsPlausible) {
  model_.start.seconds = now_.seconds + 86400;
  EXPECT_THAT(RulesOf(), IsEmpty());
}

TEST_P(LabelTest, APidThatNoProcessHasIsARC1221) {
  for (const std::int32_t pid : {-1, 0}) {
    reporter_.violations.clear();
    model_.pid = pid;
    Encode();
    EXPECT_THAT(RulesOf(), ElementsAre("ARC-1221"));
  }
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

TEST_P(LabelV3Test, AStartBeyond2038IsARC1226AloneHoweverFarAhead) {
  for (const std::int64_t start : {std::int64_t{1} << 31, std::int64_t{5'000'000'000}}) {
    reporter_.violations.clear();
    model_.start.seconds = start;
    Encode();
    const auto label = Read();
    EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1226"));
    EXPECT_EQ(label->start.seconds, start);
  }
}

// --- labels held against each other ---

class CompareTest : public LabelTest {
 protected:
  ArchiveLabel Decoded() {
    IgnoringReporter ignore;
    Encode();
    const File file(bytes_);
    const auto source = MakeSource(file, "base", Compression::kNone);
    return ReadLabel(*source, 0, "base", now_, ignore).value();
  }
  std::vector<std::string> Compare(Part part) {
    reporter_.violations.clear();
    CompareLabels(first_, Decoded(), part, reporter_);
    return reporter_.Rules();
  }
  // In .meta and .index one rule, in a later volume ARC-1225.
  void ExpectRule(const char* rule) {
    EXPECT_THAT(Compare(kMetaPart), ElementsAre(rule));
    EXPECT_THAT(Compare(kIndexPart), ElementsAre(rule));
    EXPECT_EQ(Only().where.part, kIndexPart);
    EXPECT_THAT(Compare(1), ElementsAre("ARC-1225"));
  }

  ArchiveLabel first_ = Decoded();
};
INSTANTIATE_TEST_SUITE_P(Version, CompareTest, ::testing::Values(2, 3));

TEST_P(CompareTest, EqualLabelsAgreeWhateverTheVolume) {
  model_.volume = 5;
  EXPECT_THAT(Compare(5), IsEmpty());
  EXPECT_THAT(Compare(kMetaPart), IsEmpty());
}

TEST_P(CompareTest, AnotherVersionIsARC1205InEveryFile) {
  model_.version = 5 - version();
  for (const Part part : {kMetaPart, kIndexPart, 1})
    EXPECT_THAT(Compare(part), ElementsAre("ARC-1205"));
}

TEST_P(CompareTest, AnotherPidIsARC1207) {
  model_.pid = 99;
  ExpectRule("ARC-1207");
  EXPECT_EQ(Only().details.actual, "99");
  EXPECT_EQ(Only().details.expected, "4242");
}

TEST_P(CompareTest, AnotherHostIsARC1208) {
  model_.host = "XYZthost";
  ExpectRule("ARC-1208");
}

TEST_P(CompareTest, AnotherStartIsARC1209) {
  model_.start.seconds -= 10;
  ExpectRule("ARC-1209");
}

TEST_P(CompareTest, AnotherFractionOfTheStartIsARC1209) {
  model_.start.nanoseconds = 1000;
  ExpectRule("ARC-1209");
}

TEST_P(CompareTest, AnotherTimezoneIsARC1210) {
  model_.timezone = "EST";
  ExpectRule("ARC-1210");
}

class CompareV3Test : public CompareTest {};
INSTANTIATE_TEST_SUITE_P(Version, CompareV3Test, ::testing::Values(3));

TEST_P(CompareV3Test, AnotherZoneinfoIsARC1211) {
  model_.zoneinfo = ":Foo";
  ExpectRule("ARC-1211");
}

TEST_P(CompareTest, EachFieldThatDiffersIsReported) {
  model_.pid = 99;
  model_.start.seconds += 99;
  EXPECT_THAT(Compare(1), ElementsAre("ARC-1225", "ARC-1225"));
  EXPECT_THAT(Compare(kMetaPart), ElementsAre("ARC-1207", "ARC-1209"));
}

}  // namespace
}  // namespace pmproof::archive
