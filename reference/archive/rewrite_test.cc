// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Indom kIndom = Indom::Of(29, 1);

class RewriteTest : public ::testing::Test {
 protected:
  // Rewrites the image as "out/new"; the failure's text, empty if there is none.
  std::string Run(const ArchiveImage& image, const RewriteOptions& options = {}) {
    storage_.files.clear();
    image.Store("in/base", &storage_);
    return RunAsStored(options);
  }

  std::string RunAsStored(const RewriteOptions& options = {}) {
    const MemoryStorage before = storage_;
    IgnoringReporter ignore;
    const auto files = FindArchive(storage_, "in/base", ignore);
    const auto failure = Rewrite(before, *files, output_, "out/new", options);
    for (const auto& [name, content] : before.files)
      EXPECT_EQ(storage_.files.at(name), content) << name;
    if (!failure) return "";
    cause_ = failure->cause;
    EXPECT_THAT(OutNames(), IsEmpty());
    return failure->status.ToText();
  }

  std::vector<std::string> OutNames() const {
    std::vector<std::string> names;
    for (const auto& [name, content] : storage_.files) {
      if (name.starts_with("out/")) names.push_back(name);
    }
    return names;
  }

  // The archive that came out.
  ArchiveModel Out() {
    IgnoringReporter ignore;
    const auto files = FindArchive(storage_, "out/new", ignore);
    if (!files) return {};
    const auto model = DecodeArchive(storage_, *files);
    EXPECT_TRUE(model) << (model ? "" : model.error().ToText());
    return model.value_or(ArchiveModel{});
  }

  void ExpectOut(const ArchiveImage& expected) {
    EXPECT_EQ(OutNames().size(), expected.files.size());
    for (const auto& [suffix, content] : expected.files)
      EXPECT_EQ(storage_.files["out/new." + suffix], content) << suffix;
  }

  std::string Convert(const ArchivePlan& plan, int version) {
    return Run(generators::Encode(plan), {.version = version});
  }

  MemoryStorage storage_;
  MemoryOutput output_{storage_};
  RewriteFailure::Cause cause_{};
};

// The worked example of version 3 with what version 2 can say: no zoneinfo, whole domains.
ArchivePlan PlainExample(int version) {
  ArchivePlan plan = generators::WorkedExample(2);
  plan.label.version = version;
  return plan;
}

TEST_F(RewriteTest, WithoutOptionsEachFileIsTheSame) {  // ARC-600
  for (const int version : {2, 3}) {
    const ArchiveImage image = generators::Encode(generators::BaseArchive(version));
    EXPECT_EQ(Run(image), "");
    ExpectOut(image);
  }
}

TEST_F(RewriteTest, TheVersionThatItHasChangesNothing) {
  const ArchiveImage image = generators::Encode(generators::BaseArchive(3));
  EXPECT_EQ(Run(image, {.version = 3}), "");
  ExpectOut(image);
}

TEST_F(RewriteTest, WhatReadersPassOverIsKept) {  // ARC-084, ARC-102, ARC-453
  ArchiveImage image = generators::Encode(generators::BaseArchive(2));
  image.SetByte("meta", 60, 'r');
  image.Append("0", "abc");
  image.Append("index", std::string(19, 'x'));
  EXPECT_EQ(Run(image), "");
  ExpectOut(image);
}

TEST_F(RewriteTest, ACompressedFileIsKeptAsItLies) {
  const ArchiveImage image = generators::Encode(generators::BaseArchive(3));
  image.Store("in/base", &storage_);
  const std::vector<std::uint8_t> packed =
      testing::Compress(image.files.at("0"), Compression::kLzma);
  storage_.files.erase("in/base.0");
  storage_.files["in/base.0.lzma"] = packed;
  EXPECT_EQ(RunAsStored(), "");
  EXPECT_THAT(OutNames(), ElementsAre("out/new.0.lzma", "out/new.index", "out/new.meta"));
  EXPECT_EQ(storage_.files["out/new.0.lzma"], packed);
}

TEST_F(RewriteTest, CompressionCanBeTakenOffAndPutOn) {  // ARC-033
  const ArchiveImage image = generators::Encode(generators::BaseArchive(3));
  image.Store("in/base", &storage_);
  storage_.files["in/base.meta.gz"] = testing::Compress(image.files.at("meta"), Compression::kGzip);
  storage_.files.erase("in/base.meta");
  EXPECT_EQ(RunAsStored({.compression = Compression::kNone}), "");
  ExpectOut(image);
  EXPECT_EQ(Run(image, {.compression = Compression::kZstd}), "");
  EXPECT_THAT(OutNames(), ElementsAre("out/new.0.zst", "out/new.index.zst", "out/new.meta.zst"));
  EXPECT_EQ(EncodeArchive(Out()).at(kMetaPart), image.files.at("meta"));
}

TEST_F(RewriteTest, AConvertedFileKeepsItsKindOfCompression) {
  const ArchiveImage image = generators::Encode(PlainExample(2));
  image.Store("in/base", &storage_);
  storage_.files["in/base.0.lzma"] = testing::Compress(image.files.at("0"), Compression::kLzma);
  storage_.files.erase("in/base.0");
  EXPECT_EQ(RunAsStored({.version = 3}), "");
  EXPECT_THAT(OutNames(), ElementsAre("out/new.0.xz", "out/new.index", "out/new.meta"));
  EXPECT_EQ(EncodeArchive(Out()).at(0), generators::Encode(PlainExample(3)).files.at("0"));
}

TEST_F(RewriteTest, TheWorkedExampleOfVersion2BecomesThatOfVersion3) {  // ARC-680, ARC-681
  EXPECT_EQ(Convert(generators::WorkedExample(2), 3), "");
  const ArchiveImage three = generators::Encode(generators::WorkedExample(3));
  ExpectOut(generators::Encode(PlainExample(3)));
  // As the specification has it: all records of the volume, those of .meta up to the last one,
  // which is a delta there, and the index.
  const auto same = [&](const char* suffix, std::size_t begin, std::size_t end) {
    const Buffer& out = storage_.files["out/new." + std::string(suffix)];
    const Buffer& expected = three.files.at(suffix);
    ASSERT_GE(out.size(), end);
    EXPECT_TRUE(std::equal(out.begin() + static_cast<std::ptrdiff_t>(begin),
                           out.begin() + static_cast<std::ptrdiff_t>(end),
                           expected.begin() + static_cast<std::ptrdiff_t>(begin)))
        << suffix;
  };
  same("0", 808, 1112);
  same("meta", 808, 1188);
  same("index", 808, 872);
  same("0", 0, 548);
}

TEST_F(RewriteTest, TheWorkedExampleOfVersion3BecomesThatOfVersion2) {  // ARC-372, ARC-602
  EXPECT_EQ(Convert(generators::WorkedExample(3), 2), "");
  ExpectOut(generators::Encode(generators::WorkedExample(2)));
}

TEST_F(RewriteTest, TheBaseArchiveOfVersion3BecomesThatOfVersion2) {  // ARC-1000
  EXPECT_EQ(Convert(generators::BaseArchive(3), 2), "");
  ExpectOut(generators::Encode(generators::BaseArchive(2)));
}

TEST_F(RewriteTest, IndexEntriesFollowRecordsInEveryVolume) {
  ArchivePlan plan = PlainExample(2);
  plan.volumes[4] = {plan.volumes[0].back()};
  plan.index.push_back({{1700000002, 0}, 4, plan.meta.size(), 1});  // the end of the file (ARC-454)
  EXPECT_EQ(Convert(plan, 3), "");
  plan.label.version = 3;
  ExpectOut(generators::Encode(plan));
}

TEST_F(RewriteTest, InstancesAreInAscendingOrderInVersion3) {  // ARC-343
  ArchivePlan plan = PlainExample(2);
  plan.meta[5] = IndomModel{plan.label.start, kIndom, {{7, "z"}, {1, "bc"}}, false};
  EXPECT_EQ(Convert(plan, 3), "");
  EXPECT_EQ(Out().meta.records[5],
            MetaRecordModel(IndomModel({plan.label.start, kIndom, {{1, "bc"}, {7, "z"}}, false})));
}

TEST_F(RewriteTest, SharedInstanceNamesAreWrittenOutInTheOtherVersion) {  // ARC-342
  ArchivePlan plan = PlainExample(2);
  plan.meta[5] =
      RawRecordModel{generators::BigEndian({2, 1700000000, 500000, kIndom.value, 2, 0, 1, 0, 0}) +
                     std::string("a\0", 2)};
  EXPECT_EQ(Convert(plan, 3), "");
  EXPECT_EQ(Out().meta.records[5],
            MetaRecordModel(IndomModel({plan.label.start, kIndom, {{0, "a"}, {1, "a"}}, false})));
}

TEST_F(RewriteTest, BlocksInAnotherOrderKeepIt) {  // ARC-208
  ArchivePlan plan = PlainExample(2);
  plan.volumes[0][0].block_order = {2, 0, 1};
  EXPECT_EQ(Convert(plan, 3), "");
  EXPECT_EQ(Out().volumes.at(0).records[0], plan.volumes[0][0]);
}

TEST_F(RewriteTest, RemnantsInALabelAreLeftOutOfTheOtherVersion) {  // ARC-102
  ArchivePlan plan = PlainExample(2);
  plan.label.host = std::string("h\0remnant", 9);
  EXPECT_EQ(Convert(plan, 3), "");
  EXPECT_EQ(Out().meta.label.host, "h");
}

// What version 2 cannot express: each says what, where and by which clause.
class InexpressibleTest : public RewriteTest {
 protected:
  void Expect(const ArchivePlan& plan, const std::string& text) {
    EXPECT_EQ(Convert(plan, 2), text);
    EXPECT_EQ(cause_, RewriteFailure::Cause::kInexpressible);
  }
  ArchivePlan plan_ = generators::WorkedExample(3);
};

TEST_F(InexpressibleTest, ATimeBelowTheMicrosecond) {
  plan_.volumes[0][1].time.nanoseconds += 1;
  Expect(plan_,
         "in/base.0: offset 948: version 2 cannot express the time 1700000001.500000001: it has "
         "whole "
         "microseconds only [ARC-003]");
}

TEST_F(InexpressibleTest, ATimeBeyond2038) {
  plan_.index[1].time.seconds = 2147483648;
  Expect(plan_,
         "in/base.index: offset 840: version 2 cannot express the time 2147483648.500000000: its "
         "seconds have "
         "32 bits, up to 2038-01-19 [ARC-504]");
}

TEST_F(InexpressibleTest, ATimeOfALabelRecord) {
  std::get<LabelRecordModel>(plan_.meta[6]).time.seconds = -2147483649;
  EXPECT_THAT(Convert(plan_, 2),
              HasSubstr("in/base.meta: offset 1092: version 2 cannot express the time"));
}

TEST_F(InexpressibleTest, AZoneinfoThatSaysMoreThanTheTimezone) {
  plan_.label.zoneinfo = ":Australia/Melbourne";
  Expect(plan_,
         "in/base.meta: offset 0: version 2 has no zoneinfo: :Australia/Melbourne (timezone UTC) "
         "would be lost "
         "[ARC-101]");
}

TEST_F(InexpressibleTest, FeatureBitsAndTheReservedWord) {
  plan_.label.features = 0x80000000;
  Expect(plan_,
         "in/base.meta: offset 0: version 2 has no feature bits (here 2147483648) [ARC-103]");
  plan_.label.features = 0;
  plan_.label.reserved = 7;
  Expect(plan_,
         "in/base.meta: offset 0: version 2 has no reserved word in its label (here 7) [ARC-101]");
}

TEST_F(InexpressibleTest, AHostnameThatIsTooLong) {
  plan_.label.host = std::string(64, 'h');
  Expect(plan_, "in/base.meta: offset 0: version 2 has room for 63 bytes of hostname: " +
                    plan_.label.host + " [ARC-100]");
  plan_.label.host.pop_back();
  EXPECT_EQ(Convert(plan_, 2), "");
}

TEST_F(InexpressibleTest, ADeltaThatLeavesNoInstance) {
  plan_.meta.back() =
      IndomModel{{1700000001, 500'000'000}, kIndom, {{0, std::nullopt}, {1, std::nullopt}}, true};
  Expect(plan_,
         "in/base.meta: offset 1188: the delta of instance domain 29.1 at 1700000001.500000000 "
         "leaves no instance: in "
         "version 2 a domain cannot become empty [ARC-345]");
}

TEST_F(InexpressibleTest, ADeltaWithoutAFullRecord) {
  plan_.meta[5] = plan_.meta.back();
  EXPECT_THAT(Convert(plan_, 2),
              HasSubstr("has no full record before it, so the domain is not known [ARC-371]"));
}

TEST_F(InexpressibleTest, DeltasAgainstTheOrderOfTime) {
  plan_.meta.emplace_back(IndomModel{{1700000001, 0}, kIndom, {{5, "e"}}, true});
  EXPECT_THAT(Convert(plan_, 2),
              HasSubstr("1700000001.000000000 stands after a later one in the file [ARC-503]"));
}

TEST_F(InexpressibleTest, AnIndexEntryThatPointsIntoARecord) {
  ArchiveImage image = generators::Encode(plan_);
  image.SetWord("index", 840 + 28, 950);
  EXPECT_EQ(Run(image, {.version = 2}),
            "in/base.index: offset 840: the entry points to offset 950 of volume 0, where no "
            "record begins or ends: "
            "where that is in the other version is not defined [ARC-455]");
}

TEST_F(InexpressibleTest, BytesBehindTheLastRecordAndEntry) {
  ArchiveImage image = generators::Encode(plan_);
  image.Append("0", "ab");
  EXPECT_EQ(Run(image, {.version = 2}),
            "in/base.0: offset 1112: 2 bytes after the last record belong to none [ARC-1105]");
  image = generators::Encode(plan_);
  image.Append("index", "abcd");
  EXPECT_EQ(Run(image, {.version = 2}),
            "in/base.index: offset 872: 4 bytes after the last entry belong to none [ARC-1901]");
}

TEST_F(InexpressibleTest, MicrosecondsOutOfRangeInEitherVersion) {
  ArchivePlan two = PlainExample(2);
  two.volumes[0][0].fraction = 2'000'000;
  EXPECT_THAT(Convert(two, 3),
              HasSubstr("in/base.0: offset 132: a time whose fraction is out of range"));
  EXPECT_EQ(Run(generators::Encode(two)), "");
  ExpectOut(generators::Encode(two));
  two = PlainExample(2);
  two.meta[5] =
      RawRecordModel{generators::BigEndian({2, 1700000000, 0x7fffffff, kIndom.value, 1, 0, 0}) +
                     std::string("a\0", 2)};
  EXPECT_THAT(Convert(two, 3),
              HasSubstr("in/base.meta: offset 363: a time whose fraction is out of range"));
}

TEST_F(RewriteTest, DamageIsRefusedWithItsPlaceAndRule) {
  ArchiveImage image = generators::Encode(generators::BaseArchive(2));
  image.Truncate("0", image.files.at("0").size() - 5);
  EXPECT_THAT(Run(image), HasSubstr("[ARC-1102]"));
  EXPECT_EQ(cause_, RewriteFailure::Cause::kInput);
  image = generators::Encode(generators::BaseArchive(2));
  image.SetWord("0", 132 + 20, 0xffff);  // numval
  EXPECT_THAT(Run(image), HasSubstr("in/base.0: offset 152: "));
  image = generators::Encode(generators::BaseArchive(2));
  image.files["index"] = generators::Encode(generators::BaseArchive(3)).files.at("index");
  EXPECT_THAT(
      Run(image),
      HasSubstr(
          "in/base.index: offset 4: the version of the label is not that of .meta [ARC-1205]"));
}

TEST_F(RewriteTest, DamageInACompressedFileIsRefused) {  // ARC-1009
  const ArchiveImage image = generators::Encode(generators::BaseArchive(3));
  image.Store("in/base", &storage_);
  std::vector<std::uint8_t> packed = testing::Compress(image.files.at("0"), Compression::kGzip);
  packed.resize(packed.size() - 10);
  storage_.files.erase("in/base.0");
  storage_.files["in/base.0.gz"] = packed;
  EXPECT_THAT(RunAsStored(), HasSubstr("[ARC-1009]"));
}

TEST_F(RewriteTest, ARecordBeyondTheBudgetIsNamed) {
  ArchivePlan plan = generators::BaseArchive(2);
  plan.meta.emplace_back(TextModel{5, Pmid::Of(29, 0, 1).value, std::string(100'000, 'x')});
  const ArchiveImage image = Encode(plan);
  RewriteOptions options;
  options.memory = MemoryBudget(400'000);
  EXPECT_EQ(Run(image, options), "");
  options.memory = MemoryBudget(190'000);
  EXPECT_THAT(Run(image, options), AllOf(HasSubstr("in/base.meta: offset "),
                                         HasSubstr("more memory than the budget allows")));
  EXPECT_EQ(cause_, RewriteFailure::Cause::kInput);
}

// There may be more of them than a process may have open.
TEST_F(RewriteTest, EachFileIsClosedBeforeTheNextOneIsBegun) {
  class OneFileOutput final : public OutputStorage {
   public:
    explicit OneFileOutput(OutputStorage& storage) : storage_(storage) {}
    Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override {
      EXPECT_EQ(open_, 0) << path;
      auto file = storage_.Create(path);
      if (!file) return file;
      return std::make_unique<File>(*std::move(file), open_);
    }
    std::optional<Status> Rename(const std::string& from, const std::string& to) override {
      return storage_.Rename(from, to);
    }
    std::optional<Status> Replace(const std::string& from, const std::string& to) override {
      return storage_.Replace(from, to);
    }
    std::optional<Status> Remove(const std::string& path) override { return storage_.Remove(path); }

   private:
    class File final : public OutputFile {
     public:
      File(std::unique_ptr<OutputFile> file, int& open) : file_(std::move(file)), open_(open) {
        ++open_;
      }
      ~File() override { --open_; }
      File(const File&) = delete;
      File& operator=(const File&) = delete;
      std::optional<Status> Write(Bytes bytes) override { return file_->Write(bytes); }
      std::optional<Status> Close() override { return file_->Close(); }

     private:
      std::unique_ptr<OutputFile> file_;
      int& open_;
    };
    OutputStorage& storage_;
    int open_ = 0;
  };
  for (const bool compressed : {false, true}) {
    storage_.files.clear();
    Encode(generators::BaseArchive(2)).Store("in/base", &storage_);
    if (compressed) {
      const std::vector<std::uint8_t> volume = storage_.files.at("in/base.0");
      storage_.files.erase("in/base.0");
      storage_.files["in/base.0.xz"] = testing::Compress(volume, Compression::kXz);
    }
    OneFileOutput output(output_);
    const MemoryStorage before = storage_;
    IgnoringReporter ignore;
    const auto files = FindArchive(storage_, "in/base", ignore);
    EXPECT_FALSE(Rewrite(before, *files, output, "out/new", {}).has_value());
  }
}

TEST_F(RewriteTest, AFullDiskIsSaidAndNothingIsLeft) {
  output_.space = 1000;
  EXPECT_THAT(Run(generators::Encode(generators::BaseArchive(2))),
              HasSubstr("No space left on device"));
  EXPECT_EQ(cause_, RewriteFailure::Cause::kOutput);
}

}  // namespace
}  // namespace pmproof::archive
