// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/guess_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/copying_source.h"

namespace pmproof::archive {
namespace {

using ::testing::Optional;

class GuessRecordTest : public ::testing::TestWithParam<int> {
 protected:
  GuessRecordTest() : image_(generators::Encode(generators::BaseArchive(GetParam()))) {}

  std::vector<std::size_t> Records(const std::string& file) const {
    std::vector<std::size_t> records = image_.Records(file);
    records.push_back(image_.files.at(file).size());
    return records;
  }

  // Where the first record is found from `at` on.
  std::optional<std::uint64_t> Guess(const std::string& name, std::uint64_t at,
                                     std::uint64_t end = kNoEnd) {
    storage_.files[name] = image_.files.at(name);
    const auto file = std::move(*storage_.Open(name));
    const NewSource source = MakeCopyingSource(*file, {.begin = at});
    const RecordsToGuess records{name == "meta" ? kMetaPart : 0, GetParam(), from_};
    if (!SkipToRecord(*source, *file, end, records)) return std::nullopt;
    return source->position();
  }

  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
  generators::ArchiveImage image_;
  MemoryStorage storage_;
  Timestamp from_{generators::kBaseTime, 0};
};
INSTANTIATE_TEST_SUITE_P(Versions, GuessRecordTest, ::testing::Values(2, 3));

TEST_P(GuessRecordTest, TheNextRecordIsFoundFromAnyWordBeforeIt) {
  const std::vector<std::size_t> records = Records("0");
  for (std::size_t k = 1; k + 2 < records.size(); ++k) {
    EXPECT_THAT(Guess("0", records[k]), Optional(records[k]));
    for (std::size_t at = records[k] + 4; at <= records[k + 1]; at += 4)
      EXPECT_THAT(Guess("0", at), Optional(records[k + 1])) << at;
  }
  EXPECT_EQ(Guess("0", records.back()), std::nullopt);
}

TEST_P(GuessRecordTest, TheNextRecordOfMetadataIsFoundFromAnyByteBeforeIt) {
  const std::vector<std::size_t> records = Records("meta");
  for (std::size_t k = 1; k + 2 < records.size(); ++k) {
    for (std::size_t at = records[k] + 1; at <= records[k + 1]; ++at)
      EXPECT_THAT(Guess("meta", at), Optional(records[k + 1])) << at;
  }
}

TEST_P(GuessRecordTest, TheLabelIsNoRecord) {
  EXPECT_THAT(Guess("0", 0), Optional(Records("0")[1]));
}

TEST_P(GuessRecordTest, NothingIsFoundAtTheEndOrBehindIt) {
  const std::size_t second = Records("0")[2];
  EXPECT_EQ(Guess("0", Records("0")[1] + 4, second), std::nullopt);
  EXPECT_THAT(Guess("0", Records("0")[1] + 4, second + 1), Optional(second));
}

TEST_P(GuessRecordTest, TheLastRecordMayBeCut) {
  const std::vector<std::size_t> records = Records("0");
  const std::size_t last = records[records.size() - 2];
  image_.Truncate("0", last + 30);
  EXPECT_THAT(Guess("0", records[1] + 4, last), Optional(records[2]));
  EXPECT_EQ(Guess("0", last), std::nullopt);
}

TEST_P(GuessRecordTest, ARecordWhoseSuccessorIsNoneIsNotTaken) {
  const std::vector<std::size_t> records = Records("0");
  image_.SetWord("0", records[2], 7);
  EXPECT_THAT(Guess("0", records[1]), Optional(records[3]));
}

TEST_P(GuessRecordTest, LengthWordsThatDifferAreNotTaken) {
  const std::vector<std::size_t> records = Records("0");
  image_.SetWord("0", records[2] - 4, 44);
  EXPECT_THAT(Guess("0", records[1]), Optional(records[2]));
}

TEST_P(GuessRecordTest, TimesThatGoBackAreNotTaken) {
  const std::vector<std::size_t> records = Records("0");
  image_.SetWord("0", records[2] + 4, static_cast<std::uint32_t>(generators::kBaseTime - 1));
  EXPECT_THAT(Guess("0", records[1]), Optional(records[3]));
}

TEST_P(GuessRecordTest, TimesFarFromThoseOfTheArchiveAreNotTaken) {
  from_ = {generators::kBaseTime + 100, 0};
  EXPECT_EQ(Guess("0", Records("0")[1]), std::nullopt);
  from_ = {};
  EXPECT_EQ(Guess("0", Records("0")[1]), std::nullopt);
}

TEST_P(GuessRecordTest, MetadataWithoutATypeAreNotTaken) {
  const std::vector<std::size_t> records = Records("meta");
  image_.SetWord("meta", records[2] + 4, 8);
  EXPECT_THAT(Guess("meta", records[1]), Optional(records[3]));
}

TEST_P(GuessRecordTest, ARecordIsFoundBehindManyBytesThatAreNone) {
  const std::size_t first = Records("0")[1];
  image_.Insert("0", first, std::string(3'000'000, '\0'));
  EXPECT_THAT(Guess("0", first), Optional(first + 3'000'000));
}

TEST_P(GuessRecordTest, LongRecordsAreFound) {
  for (std::size_t k = 5; k > 1; --k) {
    const std::size_t begin = Records("0")[k];
    image_.GrowRecord("0", begin, 0);
    image_.Insert("0", begin + 60, std::string(1'000'000, '\0'));
    image_.SetWord("0", begin, image_.Word("0", begin) + 1'000'000);
    image_.SetWord("0", begin + image_.Word("0", begin) - 4, image_.Word("0", begin));
  }
  const std::vector<std::size_t> records = Records("0");
  EXPECT_THAT(Guess("0", records[2] + 4), Optional(records[3]));
}

}  // namespace
}  // namespace pmproof::archive
