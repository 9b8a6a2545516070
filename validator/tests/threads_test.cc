// SPDX-License-Identifier: Apache-2.0
// Several threads guess where records begin and check ahead of each other. Whatever is in the
// archive, they find what one thread finds, and say the same of where it is.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "reference/archive/testing/compress.h"
#include "validator/tests/checked_archive.h"
#include "validator/tests/shown_report.h"

namespace pmproof::validator::testing {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using ::testing::Contains;
using ::testing::StartsWith;

constexpr std::size_t kRecords = 300;

class ThreadsTest : public CheckedArchive {
 protected:
  ThreadsTest() {
    std::vector<ResultModel>& records = plan.volumes[0];
    while (records.size() < kRecords) {
      records.push_back(records.back());
      records.back().time = At(static_cast<std::int64_t>(records.size()) - 1);
    }
    plan.index.back() = {records.back().time, 0, plan.meta.size(), kRecords - 1};
    options.now = At(100'000);
    options.max_findings = 10'000;
  }

  std::vector<std::string> Found(unsigned jobs, std::size_t stretch) {
    archive::MemoryStorage files;
    image().Store("base", &files);
    CheckOptions how = options;
    how.jobs = jobs;
    how.stretch = stretch;
    return Shown(CheckArchive(files, "base", catalogue(), how));
  }

  // Compares threads; what one finds.
  std::vector<std::string> Found() {
    std::vector<std::string> found = Found(1, std::size_t{16} << 20);
    for (const std::size_t stretch : {64U, 500U, 3000U, 20'000U})
      EXPECT_EQ(Found(3, stretch), found) << "in stretches of " << stretch;
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, ThreadsTest, ::testing::Values(2, 3), VersionName);

TEST_P(ThreadsTest, OfASoundArchive) { Found(); }

TEST_P(ThreadsTest, OfValuesThatBreakRulesInEachRecord) {  // ARC-1729, ARC-1801, ARC-1825
  for (std::size_t k = 0; k < kRecords; ++k) {
    std::swap(Set(k, 6).values[0], Set(k, 6).values[1]);
    Set(k, 1).values[0].value = static_cast<std::uint32_t>(kRecords - k);
    Result(k).sets.push_back({Pmid::Of(29, 0, 99), archive::kInsitu, {{kInstanceNull, 1U}}, 0});
  }
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1825")));
}

TEST_P(ThreadsTest, OfAMetricThatHasValuesLate) {  // ARC-1807: its place is that of the first one
  for (auto record = plan.meta.begin(); record != plan.meta.end();) {
    record =
        std::holds_alternative<archive::IndomModel>(*record) ? plan.meta.erase(record) : record + 1;
  }
  for (std::size_t k = 0; k < kRecords - 50; ++k) {
    auto& sets = Result(k).sets;
    std::erase_if(sets, [](const auto& set) { return set.pmid == Pmid::Of(29, 0, 6); });
  }
  plan.index.clear();
  plan.has_index = false;
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1807")));
}

TEST_P(ThreadsTest, OfATimeInTheMiddleThatIsLaterThanTheOthers) {  // ARC-1720
  Result(100).time = At(50'000);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1720")));
}

TEST_P(ThreadsTest, OfTimesThatGoBackAgainAndAgain) {  // ARC-1720
  for (std::size_t k = 0; k + 1 < kRecords; k += 2) std::swap(Result(k).time, Result(k + 1).time);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1720")));
}

TEST_P(ThreadsTest, OfMarksAndPrologues) {  // ARC-510, ARC-590, ARC-1723
  AddLogueMetadata();
  auto& records = plan.volumes[0];
  records.insert(records.begin() + 200, {At(199, 1), {}});
  records.insert(records.begin() + 201, Logue(At(199, 2), 7));
  records.front() = Logue(At(0));
  records.back() = Logue(records.back().time, 8);
  plan.index.clear();
  plan.has_index = false;
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-2009")));
}

TEST_P(ThreadsTest, OfValuesThatLookLikeRecords) {
  // What looks like three records, with times that fit.
  std::string false_records;
  const auto seconds = static_cast<std::uint32_t>(generators::kBaseTime + 10);
  for (int i = 0; i < 3; ++i) {
    false_records += version() == 3 ? generators::BigEndian({32, seconds, 0, 0, 0, 0, 0, 32})
                                    : generators::BigEndian({24, seconds, 0, 0, 0, 24});
  }
  for (std::size_t k = 0; k < kRecords; k += 3)
    std::get<BlockModel>(Set(k, 3).values[0].value).payload = false_records + '\0';
  Found();
}

TEST_P(ThreadsTest, OfLengthWordsThatDiffer) {  // ARC-1104
  for (const std::size_t k : {20U, 21U, 150U, 299U}) {
    const std::size_t begin = RecordAt("0", k + 1);
    image().SetWord("0", begin + image().Word("0", begin) - 4, 99);
  }
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1104")));
}

TEST_P(ThreadsTest, OfFramesThatAreLost) {  // ARC-1101
  image().SetWord("0", RecordAt("0", 200), 3);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1101")));
}

TEST_P(ThreadsTest, OfVolumesThatEndInsideARecordOrInZeros) {  // ARC-1102, ARC-1107
  image().Append("0", std::string(40, '\0'));
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1107")));
  Reset();
  image().Truncate("0", RecordAt("0", 250) + 30);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1102")));
}

TEST_P(ThreadsTest, OfRecordsThatAreNoMultipleOfFour) {  // nothing can be guessed
  for (std::size_t k = 1; k < 5; ++k) {
    const std::size_t begin = RecordAt("0", 40 * k);
    image().Insert("0", begin + image().Word("0", begin) - 4, "x");
    image().GrowRecord("0", begin, 1);
  }
  Found();
}

TEST_P(ThreadsTest, OfRecordsThatAreRefused) {  // ARC-1702
  for (std::size_t k = 1; k < kRecords; k += 7)
    image().SetWord("0", RecordAt("0", k) + TimeSize() + 4, 1'000'000);
  Found();
}

// The stretches of a volume are begun while the one before it is walked over.
class VolumeThreadsTest : public ThreadsTest {
 protected:
  VolumeThreadsTest() {
    for (std::size_t k = 0; k < kRecords; ++k)
      Set(k, 1).values[0].value = static_cast<std::uint32_t>(k % 100);
    auto& records = plan.volumes[0];
    plan.volumes[1].assign(records.begin() + 100, records.begin() + 200);
    plan.volumes[2].assign(records.begin() + 200, records.end());
    records.resize(100);
    plan.index.clear();
    plan.has_index = false;
  }

  // Of a volume that has not been damaged yet.
  std::size_t LastRecordOf(const std::string& volume) {
    const std::vector<std::size_t> records = image().Records(volume);
    return records.back() < image().files.at(volume).size() ? records.back() : records.end()[-2];
  }
  void BreakTrailingWord(const std::string& volume, std::size_t record) {
    image().SetWord(volume, record + image().Word(volume, record) - 4, 99);
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, VolumeThreadsTest, ::testing::Values(2, 3), VersionName);

TEST_P(VolumeThreadsTest, OfSoundVolumes) {  // ARC-1825 across them
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1825")));
}

TEST_P(VolumeThreadsTest, OfVolumesThatEndInsideARecord) {  // ARC-1102
  for (const char* volume : {"0", "1", "2"}) {
    Reset();
    image().Truncate(volume, LastRecordOf(volume) + 30);
    EXPECT_THAT(Found(), Contains(StartsWith("ARC-1102"))) << volume;
  }
}

TEST_P(VolumeThreadsTest, OfDamageWhereVolumesMeet) {  // ARC-1101, ARC-1104
  BreakTrailingWord("0", LastRecordOf("0"));
  BreakTrailingWord("1", RecordAt("1", 1));
  BreakTrailingWord("1", LastRecordOf("1"));
  image().SetWord("2", RecordAt("2", 1), 3);
  const std::vector<std::string> found = Found();
  EXPECT_THAT(found, Contains(StartsWith("ARC-1104")));
  EXPECT_THAT(found, Contains(StartsWith("ARC-1101")));
}

TEST_P(VolumeThreadsTest, OfAnEndThatIsLaterThanTheNextVolume) {  // ARC-2004
  plan.volumes[0].back().time = At(250);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-2004")));
}

TEST_P(VolumeThreadsTest, OfVolumesInTheWrongOrder) {  // ARC-2004
  std::swap(plan.volumes[1], plan.volumes[2]);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-2004")));
}

TEST_P(VolumeThreadsTest, OfAVolumeThatIsMissing) {  // ARC-1006
  image().files.erase("1");
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1006")));
}

TEST_P(VolumeThreadsTest, OfAVolumeWithoutALabelThatCanBeRead) {
  image().SetWord("1", 4, 99);
  Found();
}

TEST_P(VolumeThreadsTest, OfAVolumeThatIsNothingButALabel) {  // ARC-1015
  plan.volumes[1].clear();
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1015")));
}

TEST_P(VolumeThreadsTest, OfVolumesThatAreCompressed) {
  for (const char* volume : {"0", "1", "2"}) {
    Reset();
    auto& files = image().files;
    files[volume + std::string(".zst")] =
        archive::testing::Compress(files.at(volume), archive::Compression::kZstd);
    files.erase(volume);
    EXPECT_THAT(Found(), Contains(StartsWith("ARC-1825"))) << volume;
  }
}

TEST_P(VolumeThreadsTest, OfManyVolumes) {
  for (std::size_t k = 0; k < 100; ++k) {
    plan.volumes[static_cast<std::int32_t>(3 + k)].assign(1, plan.volumes[2].back());
    plan.volumes[static_cast<std::int32_t>(3 + k)][0].time = At(400 + static_cast<int>(k));
  }
  BreakTrailingWord("50", RecordAt("50", 1));
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1104")));
}

// .meta is decoded in parts, too.
class MetadataThreadsTest : public ThreadsTest {
 protected:
  MetadataThreadsTest() {
    for (std::size_t k = 10; k < kRecords; ++k) {
      const auto id = static_cast<std::int32_t>(k % 50);
      AddMeta(archive::IndomModel{At(static_cast<std::int64_t>(k)),
                                  Indom::Of(29, 1),
                                  {{0, "a"}, {2, "c"}, {3 + id, "x" + std::to_string(k % 7)}},
                                  false},
              true);
    }
    plan.index.back().meta_record = plan.meta.size();
  }

  std::size_t MetaRecordAt(std::size_t ordinal) { return RecordAt("meta", ordinal); }
};
INSTANTIATE_TEST_SUITE_P(Versions, MetadataThreadsTest, ::testing::Values(2, 3), VersionName);

TEST_P(MetadataThreadsTest, OfInstancesThatChange) {  // ARC-1424, ARC-1425
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1424")));
}

TEST_P(MetadataThreadsTest, OfRecordsThatCannotBeDecoded) {  // ARC-1301, ARC-1109
  for (const std::size_t k : {5U, 30U, 100U, 200U, 290U})
    image().SetWord("meta", MetaRecordAt(k) + 4, 99);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1301")));
}

TEST_P(MetadataThreadsTest, OfLengthWordsThatDiffer) {  // ARC-1104
  for (const std::size_t k : {25U, 26U, 150U}) {
    const std::size_t begin = MetaRecordAt(k);
    image().SetWord("meta", begin + image().Word("meta", begin) - 4, 99);
  }
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1104")));
}

TEST_P(MetadataThreadsTest, OfFramesThatAreLost) {  // ARC-1101
  image().SetWord("meta", MetaRecordAt(200), 3);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1101")));
}

TEST_P(MetadataThreadsTest, OfAFileThatEndsInsideARecordOrInZeros) {  // ARC-1102, ARC-1107
  image().Append("meta", std::string(40, '\0'));
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1107")));
  Reset();
  image().Truncate("meta", MetaRecordAt(250) + 20);
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1102")));
}

TEST_P(MetadataThreadsTest, OfNoDescriptorAtAll) {  // ARC-1332
  std::erase_if(plan.meta, [](const archive::MetaRecordModel& record) {
    return std::holds_alternative<archive::DescModel>(record);
  });
  plan.has_index = false;
  plan.index.clear();
  EXPECT_THAT(Found(), Contains(StartsWith("ARC-1332")));
}

TEST_P(MetadataThreadsTest, OfAMemoryBudgetThatIsTooSmall) {
  std::size_t refused = 0;
  for (std::size_t kilobytes = 4; kilobytes < 200; kilobytes += 12) {
    options.memory = archive::MemoryBudget(kilobytes << 10);
    const std::vector<std::string> found = Found();
    refused += std::ranges::count(found, std::string("0")) > 0 ? 1 : 0;
  }
  EXPECT_GT(refused, 1U);
}

}  // namespace
}  // namespace pmproof::validator::testing
