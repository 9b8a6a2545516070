// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "generators/archive_image.h"
#include "generators/random.h"
#include "reference/archive/testing/compress.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::Compression;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

// The base archive of ARC-1000, damaged and shrunk.
class ShrinkTest : public ::testing::TestWithParam<int> {
 protected:
  ShrinkTest() : plan(generators::BaseArchive(GetParam())) {
    options.base = "out";
    options.check.now = {1800000000, 0};
  }

  generators::ArchivePlan plan;
  generators::ArchiveImage& image() {
    if (!image_) image_ = generators::Encode(plan);
    return *image_;
  }
  archive::MemoryStorage storage;
  ShrinkOptions options;

  std::size_t LabelSize() const { return archive::LayoutOf(GetParam()).label; }

  // The labels of `files` files.
  std::size_t Labels(std::size_t files) const { return files * LabelSize(); }

  tl::expected<Shrunk, ShrinkFailure> Run(Clause rule) {
    if (storage.files.empty()) image().Store("in", &storage);
    options.rule = rule;
    return Shrink(storage, {"in"}, Catalogue::Shipped(), options, nullptr);
  }

  // The rules graver than info of an archive in memory.
  std::set<std::string> Grave(const archive::MemoryStorage& files, const std::string& name) {
    std::set<std::string> rules;
    for (const Finding& finding :
         CheckArchive(files, name, Catalogue::Shipped(), options.check).findings) {
      if (finding.severity != Severity::kInfo) rules.insert(finding.rule.ToString());
    }
    return rules;
  }

  // Shrinks; the finding stays, and nothing graver than info has come up.
  Shrunk Shrinks(Clause rule) {
    auto shrunk = Run(rule);
    EXPECT_TRUE(shrunk) << rule.ToString();
    if (!shrunk) return {};
    archive::MemoryStorage out;
    for (const auto& [name, content] : shrunk->files.files) out.files[name] = content;
    for (const std::string& name : shrunk->files.directories) out.files[name + "/file"] = {};
    bool found = false;
    for (const Finding& finding :
         CheckArchive(out, "out", Catalogue::Shipped(), options.check).findings)
      found = found || finding.rule == rule;
    EXPECT_TRUE(found) << rule.ToString();
    const std::set<std::string> before = Grave(storage, "in");
    for (const std::string& grave : Grave(out, "out")) EXPECT_THAT(before, Contains(grave));
    EXPECT_LE(shrunk->after.bytes, shrunk->before.bytes);
    EXPECT_LE(shrunk->after.records, shrunk->before.records);
    return *std::move(shrunk);
  }

 private:
  std::optional<generators::ArchiveImage> image_;
};
INSTANTIATE_TEST_SUITE_P(Versions, ShrinkTest, ::testing::Values(2, 3));

TEST_P(ShrinkTest, ARecordThatTheEndOfTheFileCutsStaysAlone) {
  image().Truncate("0", image().files.at("0").size() - 30);
  const Shrunk shrunk = Shrinks("ARC-1102"_clause);
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 150);
  EXPECT_LE(shrunk.after.records, 2U);
  EXPECT_GT(shrunk.before.records, 15U);
  EXPECT_FALSE(shrunk.expired);
  EXPECT_GT(shrunk.checks, 1U);
}

TEST_P(ShrinkTest, FramingThatIsLostInTheMiddle) {
  image().SetWord("0", image().Records("0")[3], 3);
  EXPECT_LE(Shrinks("ARC-1101"_clause).after.bytes, Labels(3) + 150);
}

TEST_P(ShrinkTest, AValueWithoutADescriptorNeedsOneValue) {
  for (archive::ResultModel& result : plan.volumes.at(0)) {
    for (archive::ValueSetModel& set : result.sets) {
      if (set.pmid == Pmid::Of(29, 0, 3)) set.pmid = Pmid::Of(29, 0, 99);
    }
  }
  const Shrunk shrunk = Shrinks("ARC-1801"_clause);
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 250);
  EXPECT_LE(shrunk.after.records, 4U);
}

TEST_P(ShrinkTest, ALabelThatIsNoLongerValidJsonStaysWithoutTheOtherRecords) {
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* labels = std::get_if<archive::LabelRecordModel>(&record))
      labels->sets.front().json.back() = ' ';
  }
  EXPECT_LE(Shrinks("ARC-1507"_clause).after.bytes, Labels(3) + 300);
}

TEST_P(ShrinkTest, AnIndexEntryThatPointsIntoARecordStillDoes) {
  const std::size_t entry = archive::LayoutOf(GetParam()).index_entry;
  const auto offset = static_cast<std::uint32_t>(image().Records("0")[4] + 7);
  image().SetWord("index", LabelSize() + 2 * entry - 4, offset);
  const Shrunk shrunk = Shrinks("ARC-1917"_clause);
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 250);
}

TEST_P(ShrinkTest, TextsAndNamesBecomeShorter) {
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* text = std::get_if<archive::TextModel>(&record))
      text->text = std::string(3000, 'x') + '\n' + std::string(3000, 'y');
  }
  EXPECT_LE(Shrinks("ARC-1606"_clause).after.bytes, Labels(3) + 250);
}

TEST_P(ShrinkTest, NumbersBecomeZeroWhereTheyDoNotMatter) {
  image().Truncate("index", image().files.at("index").size() - 1);
  const Shrunk shrunk = Shrinks("ARC-1901"_clause);
  const Buffer& volume = shrunk.files.files.at("out.0");
  const std::size_t words_of_a_set = volume.size() - LabelSize();
  EXPECT_LE(words_of_a_set, 80U);
}

TEST_P(ShrinkTest, WithoutMetadataOneVolumeIsLeft) {
  image().files.erase("meta");
  const Shrunk shrunk = Shrinks("ARC-1001"_clause);
  EXPECT_LE(shrunk.after.bytes, Labels(2) + 250);
}

TEST_P(ShrinkTest, CompressedFilesAreDecompressedWhereThatKeepsTheFinding) {
  image().Truncate("0", image().files.at("0").size() - 30);
  for (const char* suffix : {"0", "meta"}) {
    image().files[std::string(suffix) + ".xz"] =
        archive::testing::Compress(image().files.at(suffix), Compression::kXz);
    image().files.erase(suffix);
  }
  const Shrunk shrunk = Shrinks("ARC-1102"_clause);
  EXPECT_TRUE(shrunk.files.files.contains("out.0"));
  EXPECT_TRUE(shrunk.files.files.contains("out.meta"));
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 150);
}

TEST_P(ShrinkTest, AFindingOnTheCompressionKeepsItAndTheContentIsShrunkAllTheSame) {
  image().files["0.zst"] = archive::testing::Compress(image().files.at("0"), Compression::kZstd);
  image().files.erase("0");
  const Shrunk shrunk = Shrinks("ARC-1012"_clause);
  EXPECT_TRUE(shrunk.files.files.contains("out.0.zst"));
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 200);
}

TEST_P(ShrinkTest, CompressedBytesThatDoNotDecompressAreShrunkAsBytes) {
  Buffer packed = archive::testing::Compress(image().files.at("0"), Compression::kXz);
  packed[packed.size() / 2] ^= 0xff;
  image().files["0.xz"] = packed;
  image().files.erase("0");
  const Shrunk shrunk = Shrinks("ARC-1009"_clause);
  EXPECT_LT(shrunk.files.files.at("out.0.xz").size(), packed.size());
}

TEST_P(ShrinkTest, ADirectoryInThePlaceOfAVolumeStaysOne) {
  image().Store("in", &storage);
  storage.files["in.1/something"] = {1};
  const Shrunk shrunk = Shrinks("ARC-1016"_clause);
  EXPECT_THAT(shrunk.files.directories, ElementsAre("out.1"));
}

TEST_P(ShrinkTest, AVolumeWithAWrongNumberKeepsIt) {
  image().files["00"] = image().files.at("0");
  image().files.erase("0");
  EXPECT_TRUE(Shrinks("ARC-1011"_clause).files.files.contains("out.00"));
}

TEST_P(ShrinkTest, AFileWithAnUnknownSuffixKeepsIt) {
  image().files["0.rar"] = {1, 2, 3};
  const Shrunk shrunk = Shrinks("ARC-1010"_clause);
  EXPECT_TRUE(shrunk.files.files.at("out.0.rar").empty());
}

TEST_P(ShrinkTest, TwoFormsOfOnePartStayTwo) {
  image().files["meta.gz"] =
      archive::testing::Compress(image().files.at("meta"), Compression::kGzip);
  const Shrunk shrunk = Shrinks("ARC-1008"_clause);
  EXPECT_TRUE(shrunk.files.files.contains("out.meta"));
  EXPECT_TRUE(shrunk.files.files.contains("out.meta.gz"));
}

TEST_P(ShrinkTest, OneOfManyVolumesIsLeft) {
  const std::vector<archive::ResultModel> results = plan.volumes.at(0);
  for (std::int32_t volume = 1; volume < 6; ++volume) {
    plan.volumes[volume] = results;
    for (archive::ResultModel& result : plan.volumes[volume]) result.time.seconds += 10 * volume;
  }
  plan.volumes.at(1).back().sets.front().pmid = Pmid::Of(29, 0, 99);
  const Shrunk shrunk = Shrinks("ARC-1801"_clause);
  EXPECT_FALSE(shrunk.files.files.contains("out.2"));
  EXPECT_LE(shrunk.after.bytes, Labels(4) + 400);
}

TEST_P(ShrinkTest, VolumesInBetweenGoAndTheLaterOnesAreCountedAnew) {
  const std::vector<archive::ResultModel> results = plan.volumes.at(0);
  for (std::int32_t volume = 1; volume < 6; ++volume) {
    plan.volumes[volume] = results;
    for (archive::ResultModel& result : plan.volumes[volume]) result.time.seconds += 10 * volume;
    const std::size_t end = plan.meta.size();
    plan.index.push_back({plan.volumes[volume].front().time, volume, end, 0});
  }
  plan.volumes.at(4).back().sets.front().pmid = Pmid::Of(29, 0, 99);
  const Shrunk shrunk = Shrinks("ARC-1801"_clause);
  EXPECT_FALSE(shrunk.files.files.contains("out.2"));
  EXPECT_LE(shrunk.after.bytes, Labels(4) + 400);
}

TEST_P(ShrinkTest, ASoundArchiveCanBeShrunkToo) {
  const Shrunk shrunk = Shrinks("ARC-2008"_clause);  // it has no prologue
  EXPECT_LE(shrunk.after.bytes, Labels(3) + 150);
  EXPECT_THAT(shrunk.also, Not(Contains("ARC-2008")));
}

TEST_P(ShrinkTest, TheSameArchiveGivesTheSameBytes) {
  image().Truncate("0", image().files.at("0").size() - 30);
  EXPECT_EQ(Run("ARC-1102"_clause)->files.files, Run("ARC-1102"_clause)->files.files);
}

TEST_P(ShrinkTest, WithoutTimeAllIsLeftAndHasTheFinding) {
  image().Truncate("0", image().files.at("0").size() - 30);
  options.expired = [] { return true; };
  const Shrunk shrunk = Shrinks("ARC-1102"_clause);
  EXPECT_TRUE(shrunk.expired);
  EXPECT_EQ(shrunk.after.bytes, shrunk.before.bytes);
  EXPECT_EQ(shrunk.files.files.at("out.0"), image().files.at("0"));
}

TEST_P(ShrinkTest, WhenTimeRunsOutTheBestSoFarIsTaken) {
  image().Truncate("0", image().files.at("0").size() - 30);
  std::uint64_t before = ~std::uint64_t{0};
  for (const int checks : {2, 5, 10, 20}) {
    int left = checks;
    options.expired = [&left] { return left-- <= 0; };
    const Shrunk shrunk = Shrinks("ARC-1102"_clause);
    EXPECT_LE(shrunk.after.bytes, before) << checks;
    EXPECT_TRUE(shrunk.expired) << checks;
    before = shrunk.after.bytes;
  }
}

TEST_P(ShrinkTest, AnArchiveWithoutTheFindingSaysWhatItHas) {
  image().Truncate("index", image().files.at("index").size() - 1);
  const auto shrunk = Run("ARC-1102"_clause);
  ASSERT_FALSE(shrunk);
  EXPECT_EQ(shrunk.error().cause, ShrinkFailure::Cause::kNoFinding);
  EXPECT_THAT(shrunk.error().findings, Contains("ARC-1901"));
}

TEST_P(ShrinkTest, AFindingOnTheNameIsNotInTheFiles) {
  image().Store("in,or", &storage);
  options.rule = "ARC-1013"_clause;
  const auto shrunk = Shrink(storage, {"in,or"}, Catalogue::Shipped(), options, nullptr);
  ASSERT_FALSE(shrunk);
  EXPECT_EQ(shrunk.error().cause, ShrinkFailure::Cause::kNotInFiles);
}

TEST_P(ShrinkTest, NoArchiveAtAllIsAnError) {
  storage.files["other.meta"] = {};
  const auto shrunk = Run("ARC-1102"_clause);
  ASSERT_FALSE(shrunk);
  EXPECT_EQ(shrunk.error().cause, ShrinkFailure::Cause::kInput);
  EXPECT_EQ(shrunk.error().status.kind, Status::Kind::kNotFound);
}

TEST_P(ShrinkTest, WhateverBitsAreFlippedEveryFindingCanBeKept) {
  const generators::ArchiveImage sound = image();
  generators::Random random(2);
  for (int i = 0; i < 60; ++i) {
    image() = sound;
    storage.files.clear();
    for (auto& [suffix, content] : image().files) {
      for (std::uint64_t flips = random.Below(4); flips > 0; --flips)
        content[random.Below(content.size())] ^= static_cast<std::uint8_t>(1 << random.Below(8));
    }
    image().Store("in", &storage);
    std::set<Clause> rules;
    for (const Finding& finding :
         CheckArchive(storage, "in", Catalogue::Shipped(), options.check).findings)
      rules.insert(finding.rule);
    for (const Clause rule : rules) Shrinks(rule);
  }
}

}  // namespace
}  // namespace pmproof::validator
