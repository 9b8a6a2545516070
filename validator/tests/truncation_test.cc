// SPDX-License-Identifier: Apache-2.0
// A file that is cut anywhere, or has any one of its bytes changed, gets a verdict, and never a
// wrong "conformant".

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;

struct Kind {
  const char* name;
  bool worked_example;
  bool volumes;
  bool index;
};

class TruncationTest : public CheckedArchive {
 protected:
  void Prepare(const Kind& kind) {
    Reset();
    plan = kind.worked_example ? generators::WorkedExample(version())
                               : generators::BaseArchive(version());
    if (kind.volumes) SplitIntoVolumes();
    plan.has_index = kind.index;
  }

  // The largest offset that the index gives in a volume, or with kMetaPart in .meta; 0 if there is
  // none.
  std::size_t LargestOffset(const ArchiveImage& whole, archive::Part part) const {
    const auto index = whole.files.find("index");
    if (index == whole.files.end()) return 0;
    std::size_t largest = 0;
    for (std::size_t at = LabelSize(); at < index->second.size(); at += EntrySize()) {
      const std::uint8_t* entry = index->second.data() + at + TimeSize();
      const std::size_t width = version() == 3 ? 8 : 4;
      const auto offset = [&](std::size_t field) {
        return width == 8 ? LoadU64(entry + 4 + field) : LoadU32(entry + 4 + 4 * field / 8);
      };
      if (part == archive::kMetaPart) largest = std::max<std::size_t>(largest, offset(0));
      if (part == LoadI32(entry)) largest = std::max<std::size_t>(largest, offset(8));
    }
    return largest;
  }

  // Whether what is left can be all there ever was: the cut is where a record (or entry) ends, and
  // no other file contradicts it.
  bool MayHaveEndedThere(const ArchiveImage& whole, const std::string& file,
                         std::size_t size) const {
    if (file == "index") return size > LabelSize() && (size - LabelSize()) % EntrySize() == 0;
    const std::vector<std::size_t> records = whole.Records(file);
    const auto record = std::find(records.begin(), records.end(), size);
    if (record == records.end() || record == records.begin()) return false;
    if (file == "meta") {
      // Values need their descriptors, and set-valued ones some record of their domain. The index
      // may point to the end of .meta (ARC-454).
      return size >= records.at(Needed() + 1) && size >= LargestOffset(whole, archive::kMetaPart);
    }
    // A first volume needs a record; where an entry points, one begins.
    if (file == "0" && size == LabelSize()) return false;
    return size > LargestOffset(whole, std::stoi(file));
  }

  bool EndsInALengthWordOrEntry(const ArchiveImage& whole, const std::string& file,
                                std::size_t size) const {
    if (file == "index") return size > LabelSize();
    const std::vector<std::size_t> records = whole.Records(file);
    const auto after = std::upper_bound(records.begin(), records.end(), size);
    return after != records.begin() && size - *std::prev(after) < 4;
  }

  std::size_t EntrySize() const { return version() == 3 ? 32 : 20; }

 private:
  // The last record of .meta that values of the first data record cannot do without.
  std::size_t Needed() const {
    std::size_t needed = 0;
    bool domain = false;
    for (std::size_t i = 0; i < plan.meta.size(); ++i) {
      const bool desc = std::holds_alternative<archive::DescModel>(plan.meta[i]);
      const bool first_indom = !domain && std::holds_alternative<archive::IndomModel>(plan.meta[i]);
      if (desc || first_indom) needed = i + 1;
      domain = domain || first_indom;
    }
    return needed;
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, TruncationTest, ::testing::Values(2, 3), VersionName);

TEST_P(TruncationTest, AFileThatIsCutIsConformantOnlyWhereItMayHaveEnded) {
  for (const Kind& kind : {Kind{"base", false, false, true},
                           {"base without index", false, false, false},
                           {"volumes", false, true, true},
                           {"volumes without index", false, true, false},
                           {"worked example", true, false, true},
                           {"worked example without index", true, false, false}}) {
    Prepare(kind);
    const ArchiveImage whole = image();
    ASSERT_TRUE(Check().conformant) << kind.name;
    for (const auto& [file, bytes] : whole.files) {
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        Reset();
        image() = whole;
        image().Truncate(file, size);
        // No reader minds what is left of a length word or of an index entry: a warning.
        const std::vector<std::string> rules = RulesWithSeverity();
        const bool clean = Check().conformant &&
                           std::ranges::count(rules, "ARC-1105 warning") == 0 &&
                           std::ranges::count(rules, "ARC-1901 warning") == 0;
        ASSERT_EQ(clean, MayHaveEndedThere(whole, file, size))
            << kind.name << ": ." << file << " cut at " << size << ": "
            << ::testing::PrintToString(RulesWithSeverity());
        ASSERT_EQ(Check().conformant, Check().counts.fatal + Check().counts.error == 0)
            << kind.name << file << size;
        ASSERT_TRUE(clean || !Check().conformant || EndsInALengthWordOrEntry(whole, file, size))
            << kind.name << ": ." << file << " cut at " << size << ": "
            << ::testing::PrintToString(RulesWithSeverity());
      }
    }
  }
}

TEST_P(TruncationTest, WithAnEntryForEachRecordNoVolumeMayBeCut) {
  plan.index.clear();
  for (std::size_t k = 0; k < 6; ++k) {
    plan.index.push_back(
        {At(static_cast<std::int64_t>(k)), 0, k == 0 ? 0 : plan.meta.size() - (k < 4 ? 1 : 0), k});
  }
  const ArchiveImage whole = image();
  ASSERT_TRUE(Check().conformant);
  for (std::size_t size = 0; size < whole.files.at("0").size(); ++size) {
    Reset();
    image() = whole;
    image().Truncate("0", size);
    ASSERT_FALSE(Check().conformant) << size;
  }
}

// The bytes of the base archive whose change may make another archive that is right as well: what
// is measured and told, not how it is put together.
class Meaning {
 public:
  Meaning(const ArchiveImage& image, int version) : image_(image), time_(version == 3 ? 12 : 8) {
    const std::vector<std::size_t> data = image.Records("0");
    for (std::size_t k = 1; k < data.size(); ++k)
      AddDataRecord(data[k], /*in_index=*/k == 1 || k == 4 || k == 6);
    const std::vector<std::size_t> meta = image.Records("meta");
    for (std::size_t k = 1; k < meta.size(); ++k) AddMetaRecord(meta[k]);
    // The final entry may point to the end of the record that it is for (ARC-454): T+4 is right for
    // it too.
    const std::size_t entry = version == 3 ? 32 : 20;
    Add("index", image.files.at("index").size() - entry + 3, 1);
  }

  bool Contains(const std::string& file, std::size_t offset) const {
    return bytes_.contains({file, offset});
  }

 private:
  void Add(const std::string& file, std::size_t begin, std::size_t size) {
    for (std::size_t at = begin; at < begin + size; ++at) bytes_.insert({file, at});
  }

  // Values, and times that no index entry repeats; that 29.0.1 is not 29.0.9, which is of the same
  // type; how much of an AGGREGATE is padding.
  void AddDataRecord(std::size_t begin, bool in_index) {
    if (!in_index) Add("0", begin + 4, time_);
    const std::uint32_t sets = image_.Word("0", begin + 4 + time_);
    std::size_t at = begin + 8 + time_;
    for (std::uint32_t i = 0; i < sets; ++i) {
      const std::uint32_t values = image_.Word("0", at + 4);
      const bool insitu = image_.Word("0", at + 8) == 0;
      if (image_.Word("0", at) == 0x07400001) Add("0", at + 3, 1);
      for (std::uint32_t v = 0; v < values; ++v) {
        const std::size_t word = at + 16 + 8 * std::size_t{v};
        if (insitu) {
          Add("0", word, 4);
        } else {
          const std::size_t block = begin + 4 * (std::size_t{image_.Word("0", word)} - 2);
          Add("0", block + 4, (image_.Word("0", block) & 0xffffff) - 4);
          if (image_.Word("0", block) >> 24 == 7) Add("0", block + 3, 1);
        }
      }
      at += 12 + 8 * std::size_t{values};
    }
  }

  // Semantics, units, names, labels and whether they are optional, texts and what they are for, the
  // times of labels; whether 32 bits that are insitu have a sign; and in version 2 microseconds so
  // large that readers, who multiply in 32 bits (ARC-003), take them for the same time.
  void AddMetaRecord(std::size_t begin) {
    const std::size_t length = image_.Word("meta", begin);
    switch (image_.Word("meta", begin + 4)) {
      case 1:
        if (image_.Word("meta", begin + 12) == 1) Add("meta", begin + 15, 1);
        Add("meta", begin + 20, 8);
        Add("meta", begin + 36, length - 40);
        break;
      case 2:
      case 5:
      case 6: {
        if (time_ == 8) Add("meta", begin + 12, 1);
        const std::size_t count = begin + 12 + time_;
        const std::size_t table = count + 4 + 8 * std::size_t{image_.Word("meta", count)};
        Add("meta", table, begin + length - 4 - table);
        break;
      }
      case 3:
      case 7:
        Add("meta", begin + 8, time_);
        Add("meta", begin + 28 + time_,
            image_.Word("meta", begin + 24 + time_));  // JSON of the first set
        Add("meta", begin + 28 + time_ + image_.Word("meta", begin + 24 + time_) + 7, 1);  // flags
        break;
      case 4:
        Add("meta", begin + 15, 1);
        Add("meta", begin + 16, length - 20);
        break;
      default:
        break;
    }
  }

  const ArchiveImage& image_;
  std::size_t time_;
  std::set<std::pair<std::string, std::size_t>> bytes_;
};

TEST_P(TruncationTest, AChangedByteIsReportedUnlessItIsMeaning) {  // idea 51 of the specification
  const ArchiveImage whole = image();
  const Meaning meaning(whole, version());
  std::size_t unreported = 0;
  for (const auto& [file, bytes] : whole.files) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned mask : {0x01U, 0x02U, 0x04U, 0x08U, 0x10U, 0x20U, 0x40U, 0x80U, 0xffU}) {
        Reset();
        image() = whole;
        image().SetByte(file, at, static_cast<std::uint8_t>(bytes[at] ^ mask));
        const bool reported = !Rules().empty();
        if (meaning.Contains(file, at)) {
          if (!reported) ++unreported;
          continue;
        }
        EXPECT_TRUE(reported) << "." << file << " offset " << at << " mask " << mask;
      }
    }
  }
  EXPECT_GT(unreported, 0U) << "the test tells changes apart";
}

}  // namespace
}  // namespace pmproof::validator::testing
