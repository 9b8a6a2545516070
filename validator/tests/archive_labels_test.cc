// SPDX-License-Identifier: Apache-2.0
// Rules on the labels of an archive's files (section 14.3).

#include <set>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/time_zone.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OnlyUtc final : public archive::ZoneChecker {
 public:
  bool Exists(std::string_view name) const override { return name == "UTC"; }
};

class ArchiveLabelsTest : public CheckedArchive {
 protected:
  const archive::Layout& layout() const { return archive::LayoutOf(version()); }
  static constexpr std::size_t kPid = 8;
  static constexpr std::size_t kStart = 12;
  std::size_t Fraction() const { return kStart + layout().timestamp - 4; }
  std::size_t Volume() const { return kStart + layout().timestamp; }

  void SetText(const std::string& file, std::size_t at, const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      image().SetByte(file, at + i, static_cast<std::uint8_t>(text[i]));
    }
  }
  void SetWordInAll(std::size_t at, std::uint32_t word) {
    for (const auto& file : image().files) image().SetWord(file.first, at, word);
  }
  // The label's host name and the context label that repeats it (ARC-1520).
  void SetHost(const std::string& host) {
    plan.label.host = host;
    const std::string value = "\"" + host + "\"";
    archive::LabelSetModel& set = Labels(1).sets.at(0);
    set.json = "{\"hostname\":" + value + "}";
    set.entries.at(0).value_length = static_cast<std::uint16_t>(value.size());
  }
  void ExpectOneFatal(const std::string& finding) {
    for (const char* file : {"meta", "index", "0"}) {
      Reset();
      damage(file);
      EXPECT_THAT(RulesWithSeverity(), ElementsAre(finding)) << file;
    }
  }
  std::function<void(const std::string&)> damage;
};
INSTANTIATE_TEST_SUITE_P(Versions, ArchiveLabelsTest, ::testing::Values(2, 3), VersionName);

// Fields that version 2 does not have.
class ArchiveLabelsV3Test : public ArchiveLabelsTest {};
INSTANTIATE_TEST_SUITE_P(Versions, ArchiveLabelsV3Test, ::testing::Values(3), VersionName);

TEST_P(ArchiveLabelsTest, TheLeadingLengthIsWrong) {
  damage = [this](const std::string& file) { image().SetWord(file, 0, 140); };
  ExpectOneFatal("ARC-1201 fatal");
}

TEST_P(ArchiveLabelsTest, AFileEndsInsideItsLabel) {
  damage = [this](const std::string& file) { image().Truncate(file, 100); };
  ExpectOneFatal("ARC-1201 fatal");
}

TEST_P(ArchiveLabelsTest, TheTrailingLengthIsWrong) {
  damage = [this](const std::string& file) { image().SetWord(file, LabelSize() - 4, 140); };
  ExpectOneFatal("ARC-1202 fatal");
}

TEST_P(ArchiveLabelsTest, AFileEndsInTheTrailerOfItsLabel) {
  damage = [this](const std::string& file) { image().Truncate(file, LabelSize() - 2); };
  ExpectOneFatal("ARC-1202 fatal");
}

TEST_P(ArchiveLabelsTest, TheMagicIsWrong) {
  damage = [this](const std::string& file) {
    image().SetWord(file, 4, 0x50052500U + static_cast<unsigned>(version()));
  };
  ExpectOneFatal("ARC-1203 fatal");
}

TEST_P(ArchiveLabelsTest, TheVersionIsUnknown) {
  for (const std::uint32_t other : {1U, 4U}) {
    damage = [this, other](const std::string& file) {
      image().SetWord(file, 4, 0x50052600U + other);
    };
    ExpectOneFatal("ARC-1204 fatal");
  }
}

TEST_P(ArchiveLabelsTest, AllFilesAreOfVersion1) {  // ARC-018
  SetWordInAll(4, 0x50052601);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1204 fatal"));
  ASSERT_TRUE(Check().failure);
  EXPECT_EQ(Check().failure->clause, "ARC-1204"_clause);
}

// A sound index of the other version for these files.
TEST_P(ArchiveLabelsTest, TheVersionsDiffer) {
  const int other = version() == 3 ? 2 : 3;
  archive::LabelModel label = plan.label;
  label.version = other;
  label.volume = archive::kIndexPart;
  archive::Buffer index;
  archive::AppendLabel(label, &index);
  for (const auto& [meta, data, at] : {std::tuple(0U, 1U, 0), {17U, 4U, 3}}) {
    archive::AppendIndexEntry(
        {At(at), 0, meta == 0 ? LabelSize() : RecordAt("meta", meta), RecordAt("0", data)}, other,
        &index);
  }
  archive::AppendIndexEntry({At(5), 0, image().files.at("meta").size(), RecordAt("0", 6)}, other,
                            &index);
  image().files["index"] = index;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1205 fatal"));
}

TEST_P(ArchiveLabelsTest, MetadataOfTheOtherVersion) {
  plan.has_index = false;
  image().files["meta"] = Encode(generators::BaseArchive(version() == 3 ? 2 : 3)).files.at("meta");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1003 warning", "ARC-1205 fatal"));
}

TEST_P(ArchiveLabelsTest, TheVolumeFieldIsThatOfAnotherFile) {
  damage = [this](const std::string& file) { image().SetWord(file, Volume(), 7); };
  ExpectOneFatal("ARC-1206 fatal");
}

TEST_P(ArchiveLabelsTest, ThePidDiffers) {
  for (const char* file : {"meta", "index"}) {
    Reset();
    image().SetWord(file, kPid, 99);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1207 fatal")) << file;
  }
}

TEST_P(ArchiveLabelsTest, TheHostnameDiffers) {
  for (const char* file : {"meta", "index"}) {
    Reset();
    SetText(file, layout().host_field, "XYZ");
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1208 fatal")) << file;
  }
}

TEST_P(ArchiveLabelsTest, TheStartDiffers) {
  for (const char* file : {"meta", "index"}) {
    Reset();
    image().SetWord(file, kStart, generators::kBaseTime - 10);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1209 warning")) << file;
  }
}

// The archive's start is that of its first volume.
TEST_P(ArchiveLabelsTest, TheStartOfTheFirstVolumeDiffers) {
  image().SetWord("0", kStart, generators::kBaseTime - 10);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1209 warning", "ARC-1222 warning"));
}

TEST_P(ArchiveLabelsTest, TheTimezoneDiffers) {
  for (const char* file : {"meta", "index"}) {
    Reset();
    SetText(file, layout().timezone_field, "EST");
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1210 warning")) << file;
  }
}

TEST_P(ArchiveLabelsV3Test, TheZoneinfoDiffers) {
  for (const char* file : {"meta", "index"}) {
    Reset();
    SetText(file, layout().zoneinfo_field, ":Foo");
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1211 warning")) << file;
  }
}

TEST_P(ArchiveLabelsV3Test, AnUnknownFeatureBit) {
  plan.label.features = 1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1212 error"));
}

TEST_P(ArchiveLabelsV3Test, TheFeatureBitForQualityAssurance) {
  plan.label.features = 0x80000000;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1213 info"));
}

TEST_P(ArchiveLabelsV3Test, TheReservedWordIsUsed) {
  plan.label.reserved = 0x1234;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1214 warning"));
}

TEST_P(ArchiveLabelsTest, AHostnameWithoutNul) {
  SetHost(std::string(layout().host_size - 1, 'h'));
  for (const auto& file : image().files)
    image().SetByte(file.first, layout().host_field + layout().host_size - 1, 'h');
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1215 warning"));
}

TEST_P(ArchiveLabelsTest, BytesBehindTheHostname) {
  SetText("meta", layout().host_field + 20, "secret");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1216 info"));
}

TEST_P(ArchiveLabelsTest, NoHostname) {
  SetHost("");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1217 error"));
}

TEST_P(ArchiveLabelsTest, NoTimezone) {
  plan.label.timezone.clear();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1218 warning"));
}

TEST_P(ArchiveLabelsTest, AFractionOutOfRange) {
  SetWordInAll(Fraction(), version() == 3 ? 2000000000 : 2000000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1219 error"));
}

TEST_P(ArchiveLabelsTest, AStartBeforeThereWasPcp) {
  ShiftTo(1000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1220 warning"));
}

// The first record cannot have that time, too.
TEST_P(ArchiveLabelsTest, NoStart) {
  SetWordInAll(kStart, 0);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1220 warning", "ARC-1222 warning"));
}

TEST_P(ArchiveLabelsTest, AStartInTheFuture) {
  options.now = At(-2 * 86400);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1220 warning"));
}

TEST_P(ArchiveLabelsTest, APidThatNoProcessHas) {
  plan.label.pid = -1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1221 info"));
}

TEST_P(ArchiveLabelsTest, AStartBeforeTheFirstRecord) {
  plan.label.start = At(-5);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1222 warning"));
}

// Everything that lies before the start is reported where it is.
TEST_P(ArchiveLabelsTest, AStartBehindTheFirstRecord) {
  plan.label.start = At(2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1222 error", "ARC-1719 error", "ARC-1907 error",
                                               "ARC-2001 warning"));
}

TEST_P(ArchiveLabelsTest, ATimezoneThatIsNone) {
  plan.label.timezone = "not a tz!";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1223 warning"));
}

TEST_P(ArchiveLabelsV3Test, AZoneinfoThatDoesNotExist) {
  const OnlyUtc zones;
  options.zones = &zones;
  plan.label.zoneinfo = ":No/Such";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1223 warning"));
}

TEST_P(ArchiveLabelsTest, ZonesThatExistAreFine) {
  const OnlyUtc zones;
  options.zones = &zones;
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(ArchiveLabelsTest, ControlCharactersInATimezone) {
  plan.label.timezone = "UTC\n";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1224 warning"));
}

TEST_P(ArchiveLabelsTest, ATimezoneInTheFormOfZoneinfo) {
  plan.label.timezone = ":UTC";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1224 warning"));
}

TEST_P(ArchiveLabelsTest, ALaterVolumeDiffers) {
  SplitIntoVolumes();
  image().SetWord("1", kPid, 99);
  image().SetWord("2", kStart, generators::kBaseTime + 99);
  SetText("2", layout().timezone_field, "EST");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1225 warning"));
  EXPECT_EQ(Check().counts.warning, 3U);
}

TEST_P(ArchiveLabelsTest, AHostnameThatIsAPath) {
  SetHost("../../../../tmp/target");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1227 warning"));
}

TEST_P(ArchiveLabelsTest, AHostnameThatAShellWouldRun) {
  SetHost("a$(id);b");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1228 warning"));
}

// Its context cannot repeat it: JSON is UTF-8 (ARC-1507).
TEST_P(ArchiveLabelsTest, AHostnameThatIsNoUtf8) {
  plan.label.host = "caf\xe9";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1228 error", "ARC-1520 warning"));
}

TEST_P(ArchiveLabelsTest, ATimezoneThatIsAPath) {
  plan.label.timezone = "../../../tmp/x";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1229 warning"));
}

TEST_P(ArchiveLabelsV3Test, TimesBeyond32Bits) {
  ShiftTo(std::int64_t{1} << 31);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1226 info"));
}

}  // namespace
}  // namespace pmproof::validator::testing
