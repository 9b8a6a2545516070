// SPDX-License-Identifier: Apache-2.0
// Rules on framing (section 14.2).

#include <sys/mman.h>

#include <limits>
#include <memory>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::RawRecordModel;
using ::testing::ElementsAre;

class FramingTest : public CheckedArchive {
 protected:
  std::size_t Size(const std::string& file) { return image().files.at(file).size(); }
  void CutEnd(const std::string& file, std::size_t bytes) {
    image().Truncate(file, Size(file) - bytes);
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, FramingTest, ::testing::Values(2, 3), VersionName);

TEST_P(FramingTest, ALengthWordBelow8) {
  for (const char* file : {"meta", "0"}) {
    for (const std::int32_t length : {4, 0, -20}) {
      Reset();
      image().SetWord(file, RecordAt(file, 2), static_cast<std::uint32_t>(length));
      EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1101 fatal")) << file << " " << length;
    }
  }
}

TEST_P(FramingTest, ALengthThatLeadsOutOfTheFile) {
  for (const char* file : {"meta", "0"}) {
    Reset();
    const std::size_t second = RecordAt(file, 2);
    image().SetWord(file, second, 0x00ffffff);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1102 fatal")) << file;
    EXPECT_EQ(FindingOf("ARC-1102").offset, second);
  }
}

TEST_P(FramingTest, AVolumeThatEndsInTheBodyOfItsLastRecord) {
  CutEnd("0", 10);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1102 fatal", "ARC-1111 error"));
  EXPECT_EQ(Check().summary.records, 5U) << "all complete records are read";
}

// The last entry of the index points to the end of .meta as it was.
TEST_P(FramingTest, MetadataThatEndInTheBodyOfTheirLastRecord) {
  CutEnd("meta", 10);
  EXPECT_THAT(RulesWithSeverity(),
              ElementsAre("ARC-1102 fatal", "ARC-1111 error", "ARC-1911 error"));
}

TEST_P(FramingTest, AVolumeThatEndsInTheTrailerOfItsLastRecord) {
  for (const std::size_t missing : {1U, 2U, 4U}) {
    Reset();
    CutEnd("0", missing);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1103 fatal", "ARC-1111 error")) << missing;
  }
}

TEST_P(FramingTest, MetadataThatEndInTheTrailerOfTheirLastRecord) {
  CutEnd("meta", 2);
  EXPECT_THAT(RulesWithSeverity(),
              ElementsAre("ARC-1103 fatal", "ARC-1111 error", "ARC-1911 error"));
}

TEST_P(FramingTest, ATrailerThatIsCutBehindARecordThatIsNotSound) {
  image().SetWord("0", RecordAt("0", 6) + 4 + TimeSize(), 0xffffffff);  // numpmid
  CutEnd("0", 2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1103 fatal"));
}

TEST_P(FramingTest, ATrailerThatDiffers) {
  for (const char* file : {"meta", "0"}) {
    Reset();
    const std::size_t trailer = RecordAt(file, 3) - 4;
    image().SetWord(file, trailer, image().Word(file, trailer) + 4);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1104 fatal")) << file;
    EXPECT_EQ(FindingOf("ARC-1104").offset, trailer);
  }
}

TEST_P(FramingTest, StrayBytesAtTheEnd) {
  for (const auto& [file, finding] :
       {std::pair("meta", "ARC-1105 error"), std::pair("0", "ARC-1105 warning")}) {
    Reset();
    image().Append(file, std::string(2, '\0'));
    EXPECT_THAT(RulesWithSeverity(), ElementsAre(finding)) << file;
  }
}

TEST_P(FramingTest, ADataRecordThatIsNotMadeOfWords) {
  const std::size_t last = RecordAt("0", 6);
  const std::uint32_t length = image().Word("0", last);
  image().Insert("0", Size("0") - 4, "ab");
  image().SetWord("0", last, length + 2);
  image().SetWord("0", last + length - 2, length + 2);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1106 fatal"));
}

TEST_P(FramingTest, ZerosToTheEnd) {
  for (const char* file : {"meta", "0"}) {
    Reset();
    image().Append(file, std::string(64, '\0'));
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1107 fatal")) << file;
  }
}

TEST_P(FramingTest, ADataRecordWithoutItsFixedFields) {
  image().Append("0", std::string("\0\0\0\x0c\0\0\0\0\0\0\0\x0c", 12));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1108 fatal"));
}

TEST_P(FramingTest, MetadataRecordsWithoutTheirFixedFields) {
  // With a time, as far as there is room for it.
  const std::string behind("\x65\x53\xf1\0\0\0\0\0", 8);
  const std::string indom = std::string(3, '\0') + (version() == 3 ? '\5' : '\2');
  const std::string labels = std::string(3, '\0') + (version() == 3 ? '\7' : '\3');
  const generators::ArchivePlan base = plan;
  for (const std::string& payload :
       {std::string("\0\0\0\1", 4) + std::string(8, '\0'),
        std::string("\0\0\0\4", 4) + std::string(4, '\0'), indom + behind, labels + behind,
        std::string("\0\0", 2), std::string()}) {
    Reset();
    plan = base;
    AddMeta(RawRecordModel{payload});
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1109 fatal"))
        << "payload of " << payload.size();
  }
}

// A file that takes up address space only: what is not stored into it is 0.
class SparseFile {
 public:
  explicit SparseFile(std::size_t size)
      : data_(static_cast<std::uint8_t*>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        size_(size) {}
  ~SparseFile() { munmap(data_, size_); }
  SparseFile(const SparseFile&) = delete;
  SparseFile& operator=(const SparseFile&) = delete;

  std::uint8_t* data() { return data_; }
  Bytes bytes() const { return {data_, size_}; }

 private:
  std::uint8_t* data_;
  std::size_t size_;
};

// An archive in memory, but for its volume.
class WithSparseVolume final : public archive::Storage {
 public:
  WithSparseVolume(const archive::MemoryStorage& others, const SparseFile& volume)
      : others_(others), volume_(volume) {}

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return others_.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return others_.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    if (path == "base.0") return std::make_unique<View>(volume_.bytes());
    return others_.Open(path);
  }

 private:
  class View final : public archive::StoredFile {
   public:
    explicit View(Bytes content) : content_(content) {}
    Bytes bytes() const override { return content_; }

   private:
    Bytes content_;
  };

  const archive::MemoryStorage& others_;
  const SparseFile& volume_;
};

// Records of 16 MB, the largest that a value block allows, after the records of the base archive.
TEST_P(FramingTest, AVolumeBeyond31Bits) {
  constexpr std::size_t kBlock = 0xfffffc;
  constexpr std::uint32_t kRecords = 128;
  const std::vector<std::uint8_t> whole = image().files.at("0");
  const std::size_t length = 4 + TimeSize() + 4 + 20 + kBlock + 4;
  SparseFile volume(whole.size() + kRecords * length);
  std::copy(whole.begin(), whole.end(), volume.data());
  ASSERT_GT(volume.bytes().size(), std::size_t{std::numeric_limits<std::int32_t>::max()});
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    std::uint8_t* record = volume.data() + whole.size() + i * length;
    StoreU32(record, static_cast<std::uint32_t>(length));
    archive::StoreTimestamp(record + 4, At(6 + i), version());
    std::uint8_t* word = record + 4 + TimeSize();
    for (const std::uint32_t value : {1U, 0x07400007U, 1U, 1U, 0xffffffffU,
                                      static_cast<std::uint32_t>((4 + TimeSize() + 24) / 4 + 2),
                                      static_cast<std::uint32_t>(7U << 24 | kBlock)}) {
      StoreU32(word, value);
      word += 4;
    }
    StoreU32(record + length - 4, static_cast<std::uint32_t>(length));
  }
  image().Store("base", &storage);
  const ArchiveReport report =
      CheckArchive(WithSparseVolume(storage, volume), "base", catalogue(), options);
  std::set<std::string> rules;
  for (const Finding& finding : report.findings) {
    if (finding.severity > Severity::kInfo)
      rules.insert(finding.rule.ToString() + " " + ToText(finding.severity));
  }
  if (version() == 2) {
    EXPECT_THAT(rules, ElementsAre("ARC-1110 error"));
  } else {
    EXPECT_THAT(rules, ::testing::IsEmpty());
  }
  EXPECT_EQ(report.summary.records, 6U + kRecords);
}

}  // namespace
}  // namespace pmproof::validator::testing
