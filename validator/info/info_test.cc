// SPDX-License-Identifier: Apache-2.0
#include "validator/info/info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/metadata.h"
#include "reference/archive/testing/compress.h"
#include "validator/info/render_info.h"

namespace pmproof::validator {
namespace {

using archive::Compression;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::kBaseTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

archive::ResultModel Mark(std::int64_t seconds, std::int32_t nanoseconds) {
  return {{seconds, nanoseconds}, {}};
}

// The base archive of ARC-1000 is edited and looked at as "d/a".
class InfoTest : public ::testing::TestWithParam<int> {
 protected:
  ArchiveInfo Gather() {
    Encode(plan_).Store("d/a", &storage_);
    return GatherInfo(storage_, "d/a");
  }
  ArchiveInfo Gather(const ArchiveImage& image) {
    image.Store("d/a", &storage_);
    return GatherInfo(storage_, "d/a");
  }

  // Makes the data `count` records a second apart.
  void Lengthen(int count) {
    auto& results = plan_.volumes[0];
    while (results.size() < static_cast<std::size_t>(count)) {
      results.push_back(results.back());
      results.back().time.seconds += 1;
    }
  }

  ArchivePlan plan_ = BaseArchive(GetParam());
  archive::MemoryStorage storage_;
};

TEST_P(InfoTest, ShowsTheLabel) {
  const ArchiveInfo info = Gather();
  EXPECT_FALSE(info.failure);
  ASSERT_TRUE(info.label);
  EXPECT_EQ(info.label->host, "testhost");
  EXPECT_EQ(info.label->pid, 4242);
  EXPECT_EQ(info.label->version, GetParam());
  EXPECT_EQ(info.archive, "d/a");
}

TEST_P(InfoTest, TheLongestDistanceIsThatOfDataRecordsAlone) {
  EXPECT_EQ(Gather().longest_distance->nanoseconds, 1'000'000'000);
  auto& results = plan_.volumes[0];
  for (std::size_t i = 4; i < results.size(); ++i) results[i].time.seconds += 100;
  results.insert(results.begin() + 4, Mark(kBaseTime + 50, 0));
  plan_.index.clear();
  const ArchiveInfo info = Gather();
  ASSERT_TRUE(info.longest_distance);
  EXPECT_EQ(info.longest_distance->from, (Timestamp{kBaseTime + 3, 0}));
  EXPECT_EQ(info.longest_distance->to, (Timestamp{kBaseTime + 104, 0}));
  EXPECT_EQ(info.longest_distance->nanoseconds, 101'000'000'000);
}

TEST_P(InfoTest, AVisitorIsToldOfTheMetadata) {
  Encode(plan_).Store("d/a", &storage_);
  std::size_t descs = 0;
  GatherInfo(storage_, "d/a", nullptr, archive::MemoryBudget(),
             [&](const archive::Metadata& metadata) { descs += metadata.descs.size(); });
  EXPECT_EQ(descs, 10U);
}

// The sizes of ARC-1000.
TEST_P(InfoTest, ShowsTheFiles) {
  const ArchiveInfo info = Gather();
  ASSERT_THAT(info.files, SizeIs(3));
  EXPECT_EQ(info.files[0].name, "a.meta");
  EXPECT_EQ(info.files[0].stored, GetParam() == 3 ? 1610U : 920U);
  EXPECT_EQ(info.files[0].uncompressed, info.files[0].stored);
  EXPECT_EQ(info.files[1].name, "a.index");
  EXPECT_EQ(info.files[2].name, "a.0");
  EXPECT_EQ(info.volumes, 1U);
}

TEST_P(InfoTest, ShowsCompressionAndBothSizes) {
  const ArchiveImage image = Encode(plan_);
  for (const auto& [suffix, content] : image.files) {
    storage_.files["d/a." + suffix + ".xz"] = archive::testing::Compress(content, Compression::kXz);
  }
  const ArchiveInfo info = GatherInfo(storage_, "d/a");
  ASSERT_THAT(info.files, SizeIs(3));
  for (const FileInfo& file : info.files) {
    EXPECT_EQ(file.compression, Compression::kXz);
    EXPECT_EQ(file.stored, storage_.files.at("d/" + file.name).size());
  }
  EXPECT_EQ(info.files[2].uncompressed, image.files.at("0").size());
  EXPECT_EQ(info.data.records, 6U);
  EXPECT_EQ(info.metadata.metrics, 10U);
}

TEST_P(InfoTest, CountsMetrics) {
  const MetadataCounts counts = Gather().metadata;
  EXPECT_EQ(counts.metrics, 10U);
  EXPECT_EQ(counts.descriptors, 10U);
  EXPECT_EQ(counts.names, 10U);
  EXPECT_THAT(counts.types,
              ElementsAre(Pair(MetricType::kU32, 3), Pair(MetricType::k64, 1),
                          Pair(MetricType::kFloat, 1), Pair(MetricType::kDouble, 1),
                          Pair(MetricType::kString, 1), Pair(MetricType::kAggregate, 1),
                          Pair(MetricType::kEvent, 1), Pair(MetricType::kHighresEvent, 1)));
  EXPECT_THAT(counts.semantics,
              ElementsAre(Pair(Semantics::kCounter, 1), Pair(Semantics::kInstant, 8),
                          Pair(Semantics::kDiscrete, 1)));
}

TEST_P(InfoTest, ARepeatedDescriptorIsNoOtherMetric) {
  plan_.meta.push_back(plan_.meta[0]);
  const MetadataCounts counts = Gather().metadata;
  EXPECT_EQ(counts.metrics, 10U);
  EXPECT_EQ(counts.descriptors, 11U);
}

TEST_P(InfoTest, CountsInstanceDomainsLabelsAndTexts) {
  const MetadataCounts counts = Gather().metadata;
  EXPECT_EQ(counts.indoms, 1U);
  EXPECT_EQ(counts.full_records, GetParam() == 3 ? 1U : 2U);
  EXPECT_EQ(counts.delta_records, GetParam() == 3 ? 1U : 0U);
  EXPECT_THAT(counts.labels,
              ElementsAre(Pair(LabelClass::kContext, 1), Pair(LabelClass::kInstances, 1)));
  EXPECT_THAT(counts.texts, ElementsAre(Pair(5, 1), Pair(6, 1), Pair(9, 1)));
  EXPECT_EQ(counts.undecoded, 0U);
}

TEST_P(InfoTest, CountsDataAndIndex) {
  const ArchiveInfo info = Gather();
  EXPECT_EQ(info.data.records, 6U);
  EXPECT_EQ(info.data.value_sets, 54U);
  EXPECT_EQ(info.data.values, 60U);
  EXPECT_EQ(info.data.marks, 0U);
  EXPECT_EQ(info.index_entries, 3U);
}

TEST_P(InfoTest, ShowsTheSpan) {
  const ArchiveInfo info = Gather();
  EXPECT_EQ(info.data.first, (Timestamp{kBaseTime, 0}));
  EXPECT_EQ(info.data.last, (Timestamp{kBaseTime + 5, 0}));
  EXPECT_NEAR(static_cast<double>(info.median_interval), 1e9, 0.032e9);
}

TEST_P(InfoTest, ShowsMarksWithTheRecordsAroundThem) {
  auto& results = plan_.volumes[0];
  results.insert(results.begin() + 3, Mark(kBaseTime + 2, 1'000'000));
  const ArchiveInfo info = Gather();
  EXPECT_EQ(info.data.records, 6U);
  EXPECT_EQ(info.data.marks, 1U);
  ASSERT_THAT(info.marks, SizeIs(1));
  EXPECT_EQ(info.marks[0].time, (Timestamp{kBaseTime + 2, 1'000'000}));
  EXPECT_EQ(info.marks[0].before, (Timestamp{kBaseTime + 2, 0}));
  EXPECT_EQ(info.marks[0].after, (Timestamp{kBaseTime + 3, 0}));
}

TEST_P(InfoTest, AMarkAtTheEndHasNothingBehindIt) {
  plan_.volumes[0].push_back(Mark(kBaseTime + 5, 1'000'000));
  const ArchiveInfo info = Gather();
  ASSERT_THAT(info.marks, SizeIs(1));
  EXPECT_EQ(info.marks[0].after, std::nullopt);
  EXPECT_EQ(info.data.last, (Timestamp{kBaseTime + 5, 1'000'000}));
}

TEST_P(InfoTest, AdjacentMarksHaveTheSameNeighbours) {
  auto& results = plan_.volumes[0];
  results.insert(results.begin() + 3, Mark(kBaseTime + 2, 2'000'000));
  results.insert(results.begin() + 3, Mark(kBaseTime + 2, 1'000'000));
  const ArchiveInfo info = Gather();
  ASSERT_THAT(info.marks, SizeIs(2));
  for (const MarkInfo& mark : info.marks) {
    EXPECT_EQ(mark.before, (Timestamp{kBaseTime + 2, 0}));
    EXPECT_EQ(mark.after, (Timestamp{kBaseTime + 3, 0}));
  }
}

TEST_P(InfoTest, OfManyMarksTheFirstAreKeptAndAllCounted) {
  auto& results = plan_.volumes[0];
  for (int i = 0; i < 100; ++i) results.push_back(Mark(kBaseTime + 6 + i, 0));
  const ArchiveInfo info = Gather();
  EXPECT_THAT(info.marks, SizeIs(ArchiveInfo::kMostMarks));
  EXPECT_EQ(info.data.marks, 100U);
}

TEST_P(InfoTest, ShowsALongIntervalAsAGap) {
  Lengthen(20);
  for (std::size_t i = 10; i < 20; ++i) plan_.volumes[0][i].time.seconds += 100;
  const ArchiveInfo info = Gather();
  ASSERT_THAT(info.gaps, SizeIs(1));
  EXPECT_EQ(info.gaps[0].from, (Timestamp{kBaseTime + 9, 0}));
  EXPECT_EQ(info.gaps[0].to, (Timestamp{kBaseTime + 110, 0}));
  EXPECT_EQ(info.gaps[0].nanoseconds, 101'000'000'000);
}

TEST_P(InfoTest, AnIntervalWithAMarkIsNoGap) {
  Lengthen(20);
  auto& results = plan_.volumes[0];
  for (std::size_t i = 10; i < 20; ++i) results[i].time.seconds += 100;
  results.insert(results.begin() + 10, Mark(kBaseTime + 9, 1'000'000));
  EXPECT_THAT(Gather().gaps, IsEmpty());
}

TEST_P(InfoTest, SeveralVolumesAreOneSpan) {
  auto& first = plan_.volumes[0];
  plan_.volumes[1].assign(first.begin() + 3, first.end());
  first.resize(3);
  const ArchiveInfo info = Gather();
  EXPECT_EQ(info.volumes, 2U);
  EXPECT_EQ(info.data.records, 6U);
  EXPECT_EQ(info.data.last, (Timestamp{kBaseTime + 5, 0}));
  EXPECT_THAT(info.files, SizeIs(4));
}

TEST_P(InfoTest, AMissingArchiveIsAFailure) {
  const ArchiveInfo info = GatherInfo(storage_, "d/none");
  ASSERT_TRUE(info.failure);
  EXPECT_EQ(info.failure->kind, Status::Kind::kNotFound);
}

TEST_P(InfoTest, FilesOfNoArchiveAreAFailure) {
  storage_.files["d/a.meta"] = {1, 2, 3};
  storage_.files["d/a.0"] = {1, 2, 3};
  const ArchiveInfo info = GatherInfo(storage_, "d/a");
  ASSERT_TRUE(info.failure);
  EXPECT_EQ(info.failure->kind, Status::Kind::kNotAnArchive);
}

TEST_P(InfoTest, WhatCanBeReadOfADamagedArchiveIsShown) {
  ArchiveImage image = Encode(plan_);
  image.Truncate("0", image.files["0"].size() - 10);
  const ArchiveInfo info = Gather(image);
  EXPECT_FALSE(info.failure);
  EXPECT_EQ(info.data.records, 5U);
  ASSERT_THAT(info.problems, SizeIs(1));
  EXPECT_EQ(info.problems[0].file, "a.0");
  EXPECT_EQ(info.problems[0].offset, Encode(plan_).Records("0").back());
}

TEST_P(InfoTest, AVolumeWithoutLabelIsAProblem) {
  ArchiveImage image = Encode(plan_);
  image.Truncate("0", 2);
  const ArchiveInfo info = Gather(image);
  EXPECT_FALSE(info.failure);
  EXPECT_THAT(info.problems, SizeIs(1));
  EXPECT_EQ(info.metadata.metrics, 10U);
  EXPECT_EQ(info.label->host, "testhost");
}

TEST_P(InfoTest, RecordsThatCannotBeDecodedAreCountedApart) {
  ArchiveImage image = Encode(plan_);
  const std::size_t record = image.Records("0")[2];
  image.SetWord("0", record + 4 + archive::LayoutOf(GetParam()).timestamp, 0x7fffffff);
  const ArchiveInfo info = Gather(image);
  EXPECT_EQ(info.data.records, 5U);
  EXPECT_EQ(info.data.undecoded, 1U);
}

TEST_P(InfoTest, TextShowsNoControlCharacters) {
  plan_.label.host = "h\x1b[31m";
  std::ostringstream out;
  InfoReport report;
  report.archives.push_back(Gather());
  RenderInfoText(report, Screen(), out);
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
  EXPECT_THAT(out.str(), HasSubstr("\\x1b"));
}

TEST_P(InfoTest, TextShowsTimesInBothForms) {
  std::ostringstream out;
  InfoReport report;
  report.archives.push_back(Gather());
  RenderInfoText(report, Screen(), out);
  EXPECT_THAT(out.str(), HasSubstr("2023-11-14T22:13:25Z (1700000005)"));
  EXPECT_THAT(out.str(), HasSubstr("length         5.000 s, a record every 1.0"));
}

INSTANTIATE_TEST_SUITE_P(Versions, InfoTest, ::testing::Values(2, 3),
                         [](const auto& instance) { return "V" + std::to_string(instance.param); });

}  // namespace
}  // namespace pmproof::validator
