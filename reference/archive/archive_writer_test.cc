// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/compressing_output.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Timestamp kStart{1700000000, 0};

ResultModel ResultAt(std::int64_t second, std::size_t payload = 8) {
  return {{kStart.seconds + second, 0},
          {{Pmid::Of(29, 0, 1),
            kDynamic,
            {{-1, BlockModel{7, std::string(payload, 'p'), std::nullopt}}},
            0}}};
}

DescModel Desc() {
  return {{Pmid::Of(29, 0, 1), MetricType::kAggregate, Indom::Null(), Semantics::kInstant, {}},
          {"m.agg"}};
}
IndomModel InstancesAt(std::int64_t second) {
  return {{kStart.seconds + second, 0}, Indom::Of(29, 1), {{0, "a"}}, false};
}

class ArchiveWriterTest : public ::testing::TestWithParam<int> {
 protected:
  ArchiveWriterTest() : output_(storage_) {
    options_.label.version = GetParam();
    options_.label.pid = 42;
    options_.label.host = "host";
    options_.label.timezone = "UTC";
  }

  std::size_t LabelSize() const { return LayoutOf(GetParam()).label; }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& [name, content] : storage_.files) names.push_back(name);
    return names;
  }

  ArchiveModel Read() {
    IgnoringReporter ignore;
    const auto files = FindArchive(storage_, "dir/out", ignore);
    EXPECT_TRUE(files);
    const auto model = DecodeArchive(storage_, *files);
    EXPECT_TRUE(model) << (model ? "" : model.error().ToText());
    return model.value_or(ArchiveModel{});
  }

  // Writes `count` data records a second apart, without any metadata but a descriptor.
  void Write(int count, std::size_t payload = 8) {
    ArchiveWriter writer(output_, "dir/out", options_);
    ASSERT_EQ(writer.Append(Desc()), std::nullopt);
    for (int i = 0; i < count; ++i) ASSERT_FALSE(writer.Append(ResultAt(i, payload)));
    const auto error = writer.Finish();
    ASSERT_FALSE(error) << error->ToText();
  }

  MemoryStorage storage_;
  MemoryOutput output_;
  WriterOptions options_;
};

TEST_P(ArchiveWriterTest, LabelsStartWithTheFirstRecord) {  // ARC-106, ARC-610
  options_.volume_records = 2;
  Write(3);
  const ArchiveModel archive = Read();
  EXPECT_EQ(archive.meta.label.start, kStart);
  EXPECT_EQ(archive.index->label.start, kStart);
  EXPECT_EQ(archive.volumes.at(1).label.start, kStart);
  EXPECT_EQ(archive.meta.label.volume, -1);
  EXPECT_EQ(archive.index->label.volume, -2);
  EXPECT_EQ(archive.volumes.at(1).label.volume, 1);
}

TEST_P(ArchiveWriterTest, ACountOfRecordsEndsAVolume) {  // ARC-611
  options_.volume_records = 2;
  Write(5);
  const ArchiveModel archive = Read();
  ASSERT_EQ(archive.volumes.size(), 3U);
  EXPECT_EQ(archive.volumes.at(0).records.size(), 2U);
  EXPECT_EQ(archive.volumes.at(1).records.size(), 2U);
  EXPECT_EQ(archive.volumes.at(2).records.size(), 1U);
  EXPECT_EQ(archive.volumes.at(2).records[0], ResultAt(4));
}

TEST_P(ArchiveWriterTest, AVolumeDoesNotPassItsLimitInBytes) {  // ARC-620 step 1
  options_.volume_bytes = 2000;
  Write(9, 500);
  const ArchiveModel archive = Read();
  EXPECT_GT(archive.volumes.size(), 2U);
  for (const auto& [part, volume] : archive.volumes) {
    EXPECT_FALSE(volume.records.empty());
    EXPECT_LE(storage_.files.at("dir/out." + PartSuffix(part)).size(), 2000U);
  }
}

TEST_P(ArchiveWriterTest, ARecordLargerThanTheLimitHasAVolumeOfItsOwn) {
  options_.volume_bytes = 1000;
  Write(2, 4000);
  EXPECT_EQ(Read().volumes.size(), 2U);
}

TEST_P(ArchiveWriterTest, TheIndexHasTheFirstAndTheLastRecord) {  // ARC-625, ARC-627
  Write(3);
  const std::uint64_t meta_end = storage_.files.at("dir/out.meta").size();
  const std::uint64_t data_end = storage_.files.at("dir/out.0").size();
  const std::uint64_t record = (data_end - LabelSize()) / 3;
  EXPECT_THAT(
      Read().index->records,
      ElementsAre(IndexEntryModel{kStart, 0, LabelSize(), LabelSize()},
                  IndexEntryModel{{kStart.seconds + 2, 0}, 0, meta_end, data_end - record}));
}

TEST_P(ArchiveWriterTest, ASingleRecordHasOneEntry) {  // ARC-626
  Write(1);
  EXPECT_EQ(Read().index->records.size(), 1U);
}

TEST_P(ArchiveWriterTest,
       AnInstanceDomainGetsAnEntryFromInFrontOfItsMetadata) {  // ARC-620 step 3, ARC-625
  ArchiveWriter writer(output_, "dir/out", options_);
  writer.Append(Desc());
  writer.Append(ResultAt(0));
  writer.Append(ResultAt(1));
  writer.Append(InstancesAt(2));
  writer.Append(TextModel{5, 1, "a text"});
  writer.Append(ResultAt(2));
  writer.Append(TextModel{6, 1, "another"});
  writer.Append(ResultAt(3));
  writer.Append(ResultAt(4));
  ASSERT_FALSE(writer.Finish());
  const ArchiveModel archive = Read();
  Buffer desc;
  AppendMetaRecord(Desc(), GetParam(), &desc);
  ASSERT_EQ(archive.index->records.size(), 3U);
  EXPECT_EQ(archive.index->records[1].time.seconds, kStart.seconds + 2);
  EXPECT_EQ(archive.index->records[1].meta_offset, LabelSize() + desc.size());
}

TEST_P(ArchiveWriterTest, AnEntryIsDueAfterSoManyBytesAndAtTheBeginningOfAVolume) {  // ARC-625
  options_.index = {10000, false};
  options_.volume_records = 10;
  Write(20, 2000);
  std::vector<std::int64_t> seconds;
  const ArchiveModel archive = Read();
  for (const IndexEntryModel& entry : archive.index->records)
    seconds.push_back(entry.time.seconds - kStart.seconds);
  // A record has about 2 kB. In the first volume the fifth one passes 10 kB, and the tenth that and
  // 10 kB more. The second volume has an entry at its beginning, and the sixth record there is 10
  // kB further.
  EXPECT_THAT(seconds, ElementsAre(0, 4, 9, 10, 15));
}

TEST_P(ArchiveWriterTest, AMarkHasNoEntry) {  // ARC-512
  ArchiveWriter writer(output_, "dir/out", options_);
  writer.Append(Desc());
  writer.Append(ResultAt(0));
  writer.Append(ResultModel{{kStart.seconds, 1'000'000}, {}});
  ASSERT_FALSE(writer.Finish());
  EXPECT_EQ(Read().volumes.at(0).records.size(), 2U);
  EXPECT_EQ(Read().index->records.size(), 1U);
}

TEST_P(ArchiveWriterTest, AnArchiveWithoutIndexCanBeWanted) {  // ARC-042
  options_.has_index = false;
  Write(2);
  EXPECT_THAT(Files(), ElementsAre("dir/out.0", "dir/out.meta"));
}

TEST_P(ArchiveWriterTest, NothingIsSeenBeforeTheEndAndNothingIsLeftWithoutIt) {
  {
    ArchiveWriter writer(output_, "dir/out", options_);
    writer.Append(Desc());
    writer.Append(ResultAt(0));
    EXPECT_THAT(Files(), ::testing::Each(::testing::Not(::testing::HasSubstr("out"))));
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_P(ArchiveWriterTest, AFullDiskIsSaidAndNothingIsLeft) {
  output_.space = 1500;
  {
    ArchiveWriter writer(output_, "dir/out", options_);
    writer.Append(Desc());
    for (int i = 0; i < 10; ++i) writer.Append(ResultAt(i, 500));
    const auto error = writer.Finish();
    ASSERT_TRUE(error);
    EXPECT_THAT(error->ToText(), ::testing::StartsWith("dir/out."));
    EXPECT_THAT(error->ToText(), ::testing::EndsWith("No space left on device"));
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_P(ArchiveWriterTest, AFileInTheWayIsLeftAloneAndNothingElseIsLeft) {
  storage_.files["dir/out.0"] = {1, 2, 3};
  {
    ArchiveWriter writer(output_, "dir/out", options_);
    writer.Append(Desc());
    writer.Append(ResultAt(0));
    const auto error = writer.Finish();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->ToText(), "dir/out.0: File exists");
  }
  EXPECT_THAT(Files(), ElementsAre("dir/out.0"));
  EXPECT_EQ(storage_.files["dir/out.0"], (Buffer{1, 2, 3}));
}

TEST_P(ArchiveWriterTest, TheFilesReplacedComeBackWhereReplacingFails) {
  storage_.files["dir/out.0"] = {1};
  storage_.files["dir/out.7.xz"] = {7};
  output_.refuses_rename = [](const std::string& path) { return path == "dir/out.meta"; };
  {
    ArchiveWriter writer(output_, "dir/out", options_);
    writer.Append(Desc());
    writer.Append(ResultAt(0));
    EXPECT_TRUE(writer.Finish({"dir/out.0", "dir/out.7.xz"}));
  }
  EXPECT_THAT(Files(), ElementsAre("dir/out.0", "dir/out.7.xz"));
  EXPECT_EQ(storage_.files["dir/out.0"], Buffer{1});
}

TEST_P(ArchiveWriterTest, TheFilesReplacedAreGone) {
  storage_.files["dir/out.0"] = {1};
  storage_.files["dir/out.7.xz"] = {7};
  ArchiveWriter writer(output_, "dir/out", options_);
  writer.Append(Desc());
  writer.Append(ResultAt(0));
  ASSERT_FALSE(writer.Finish({"dir/out.0", "dir/out.7.xz"}));
  EXPECT_THAT(Files(), ElementsAre("dir/out.0", "dir/out.index", "dir/out.meta"));
  EXPECT_EQ(Read().volumes.at(0).records.size(), 1U);
}

TEST_P(ArchiveWriterTest, AnArchiveWithoutDataIsNotWritten) {  // ARC-043
  ArchiveWriter writer(output_, "dir/out", options_);
  writer.Append(Desc());
  const auto error = writer.Finish();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->ToText(),
            "dir/out: an archive without a data record cannot be opened [ARC-043]");
}

TEST_P(ArchiveWriterTest, EveryCompressionCanBeReadAgain) {  // ARC-033
  for (const Compression compression :
       {Compression::kXz, Compression::kGzip, Compression::kBzip2, Compression::kZstd}) {
    storage_.files.clear();
    options_.compression = Compression::kNone;
    Write(500, 3000);
    const ArchiveModel plain = Read();
    storage_.files.clear();
    options_.compression = compression;
    Write(500, 3000);
    EXPECT_THAT(Files(), ElementsAre("dir/out.0" + std::string(SuffixOf(compression)),
                                     "dir/out.index" + std::string(SuffixOf(compression)),
                                     "dir/out.meta" + std::string(SuffixOf(compression))));
    EXPECT_LT(storage_.files.begin()->second.size(), 100'000U);
    EXPECT_EQ(Read(), plain);
  }
}

TEST_P(ArchiveWriterTest, AVolumeBeginsWhereItIsAskedFor) {  // ARC-611
  ArchiveWriter writer(output_, "dir/out", options_);
  ASSERT_EQ(writer.Append(Desc()), std::nullopt);
  writer.NextVolume();  // the first record has one anyway
  for (int i = 0; i < 4; ++i) {
    if (i == 3) writer.NextVolume();
    ASSERT_FALSE(writer.Append(ResultAt(i)));
  }
  ASSERT_FALSE(writer.Finish());
  const ArchiveModel archive = Read();
  ASSERT_EQ(archive.volumes.size(), 2U);
  EXPECT_EQ(archive.volumes.at(0).records.size(), 3U);
  EXPECT_EQ(archive.volumes.at(1).records.size(), 1U);
}

TEST_P(ArchiveWriterTest, TwoEntriesChangePlacesOnPurpose) {  // ARC-1908
  options_.volume_records = 1;                                // an entry for each record
  for (const std::uint64_t swapped : {1, 3}) {
    options_.index.swapped = swapped;
    storage_.files.clear();
    Write(4);
    const ArchiveModel archive = Read();
    std::vector<std::int64_t> seconds;
    for (const IndexEntryModel& entry : archive.index->records)
      seconds.push_back(entry.time.seconds - kStart.seconds);
    // The last one has none after it.
    EXPECT_EQ(seconds, swapped == 1 ? (std::vector<std::int64_t>{0, 2, 1, 3})
                                    : (std::vector<std::int64_t>{0, 1, 2, 3}));
  }
}

TEST_P(ArchiveWriterTest, NoEntryStandsForARecordThatGoesBack) {
  options_.index.bytes_between = 0;
  options_.index.only_forward = true;
  ArchiveWriter writer(output_, "dir/out", options_);
  ASSERT_EQ(writer.Append(Desc()), std::nullopt);
  for (const int second : {0, 2, 1, 3}) ASSERT_FALSE(writer.Append(ResultAt(second)));
  ASSERT_FALSE(writer.Finish());
  const ArchiveModel archive = Read();
  std::vector<std::int64_t> seconds;
  for (const IndexEntryModel& entry : archive.index->records)
    seconds.push_back(entry.time.seconds - kStart.seconds);
  EXPECT_THAT(seconds, ElementsAre(0, 2, 3));
}

TEST_P(ArchiveWriterTest, IsPublishedTogetherWithOtherFiles) {
  {
    ArchiveOutput files(output_, "dir/out");
    ArchiveWriter writer(files, "dir/out-1", options_);
    ASSERT_FALSE(writer.Append(Desc()));
    ASSERT_FALSE(writer.Append(ResultAt(0)));
    const auto more = files.AddFile("out-1.json", Compression::kNone);
    ASSERT_TRUE(more);
    ASSERT_FALSE(writer.Finish());
    EXPECT_THAT(Files(), ::testing::Each(::testing::HasSubstr(".tmp")));
    ASSERT_FALSE(files.Publish());
  }
  EXPECT_THAT(Files(),
              ElementsAre("dir/out-1.0", "dir/out-1.index", "dir/out-1.json", "dir/out-1.meta"));
}

INSTANTIATE_TEST_SUITE_P(Versions, ArchiveWriterTest, ::testing::Values(2, 3));

TEST(FilesOfTest, AreThoseOfTheBaseNameAlone) {
  MemoryStorage storage;
  for (const char* name : {"a", "a.0", "a.1.meta", "a.12.xz", "a.9/b.0", "a.b.0", "a.index.gz",
                           "a.meta", "a.txt", "a-.0", "a .0", "aa.0", "b.0"}) {
    storage.files["d/" + std::string(name)];
  }
  EXPECT_THAT(FilesOf(storage, "d/a"),
              ElementsAre("d/a.0", "d/a.12.xz", "d/a.index.gz", "d/a.meta"));
  EXPECT_THAT(FilesOf(storage, "d/a.1"), ElementsAre("d/a.1.meta"));
  EXPECT_THAT(FilesOf(storage, "d/b"), ElementsAre("d/b.0"));
  EXPECT_THAT(FilesOf(storage, "d/c"), IsEmpty());
  EXPECT_THAT(FilesOf(storage, "e/a"), IsEmpty());
}

TEST(PosixOutputTest, AFileIsThereUnderItsNewNameOnly) {
  const auto output = MakePosixOutput();
  const std::string folder = ::testing::TempDir();
  const std::string a = folder + "/posix_output_a";
  const std::string b = folder + "/posix_output_b";
  auto file = output->Create(a);
  ASSERT_TRUE(file);
  ASSERT_FALSE((*file)->Write(AsBytes("content")));
  ASSERT_FALSE((*file)->Close());
  EXPECT_EQ(output->Create(a).error().code, kFileExists);
  ASSERT_FALSE(output->Rename(a, b));
  EXPECT_EQ(AsText((*MakePosixStorage()->Open(b))->bytes()), "content");
  EXPECT_FALSE(MakePosixStorage()->Open(a));
  ASSERT_TRUE(output->Create(a));
  EXPECT_EQ(output->Rename(a, b)->ToText(), b + ": File exists");
  EXPECT_FALSE(output->Remove(a));
  EXPECT_FALSE(output->Remove(b));
  EXPECT_EQ(output->Remove(b)->message, "No such file or directory");
}

// A limit on the size of files stands for a full disk.
TEST(PosixOutputTest, WhatDoesNotFitIsSaid) {
  const auto output = MakePosixOutput();
  const std::string path = ::testing::TempDir() + "/posix_output_limited";
  auto file = output->Create(path);
  ASSERT_TRUE(file);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto error = (*file)->Write(Buffer(100));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->ToText(), path + ": File too large");
  EXPECT_FALSE(output->Remove(path));
}

}  // namespace
}  // namespace pmproof::archive
