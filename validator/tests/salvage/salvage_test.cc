// SPDX-License-Identifier: Apache-2.0
// What is saved of an archive with one thing wrong, and what the report says of it.

#include "validator/salvage/salvage.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/testing/compress.h"
#include "validator/tests/salvage/salvaged.h"

namespace pmproof::validator::testing {
namespace {

using archive::Buffer;
using archive::Compression;
using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::FilesByName;

FilesByName Named(const ArchiveImage& image) {
  FilesByName files;
  for (const auto& [suffix, content] : image.files) files["base." + suffix] = content;
  return files;
}

// "records ARC-1104 base.0", one for each loss.
std::vector<std::string> Lines(const Salvaged& salvaged) {
  std::vector<std::string> lines;
  for (const Loss& loss : salvaged.report().losses) {
    lines.push_back(std::string(ToText(loss.kind)) + " " + loss.clause.ToString() + " " +
                    loss.file);
  }
  return lines;
}

using Strings = std::vector<std::string>;

// The archive of ARC-1000 with six data records.
ArchivePlan SixRecords(int version) {
  ArchivePlan plan = generators::BaseArchive(version);
  std::vector<archive::ResultModel>& records = plan.volumes.at(0);
  while (records.size() < 6) {
    records.push_back(records.back());
    ++records.back().time.seconds;
  }
  return plan;
}

class SalvageTest : public ::testing::TestWithParam<int> {
 protected:
  ArchivePlan plan_ = SixRecords(GetParam());
  ArchiveImage image_ = Encode(plan_);
  const std::size_t records_ = plan_.volumes.at(0).size();

  std::size_t Offset(std::size_t record) const { return image_.Records("0").at(record); }

  Salvaged SalvageIt() const {
    const FilesByName files = Named(image_);
    Salvaged salvaged = SalvageFiles(files);
    EXPECT_EQ(WrongInAnyCase(files, salvaged), "");
    EXPECT_EQ(WrongRecords(FilesOf(plan_), files, salvaged, /*all=*/false), "");
    return salvaged;
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, SalvageTest, ::testing::Values(2, 3));

TEST_P(SalvageTest, ARecordWithOneWrongLengthWordIsLostAndAMarkStandsInItsPlace) {
  const std::size_t begin = Offset(2);
  const std::size_t end = Offset(3);
  image_.SetWord("0", end - 4, 12);
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(Lines(salvaged), Strings{"bytes ARC-1104 base.0"});
  const Loss& loss = salvaged.report().losses.front();
  EXPECT_EQ(loss.offset, begin);
  EXPECT_EQ(loss.length, end - begin);
  EXPECT_EQ(loss.from, plan_.volumes.at(0)[0].time);
  EXPECT_EQ(loss.until, plan_.volumes.at(0)[2].time);
  EXPECT_EQ(salvaged.report().kept.records, records_ - 1);
  EXPECT_EQ(salvaged.report().marks_written, 1U);
}

TEST_P(SalvageTest, WhatStandsBehindStrayBytesIsFoundAgainWhereverItBegins) {
  for (const char* stray : {"x", "xy", "xyz", "abcdefgh", "\xff\xff\xff\xff\xff"}) {
    ArchiveImage image = image_;
    image.Insert("0", Offset(3), stray);
    const Salvaged salvaged = SalvageFiles(Named(image));
    EXPECT_EQ(WrongInAnyCase(Named(image), salvaged), "") << stray;
    EXPECT_EQ(salvaged.report().kept.records, records_) << stray;
    EXPECT_EQ(salvaged.report().lost.bytes, std::string(stray).size()) << stray;
  }
}

TEST_P(SalvageTest, ADamagedLabelOfAVolumeIsTakenFromAnotherFile) {
  for (std::size_t i = 0; i < archive::LayoutOf(GetParam()).label; ++i) {
    image_.SetByte("0", i, 0xee);
  }
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().label_from, "base.index");
  EXPECT_EQ(salvaged.report().kept.records, records_);
  EXPECT_EQ(Lines(salvaged), (Strings{"label ARC-1203 base.0", "bytes ARC-1203 base.0"}));
}

TEST_P(SalvageTest, AMissingIndexIsMadeAnewAndNothingIsLost) {
  const FilesByName whole = Named(image_);
  image_.files.erase("index");
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kWhole);
  EXPECT_TRUE(salvaged.report().index_was_missing);
  EXPECT_TRUE(salvaged.out().at("base.0") == whole.at("base.0"));
  EXPECT_TRUE(salvaged.out().at("base.meta") == whole.at("base.meta"));
}

TEST_P(SalvageTest, WithoutMetaTheReportSaysWhatTheVolumesHeldOfEachMetric) {
  image_.files.erase("meta");
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kNothing);
  EXPECT_EQ(salvaged.report().why_nothing, "without .meta nobody can say what the values are");
  ASSERT_GT(Lines(salvaged).size(), 3U);
  EXPECT_EQ(Lines(salvaged).front(), "file ARC-1001 base.meta");
  EXPECT_EQ(Lines(salvaged).back(), "values ARC-1801 base.0");
  EXPECT_EQ(salvaged.report().losses.back().from, plan_.volumes.at(0).front().time);
  EXPECT_EQ(salvaged.report().losses.back().until, plan_.volumes.at(0).back().time);
}

TEST_P(SalvageTest, ALostDescriptorCostsTheValuesOfItsMetricAndNoOther) {
  const auto desc = std::ranges::find_if(plan_.meta, [](const archive::MetaRecordModel& record) {
    return std::holds_alternative<archive::DescModel>(record);
  });
  const auto i = static_cast<std::size_t>(desc - plan_.meta.begin());
  const Pmid pmid = std::get<archive::DescModel>(*desc).descriptor.pmid;
  image_.SetWord("meta", image_.Records("meta").at(i + 1) + 4, 99);  // its type
  const Salvaged salvaged = SalvageIt();
  ASSERT_EQ(Lines(salvaged), (Strings{"metadata ARC-1301 base.meta", "values ARC-1801 base.0"}));
  EXPECT_EQ(salvaged.report().losses.back().subject, ToText(pmid));
  EXPECT_EQ(salvaged.report().kept.records, records_);
  EXPECT_EQ(salvaged.report().marks_written, 0U);
}

TEST_P(SalvageTest, OneWrongTimeCostsOneRecord) {
  for (const std::int64_t wrong : {std::int64_t{5}, std::int64_t{1900000000}}) {
    ArchivePlan plan = plan_;
    plan.volumes.at(0)[2].time.seconds = wrong;
    const Salvaged salvaged = SalvageFiles(FilesOf(plan));
    EXPECT_EQ(WrongInAnyCase(FilesOf(plan), salvaged), "");
    EXPECT_EQ(salvaged.report().kept.records, records_ - 1) << wrong;
    EXPECT_EQ(Lines(salvaged),
              Strings{wrong == 5 ? "records ARC-1719 base.0" : "records ARC-1720 base.0"});
  }
}

TEST_P(SalvageTest, AStartThatIsLaterThanTheRecordsIsReplaced) {
  plan_.label.start.seconds += 1000000;
  image_ = Encode(plan_);
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().kept.records, records_);
}

TEST_P(SalvageTest, WhereAVolumeIsMissingAMarkIsWrittenAndVolumesAreNumberedAnew) {
  std::vector<archive::ResultModel> all = plan_.volumes.at(0);
  plan_.volumes[0] = {all[0], all[1]};
  plan_.volumes[1] = {all[2], all[3]};
  plan_.volumes[2] = {all.begin() + 4, all.end()};
  plan_.index.clear();
  plan_.has_index = false;
  image_ = Encode(plan_);
  image_.files.erase("1");
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(Lines(salvaged), Strings{"file ARC-1006 base.1"});
  EXPECT_EQ(salvaged.report().losses.front().from, all[1].time);
  EXPECT_EQ(salvaged.report().losses.front().until, all[4].time);
  EXPECT_EQ(salvaged.report().marks_written, 1U);
  EXPECT_EQ(salvaged.report().kept.volumes, 2U);
  EXPECT_TRUE(salvaged.out().contains("base.1"));
}

TEST_P(SalvageTest, OfACompressedFileThatIsCutTheBeginningIsSaved) {
  for (const auto& [suffix, compression] :
       {std::pair{".xz", Compression::kXz}, std::pair{".gz", Compression::kGzip},
        std::pair{".zst", Compression::kZstd}}) {
    FilesByName files = Named(image_);
    Buffer packed = archive::testing::Compress(files.at("base.0"), compression);
    files.erase("base.0");
    files["base.0" + std::string(suffix)] = packed;
    Salvaged salvaged = SalvageFiles(files);
    EXPECT_EQ(WrongInAnyCase(files, salvaged), "");
    EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kWhole) << suffix;
    EXPECT_TRUE(salvaged.out().at("base.0") == image_.files.at("0")) << suffix;

    files["base.0" + std::string(suffix)].resize(packed.size() - 12);
    salvaged = SalvageFiles(files);
    EXPECT_EQ(WrongInAnyCase(files, salvaged), "") << suffix;
    EXPECT_EQ(WrongRecords(FilesOf(plan_), files, salvaged, /*all=*/true), "")
        << suffix << "\n"
        << LossesOf(salvaged);
    ASSERT_FALSE(Lines(salvaged).empty());
    EXPECT_EQ(Lines(salvaged).back(), "bytes ARC-1009 base.0" + std::string(suffix));
  }
}

TEST_P(SalvageTest, ATailOfZerosIsOneLoss) {
  image_.Append("0", std::string(5000, '\0'));
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(Lines(salvaged), Strings{"bytes ARC-1107 base.0"});
  EXPECT_EQ(salvaged.report().lost.bytes, 5000U);
  EXPECT_EQ(salvaged.report().marks_written, 0U);
}

TEST_P(SalvageTest, ZerosInTheMiddleCostWhatTheyCover) {
  const std::size_t end = Offset(4) + 8;
  for (std::size_t at = Offset(2) + 8; at < end; ++at) image_.SetByte("0", at, 0);
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().kept.records, records_ - 3);
  EXPECT_EQ(salvaged.report().marks_written, 1U);
}

TEST_P(SalvageTest, WithoutALabelThereIsNothingToSave) {
  for (auto& [suffix, content] : image_.files) content[5] ^= 0xff;
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kNothing);
  EXPECT_EQ(salvaged.report().why_nothing, "no file of the archive has a label that can be read");
}

TEST_P(SalvageTest, OfADescriptorThatIsAtOddsWithTheFirstTheFirstIsKept) {
  archive::DescModel other =
      std::get<archive::DescModel>(*std::ranges::find_if(plan_.meta, [](const auto& record) {
        return std::holds_alternative<archive::DescModel>(record);
      }));
  other.descriptor.semantics =
      other.descriptor.semantics == Semantics::kInstant ? Semantics::kCounter : Semantics::kInstant;
  plan_.meta.push_back(other);
  image_ = Encode(plan_);
  const Salvaged salvaged = SalvageIt();
  EXPECT_EQ(Lines(salvaged), Strings{"metadata ARC-1312 base.meta"});
  EXPECT_EQ(salvaged.report().kept.records, records_);
}

// An output in which one byte goes wrong, as no check of the input can know.
class FaultyOutput final : public archive::OutputStorage {
 public:
  FaultyOutput(archive::MemoryStorage& storage, std::string of)
      : memory_(storage), storage_(storage), of_(std::move(of)) {}

  Result<std::unique_ptr<archive::OutputFile>> Create(const std::string& path) override {
    auto file = memory_.Create(path);
    if (!file) return file;
    ++created_;
    if (std::to_string(created_) != of_) return file;
    class Faulty final : public archive::OutputFile {
     public:
      Faulty(std::unique_ptr<archive::OutputFile> file, Buffer& content)
          : file_(std::move(file)), content_(content) {}
      std::optional<Status> Write(Bytes bytes) override { return file_->Write(bytes); }
      std::optional<Status> Close() override {
        content_.back() ^= 0xff;
        return file_->Close();
      }

     private:
      std::unique_ptr<archive::OutputFile> file_;
      Buffer& content_;
    };
    return std::make_unique<Faulty>(*std::move(file), storage_.files.at(path));
  }
  std::optional<Status> Rename(const std::string& from, const std::string& to) override {
    return memory_.Rename(from, to);
  }
  std::optional<Status> Replace(const std::string& from, const std::string& to) override {
    return memory_.Replace(from, to);
  }
  std::optional<Status> Remove(const std::string& path) override { return memory_.Remove(path); }

 private:
  archive::MemoryOutput memory_;
  archive::MemoryStorage& storage_;
  std::string of_;
  int created_ = 0;
};

TEST_P(SalvageTest, WhatTheCheckRefusesIsNotPublishedAndNothingIsLeft) {
  for (const char* of : {"2", "3"}) {  // .meta, the volume
    archive::MemoryStorage storage;
    image_.Store("in/base", &storage);
    storage.files["out/README"] = {};
    const auto before = storage.files;
    FaultyOutput output(storage, of);
    const SalvageOutcome outcome =
        Salvage(storage, "in/base", output, "out/saved", Catalogue::Shipped(), {});
    ASSERT_TRUE(outcome.failure) << of;
    EXPECT_EQ(outcome.failure->cause, SalvageFailure::Cause::kNotConformant) << of;
    EXPECT_TRUE(storage.files == before) << of;
  }
}

TEST_P(SalvageTest, AFullDiskLeavesNothing) {
  for (std::uint64_t space = 0; space < 3000; space += 97) {
    archive::MemoryStorage storage;
    image_.Store("in/base", &storage);
    storage.files["out/README"] = {};
    const auto before = storage.files;
    archive::MemoryOutput output(storage);
    output.space = space;
    const SalvageOutcome outcome =
        Salvage(storage, "in/base", output, "out/saved", Catalogue::Shipped(), {});
    if (!outcome.failure) break;
    EXPECT_EQ(outcome.failure->cause, SalvageFailure::Cause::kOutput);
    EXPECT_TRUE(storage.files == before) << space;
  }
}

TEST_P(SalvageTest, ABudgetThatIsTooSmallIsSaidAndNothingIsLeft) {
  const Salvaged salvaged = SalvageFiles(Named(image_), archive::MemoryBudget(512));
  ASSERT_TRUE(salvaged.outcome.failure);
  EXPECT_EQ(salvaged.outcome.failure->status.kind, Status::Kind::kBudget);
  EXPECT_TRUE(salvaged.out().empty());
}

// Each place of it begins what looks like a record that reaches far.
TEST_P(SalvageTest, BytesThatImitateRecordsAreSearchedInLinearTime) {
  const std::size_t size = std::size_t{2} << 20;
  std::string bytes(size, '\0');
  const std::uint32_t length = static_cast<std::uint32_t>(size / 2);
  for (std::size_t at = 4; at + 4 <= size; at += 4) {
    StoreU32(reinterpret_cast<std::uint8_t*>(bytes.data()) + at, length);
  }
  image_.Insert("0", Offset(2), bytes);
  image_.Insert("meta", image_.Records("meta").at(2), bytes);
  const auto begin = std::chrono::steady_clock::now();
  const FilesByName files = Named(image_);
  const Salvaged salvaged = SalvageFiles(files);
  EXPECT_EQ(WrongInAnyCase(files, salvaged), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace pmproof::validator::testing
