// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/file_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RecordingReporter;

// --- names ---

TEST(FileName, IsTakenApartAtItsLastSuffix) {
  struct Case {
    const char* name;
    const char* base;
    Part part;
    Compression compression;
  };
  for (const Case& c :
       {Case{"b.meta", "b", kMetaPart, Compression::kNone},
        Case{"b.index", "b", kIndexPart, Compression::kNone},
        Case{"b.0", "b", 0, Compression::kNone}, Case{"b.12", "b", 12, Compression::kNone},
        Case{"20150105.17.57.3", "20150105.17.57", 3, Compression::kNone},
        Case{"b.meta.xz", "b", kMetaPart, Compression::kXz},
        Case{"b.0.lzma", "b", 0, Compression::kLzma}, Case{"b.0.bz2", "b", 0, Compression::kBzip2},
        Case{"b.0.bz", "b", 0, Compression::kBzip2}, Case{"b.0.gz", "b", 0, Compression::kGzip},
        Case{"b.0.Z", "b", 0, Compression::kCompress},
        Case{"b.0.z", "b", 0, Compression::kCompress}, Case{"b.0.zst", "b", 0, Compression::kZstd},
        Case{"b.meta.meta", "b.meta", kMetaPart, Compression::kNone},
        Case{"b.2147483647", "b", 2147483647, Compression::kNone}}) {
    const auto name = ParseFileName(c.name);
    ASSERT_TRUE(name) << c.name;
    EXPECT_EQ(name->base, c.base) << c.name;
    EXPECT_EQ(name->part, c.part) << c.name;
    EXPECT_EQ(name->compression, c.compression) << c.name;
    EXPECT_TRUE(name->canonical) << c.name;
  }
}

TEST(FileName, OfOtherFilesIsNone) {
  for (const char* name :
       {"", "b", "b.", ".meta", ".0", "b.config", "b.folio", "b.0x", "b.meta.xz.gz", "meta", "b.xz",
        "b.0.lz4", "b. ", "b.+", "b.--1", "b.1 "}) {
    EXPECT_FALSE(ParseFileName(name)) << name;
  }
}

TEST(FileName, VolumesInOtherFormsAreNotCanonical) {
  for (const char* name : {"b.00", "b.01", "b.+1", "b. 1", "b.-0"}) {
    const auto parsed = ParseFileName(name);
    ASSERT_TRUE(parsed) << name;
    EXPECT_FALSE(parsed->canonical) << name;
    EXPECT_GE(parsed->part, 0) << name;
  }
  for (const char* name : {"b.-1", "b.-2", "b.2147483648", "b.99999999999999999999999"}) {
    const auto parsed = ParseFileName(name);
    ASSERT_TRUE(parsed) << name;
    EXPECT_FALSE(parsed->canonical) << name;
    EXPECT_EQ(parsed->part, kWholeArchive) << name;
  }
}

// --- one archive ---

// Files without content: the rules on sets of files need none. A name ending in '/' is a directory,
// one that ends in '!' cannot be opened.
class Names final : public Storage {
 public:
  std::set<std::string> paths;

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override {
    return Memory().List(path);
  }
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return Memory().KindOf(path);
  }
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override {
    if (refused.contains(path)) {
      return tl::unexpected(
          Status{.kind = Status::Kind::kUnreadable, .file = path, .message = "Permission denied"});
    }
    return Memory().Open(path);
  }

  std::set<std::string> refused;

 private:
  const MemoryStorage& Memory() const {
    memory_.files.clear();
    for (const std::string& path : paths) memory_.files[path] = {};
    return memory_;
  }

  mutable MemoryStorage memory_;
};

class FindArchiveTest : public ::testing::Test {
 protected:
  Result<FileSet> Find(const std::string& name) { return FindArchive(storage_, name, reporter_); }
  std::vector<std::string> RulesOf(const std::string& name) {
    (void)Find(name);
    return reporter_.Rules();
  }
  const testing::Recorded& Only() const { return reporter_.violations.at(0); }

  Names storage_;
  RecordingReporter reporter_;
};

TEST_F(FindArchiveTest, AllFilesOfAnArchiveAreFound) {
  storage_.paths = {"d/b.meta", "d/b.index",  "d/b.0",  "d/b.1",
                    "d/b.10",   "d/b.config", "d/bb.0", "d/b.x.meta"};
  const auto set = Find("d/b");
  ASSERT_TRUE(set) << set.error().ToText();
  EXPECT_EQ(set->directory, "d");
  EXPECT_EQ(set->base, "b");
  EXPECT_EQ(set->Name(), "d/b");
  EXPECT_EQ(set->parts.at(kMetaPart).path, "d/b.meta");
  EXPECT_EQ(set->parts.at(10).path, "d/b.10");
  EXPECT_EQ(set->parts.size(), 5U);
  EXPECT_EQ(set->FileName(1), "b.1");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1006"));
}

TEST_F(FindArchiveTest, EveryNameOfAFileNamesTheArchive) {
  storage_.paths = {"d/b.meta.xz", "d/b.index", "d/b.0"};
  for (const char* name : {"d/b", "d/b.meta", "d/b.meta.xz", "d/b.index", "d/b.0", "d//b.0"}) {
    const auto set = Find(name);
    ASSERT_TRUE(set) << name;
    EXPECT_EQ(set->Name(), "d/b") << name;
    EXPECT_EQ(set->FileName(kMetaPart), "b.meta.xz");
  }
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(FindArchiveTest, AVolumeThatDoesNotExistNamesNoArchive) {
  storage_.paths = {"b.meta", "b.index", "b.0"};
  const auto set = Find("b.7");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(set.error().code, ErrorCode::kNoEntry);
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(FindArchiveTest, BaseNamesMayHaveDotsAndDigits) {
  storage_.paths = {"20150105.17.57.meta", "20150105.17.57.index", "20150105.17.57.0"};
  EXPECT_EQ(Find("20150105.17.57")->base, "20150105.17.57");
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
}

TEST_F(FindArchiveTest, InTheCurrentDirectoryNamesAreBare) {
  storage_.paths = {"b.meta", "b.index", "b.0"};
  const auto set = Find("b");
  EXPECT_EQ(set->Name(), "b");
  EXPECT_EQ(set->parts.at(0).path, "b.0");
}

TEST_F(FindArchiveTest, AMissingMetaIsARC1001) {
  storage_.paths = {"b.index", "b.0"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1001"));
  EXPECT_EQ(Only().where.part, kMetaPart);
  EXPECT_EQ(Only().details.expected, "b.meta");
  EXPECT_EQ(set->parts.size(), 2U);
}

TEST_F(FindArchiveTest, AMissingVolumeIsARC1002) {
  storage_.paths = {"b.meta", "b.index"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1002"));
}

TEST_F(FindArchiveTest, AMissingIndexIsARC1003) {
  storage_.paths = {"b.meta", "b.0"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1003"));
}

TEST_F(FindArchiveTest, AGapInTheVolumesIsARC1006) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.2"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1006"));
  EXPECT_EQ(Only().where.part, 1);
  EXPECT_EQ(Only().details.expected, "b.1");
}

TEST_F(FindArchiveTest, AHugeGapIsOneViolation) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.2147483647"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1006"));
  EXPECT_EQ(Only().details.expected, "b.1 to b.2147483646");
}

TEST_F(FindArchiveTest, AFirstVolumeThatIsNot0IsARC1007) {
  storage_.paths = {"b.meta", "b.index", "b.3", "b.4", "b.5"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1007"));
  EXPECT_EQ(Only().where.part, 3);
  EXPECT_EQ(Only().details.actual, "b.3");
}

TEST_F(FindArchiveTest, APartInTwoFormsIsARC1008AndThePlainOneIsRead) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.0.xz"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1008"));
  EXPECT_EQ(Only().details.actual, "b.0, b.0.xz");
  EXPECT_EQ(set->FileName(0), "b.0");
}

TEST_F(FindArchiveTest, OfTwoCompressionsTheFirstOfTheListIsRead) {
  storage_.paths = {"b.meta.bz2", "b.meta.gz", "b.meta.xz", "b.index", "b.0"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1008"));
  EXPECT_EQ(set->parts.at(kMetaPart).compression, Compression::kXz);
}

TEST_F(FindArchiveTest, AVolumeWithAnUnknownSuffixIsARC1010) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.1.lz4"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1010"));
  EXPECT_EQ(Only().details.actual, "b.1.lz4");
  EXPECT_EQ(Only().where.part, 1);
}

TEST_F(FindArchiveTest, AnUnknownSuffixOfTheOnlyVolumeLeavesNone) {
  storage_.paths = {"b.meta", "b.index", "b.0.lz4"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1010", "ARC-1002"));
}

TEST_F(FindArchiveTest, FilesOfAnArchiveCalledLikeAVolumeAreNotItsOwn) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.17.meta", "b.17.0", "b.17.config"};
  EXPECT_THAT(RulesOf("b"), IsEmpty());
}

TEST_F(FindArchiveTest, AVolumeWithLeadingZerosIsARC1011AndReadAllTheSame) {
  storage_.paths = {"b.meta", "b.index", "b.00"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1011"));
  EXPECT_EQ(Only().details.actual, "b.00");
  EXPECT_EQ(set->FileName(0), "b.00");
}

TEST_F(FindArchiveTest, AVolumeWithLeadingZerosDoesNotStandForThatWithout) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.00"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1011"));
  EXPECT_EQ(set->FileName(0), "b.0");
}

TEST_F(FindArchiveTest, ANegativeVolumeIsARC1011AndNoOtherPart) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.-1", "b.-2"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1011", "ARC-1011"));
  EXPECT_EQ(set->FileName(kMetaPart), "b.meta");
  EXPECT_EQ(set->parts.size(), 3U);
}

TEST_F(FindArchiveTest, FilesCompressedWithZstdAreARC1012) {
  storage_.paths = {"b.meta.zst", "b.index.zst", "b.0.zst"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1012", "ARC-1012", "ARC-1012"));
}

TEST_F(FindArchiveTest, OtherCompressionsAreRight) {
  storage_.paths = {"b.meta.xz", "b.index.gz", "b.0.bz2"};
  EXPECT_THAT(RulesOf("b"), IsEmpty());
}

TEST_F(FindArchiveTest, ABaseNameWithACommaIsARC1013) {
  storage_.paths = {"c,d.meta", "c,d.index", "c,d.0"};
  EXPECT_THAT(RulesOf("c,d"), ElementsAre("ARC-1013"));
}

TEST_F(FindArchiveTest, ABaseNameWithASuffixIsARC1013) {
  for (const std::string base : {"b.meta", "b.index", "b.xz", "b.0.gz"}) {
    reporter_.violations.clear();
    storage_.paths = {base + ".meta", base + ".index", base + ".0"};
    EXPECT_THAT(RulesOf(base), ElementsAre("ARC-1013")) << base;
    EXPECT_EQ(Only().details.actual, base);
  }
}

TEST_F(FindArchiveTest, ABaseNameThatStandsForAVolumeIsARC1013) {
  storage_.paths = {"b.7.meta", "b.7.index", "b.7.0", "b.7", "b.meta"};
  EXPECT_EQ(Find("b.7.meta")->base, "b.7");
  EXPECT_THAT(reporter_.Rules(), ElementsAre("ARC-1013"));
}

TEST_F(FindArchiveTest, AFileThatCannotBeReadBreaksNoRuleAndIsNotMissing) {
  storage_.paths = {"b.meta", "b.index", "b.0"};
  storage_.refused = {"b.meta"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
  ASSERT_EQ(set->unreadable.size(), 1U);
  EXPECT_EQ(set->unreadable[0].ToText(), "b.meta: Permission denied [ARC-1016]");
  EXPECT_TRUE(set->refused.contains(kMetaPart));
  EXPECT_EQ(set->parts.size(), 2U);
}

TEST_F(FindArchiveTest, AVolumeThatCannotBeReadIsKnownToBeThere) {
  storage_.paths = {"b.meta", "b.index", "b.0", "b.1"};
  storage_.refused = {"b.0"};
  const auto set = Find("b");
  EXPECT_THAT(reporter_.Rules(), IsEmpty());
  EXPECT_FALSE(set->HasAllVolumes());
}

TEST_F(FindArchiveTest, ADirectoryInPlaceOfAFileIsARC1016) {
  storage_.paths = {"b.meta", "b.index", "b.0/x"};
  EXPECT_THAT(RulesOf("b"), ElementsAre("ARC-1016"));
}

TEST_F(FindArchiveTest, AnArchiveOfWhichNothingCanBeReadIsUnreadable) {
  storage_.paths = {"b.meta", "b.0"};
  storage_.refused = {"b.meta", "b.0"};
  const auto set = Find("b");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().kind, Status::Kind::kUnreadable);
  EXPECT_THAT(set.error().ToText(), HasSubstr("Permission denied [ARC-1016]"));
}

TEST_F(FindArchiveTest, ADirectoryThatDoesNotExistIsNotFound) {
  EXPECT_EQ(Find("nowhere/b").error().kind, Status::Kind::kNotFound);
}

TEST_F(FindArchiveTest, EmptyAndOddNamesAreNotFound) {
  storage_.paths = {"b.meta", ".meta"};
  for (const std::string& name :
       {std::string(), std::string("/"), std::string("."), std::string(".."), std::string("b/"),
        std::string("./"), std::string(65536, 'a')}) {
    EXPECT_FALSE(Find(name)) << name;
  }
}

RC_GTEST_PROP(FileSetProperty, AnyNameIsTakenApartOrRefused, (const std::string& name)) {
  const auto parsed = ParseFileName(name);
  if (!parsed) return;
  RC_ASSERT(name.starts_with(parsed->base + "."));
  RC_ASSERT(parsed->part >= kWholeArchive);
}

RC_GTEST_PROP(FileSetProperty, FilesInADirectoryMakeASetOrNone, ()) {
  static const std::vector<std::string> kSuffixes = {".meta",     ".index", ".0",  ".1",
                                                     ".00",       ".2.xz",  ".-1", ".0.gz",
                                                     ".meta.zst", ".7.lz4", ".x",  ""};
  const auto chosen = *rc::gen::container<std::set<std::string>>(rc::gen::elementOf(kSuffixes));
  Names storage;
  for (const std::string& suffix : chosen) storage.paths.insert("d/b" + suffix);
  RecordingReporter reporter;
  const auto set = FindArchive(storage, "d/b", reporter);
  if (!set) {
    RC_ASSERT(set.error().kind == Status::Kind::kNotFound);
    return;
  }
  for (const auto& [part, file] : set->parts) RC_ASSERT(storage.paths.contains(file.path));
  RC_ASSERT(set->parts.contains(kMetaPart) ==
            (chosen.contains(".meta") || chosen.contains(".meta.zst")));
}

}  // namespace
}  // namespace pmproof::archive
