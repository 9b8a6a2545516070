// SPDX-License-Identifier: Apache-2.0
// Rules on the set of files (section 14.1).

#include "reference/archive/testing/compress.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::Compression;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FilesTest : public CheckedArchive {
 protected:
  void Store() { image().Store("base", &storage); }
  void Rename(const std::string& from, const std::string& to) {
    auto file = storage.files.extract(from);
    file.key() = to;
    storage.files.insert(std::move(file));
  }
  void Compress(const std::string& file, Compression compression, const std::string& suffix) {
    storage.files[file + suffix] = archive::testing::Compress(storage.files.at(file), compression);
    storage.files.erase(file);
  }
  // Leaves out the index entries that name a volume.
  void DropEntriesOf(std::int32_t volume) {
    std::erase_if(plan.index, [&](const generators::PlannedIndexEntry& entry) {
      return entry.volume == volume;
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, FilesTest, ::testing::Values(2, 3), VersionName);

TEST_P(FilesTest, TheMetadataFileIsMissing) {
  Store();
  storage.files.erase("base.meta");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1001 fatal"));
}

TEST_P(FilesTest, AllVolumesAreMissing) {
  Store();
  storage.files.erase("base.0");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1002 fatal"));
}

TEST_P(FilesTest, TheIndexIsMissing) {
  plan.has_index = false;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1003 warning"));
  EXPECT_TRUE(Check().conformant);
}

TEST_P(FilesTest, AFileIsEmpty) {
  for (const char* file : {"meta", "index", "0"}) {
    for (const std::size_t size : {0U, 1U, 3U}) {
      Reset();
      image().Truncate(file, size);
      EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1004 fatal"))
          << file << " of " << size << " bytes";
    }
  }
}

TEST_P(FilesTest, TheMetadataFileHoldsItsLabelOnly) {
  plan.has_index = false;
  image().Truncate("meta", LabelSize());
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1003 warning", "ARC-1005 fatal"));
}

TEST_P(FilesTest, TheIndexHoldsItsLabelOnly) {
  image().Truncate("index", LabelSize());
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1005 fatal"));
}

TEST_P(FilesTest, TheFirstVolumeHoldsItsLabelOnly) {
  plan.has_index = false;
  image().Truncate("0", LabelSize());
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1003 warning", "ARC-1005 fatal"));
}

TEST_P(FilesTest, TheFirstOfSeveralVolumesHoldsItsLabelOnly) {
  SplitIntoVolumes();
  plan.has_index = false;
  plan.volumes[0].clear();
  plan.label.start = At(2);
  EXPECT_THAT(Rules(), ::testing::Contains("ARC-1005"));
  EXPECT_FALSE(Check().readable);
}

TEST_P(FilesTest, AVolumeInTheMiddleIsMissing) {
  SplitIntoVolumes();
  DropEntriesOf(1);
  Store();
  storage.files.erase("base.1");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1006 error"));
}

TEST_P(FilesTest, AMissingVolumeThatTheIndexNamesIsReportedOnce) {  // not ARC-1903
  SplitIntoVolumes();
  Store();
  storage.files.erase("base.1");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1006 error"));
}

TEST_P(FilesTest, TheFirstVolumeIsNotVolumeZero) {
  plan.volumes[3] = std::move(plan.volumes[0]);
  plan.volumes.erase(0);
  for (generators::PlannedIndexEntry& entry : plan.index) entry.volume = 3;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1007 warning"));
}

TEST_P(FilesTest, APartExistsInTwoForms) {
  for (const char* file : {"base.0", "base.meta", "base.index"}) {
    Reset();
    Store();
    storage.files[std::string(file) + ".xz"] =
        archive::testing::Compress(storage.files.at(file), Compression::kXz);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1008 error")) << file;
  }
}

TEST_P(FilesTest, ACompressedFileIsDamaged) {
  for (const char* file : {"base.0", "base.meta", "base.index"}) {
    for (const auto& [compression, suffix] : {std::pair(Compression::kXz, ".xz"),
                                              {Compression::kGzip, ".gz"},
                                              {Compression::kBzip2, ".bz2"}}) {
      Reset();
      Store();
      Compress(file, compression, suffix);
      storage.files.at(std::string(file) + suffix).back() ^=
          0xff;  // of what says that the content is right
      EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1009 fatal")) << file << suffix;
    }
  }
}

// Decompressors notice damage late: other rules may see first what it did to the content.
TEST_P(FilesTest, ACompressedFileIsDamagedInTheMiddle) {
  for (const char* file : {"base.0", "base.meta", "base.index"}) {
    for (const auto& [compression, suffix] : {std::pair(Compression::kXz, ".xz"),
                                              {Compression::kGzip, ".gz"},
                                              {Compression::kBzip2, ".bz2"}}) {
      Reset();
      Store();
      Compress(file, compression, suffix);
      auto& bytes = storage.files.at(std::string(file) + suffix);
      bytes[bytes.size() / 2] ^= 0xff;
      EXPECT_THAT(RulesWithSeverity(), ::testing::Contains("ARC-1009 fatal")) << file << suffix;
    }
  }
}

TEST_P(FilesTest, ACompressedFileIsCutShort) {
  for (const char* file : {"base.0", "base.meta", "base.index"}) {
    for (const auto& [compression, suffix] : {std::pair(Compression::kXz, ".xz"),
                                              {Compression::kGzip, ".gz"},
                                              {Compression::kBzip2, ".bz2"}}) {
      Reset();
      Store();
      Compress(file, compression, suffix);
      auto& bytes = storage.files.at(std::string(file) + suffix);
      bytes.resize(bytes.size() - 2);
      EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1009 fatal")) << file << suffix;
    }
  }
}

TEST_P(FilesTest, ACompressedArchiveHasNoFinding) {
  Store();
  Compress("base.0", Compression::kXz, ".xz");
  Compress("base.meta", Compression::kGzip, ".gz");
  Compress("base.index", Compression::kBzip2, ".bz2");
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
  EXPECT_EQ(Check().summary.values, 60U);
}

TEST_P(FilesTest, AVolumeHasAnUnknownCompressionSuffix) {
  Store();
  storage.files["base.1.lz4"] = {1, 2, 3, 4};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1010 info"));
}

TEST_P(FilesTest, TheOnlyVolumeHasAnUnknownCompressionSuffixAndIsNotSeen) {
  Store();
  Rename("base.0", "base.0.lz4");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1002 fatal", "ARC-1010 info"));
}

TEST_P(FilesTest, AVolumeHasALeadingZero) {
  Store();
  Rename("base.0", "base.00");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1011 fatal"));
  EXPECT_EQ(Check().summary.values, 60U) << "it is checked all the same";
}

TEST_P(FilesTest, AFileIsCompressedWithZstd) {
  Store();
  Compress("base.0", Compression::kZstd, ".zst");
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1012 warning"));
}

TEST_P(FilesTest, ABaseNameThatReadersMisunderstand) {
  for (const auto& [base, expected] :
       {std::pair("c,d", "ARC-1013 error"), std::pair("c.meta", "ARC-1013 warning"),
        std::pair("c.xz", "ARC-1013 warning")}) {
    Reset();
    image().Store(base, &storage);
    const ArchiveReport report =
        CheckArchive(storage, std::string(base) + ".index", catalogue(), options);
    EXPECT_EQ(report.counts.fatal + report.counts.error + report.counts.warning, 1U) << base;
    ASSERT_FALSE(report.findings.empty());
    const Finding& finding = report.findings.front();
    EXPECT_EQ(finding.rule.ToString() + " " + ToText(finding.severity), expected) << base;
  }
}

TEST_P(FilesTest, TheLastVolumeHoldsItsLabelOnly) {
  plan.volumes[1] = {};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1014 info"));
}

TEST_P(FilesTest, AVolumeInTheMiddleHoldsItsLabelOnly) {
  plan.volumes[1] = {};
  plan.volumes[2].assign(plan.volumes[0].begin() + 5, plan.volumes[0].end());
  plan.volumes[0].resize(5);
  plan.index[2] = {At(5), 2, plan.meta.size(), 0};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1015 warning"));
}

TEST_P(FilesTest, AFileIsNoRegularFile) {
  for (const char* file : {"base.meta", "base.index", "base.0"}) {
    Reset();
    Store();
    storage.files.erase(file);
    storage.files[std::string(file) + "/inside"] = {};
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1016 fatal")) << file;
  }
}

// What follows does not begin the archive: not ARC-1222, and nothing is said about a prologue.
TEST_P(FilesTest, TheFirstOfSeveralVolumesCanNotBeRead) {
  SplitIntoVolumes();
  for (const bool there : {true, false}) {
    Reset();
    Store();
    if (there) {
      storage.files.at("base.0").resize(50);
    } else {
      storage.files.erase("base.0");
      storage.files["base.0/inside"] = {};
    }
    EXPECT_THAT(RulesWithSeverity(), ElementsAre(there ? "ARC-1201 fatal" : "ARC-1016 fatal"));
    EXPECT_THAT(
        Check().findings,
        ::testing::Not(::testing::Contains(::testing::Field(&Finding::rule, "ARC-2008"_clause))));
  }
}

// There may be a mark in it, after which a counter begins anew (ARC-1825).
TEST_P(FilesTest, ACounterIsNotComparedAcrossAVolumeThatIsMissing) {
  SplitIntoVolumes();
  for (archive::ResultModel& result : plan.volumes.at(2))
    result.sets[0].values[0].value = 3U + static_cast<std::uint32_t>(result.time.seconds & 1);
  Store();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1825 warning"));
  for (const unsigned jobs : {1U, 2U}) {
    Reset();
    Store();
    storage.files.erase("base.1");
    options.jobs = jobs;
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1006 error")) << jobs;
  }
}

}  // namespace
}  // namespace pmproof::validator::testing
