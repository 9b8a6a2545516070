// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/record_beginning.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generators/archive_image.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;

// The records of the archives of the specification, cut and damaged.
class RecordBeginningTest : public ::testing::TestWithParam<int> {
 protected:
  struct Record {
    std::vector<std::uint8_t> bytes;
    Part part;
  };

  std::vector<Record> Records() const {
    std::vector<Record> records;
    for (const auto& plan :
         {generators::BaseArchive(GetParam()), generators::WorkedExample(GetParam())}) {
      const ArchiveImage image = Encode(plan);
      for (const auto& [file, part] : {std::pair("meta", kMetaPart), std::pair("0", Part{0})}) {
        const std::vector<std::size_t> offsets = image.Records(file);
        for (std::size_t i = 1; i < offsets.size(); ++i) {
          const auto begin = image.files.at(file).begin() + static_cast<std::ptrdiff_t>(offsets[i]);
          records.push_back(
              {{begin, begin + static_cast<std::ptrdiff_t>(image.Word(file, offsets[i]))}, part});
        }
      }
    }
    return records;
  }
  bool IsSound(const Record& record, std::size_t present, std::size_t length) const {
    return IsSoundBeginning(Bytes(record.bytes).first(present), length, record.part, GetParam());
  }
  // The whole body of a record of the base archive with one word replaced.
  bool IsSoundWith(const char* file, std::size_t ordinal, std::size_t offset,
                   std::uint32_t word) const {
    ArchiveImage image = Encode(generators::BaseArchive(GetParam()));
    const std::size_t at = image.Records(file).at(ordinal);
    image.SetWord(file, at + offset, word);
    const std::size_t length = image.Word(file, at);
    return IsSoundBeginning(Bytes(image.files.at(file)).subspan(at, length - 4), length,
                            std::string(file) == "meta" ? kMetaPart : 0, GetParam());
  }
  std::size_t Time() const { return LayoutOf(GetParam()).timestamp; }
};
INSTANTIATE_TEST_SUITE_P(Versions, RecordBeginningTest, ::testing::Values(2, 3));

TEST_P(RecordBeginningTest, EveryBeginningOfASoundRecordIsSound) {
  for (const Record& record : Records()) {
    for (std::size_t present = kLengthWord; present <= record.bytes.size(); ++present) {
      EXPECT_TRUE(IsSound(record, present, record.bytes.size())) << record.part << " " << present;
    }
  }
}

TEST_P(RecordBeginningTest, ALengthThatTheFieldsDoNotFillIsNot) {
  for (const Record& record : Records()) {
    const std::size_t size = record.bytes.size();
    const std::uint32_t type = LoadU32(record.bytes.data() + 4);
    if (type == 2 || type == 5 || type == 6) continue;  // an instance domain may have names to come
    for (const std::size_t length : {size + 4, size + 8}) {
      EXPECT_FALSE(IsSound(record, size, length)) << record.part << " " << length;
    }
  }
}

TEST_P(RecordBeginningTest, ALengthThatTakesInTheNextRecordIsNot) {
  const ArchiveImage image = Encode(generators::BaseArchive(GetParam()));
  const std::size_t second = image.Records("0").at(2);
  const Bytes rest = Bytes(image.files.at("0")).subspan(second);
  EXPECT_FALSE(IsSoundBeginning(rest, rest.size() + 1000, 0, GetParam()));
}

TEST_P(RecordBeginningTest, LengthsThatNoRecordHasAreNot) {
  const Record data{std::vector<std::uint8_t>(4), 0};
  for (const std::size_t length : {8U, 16U, 1001U, 0x00ffffffU})
    EXPECT_FALSE(IsSound(data, 4, length)) << length;
  EXPECT_TRUE(IsSound(data, 4, 1000));
  const Record meta{std::vector<std::uint8_t>(4), kMetaPart};
  EXPECT_FALSE(IsSound(meta, 4, 8));
  EXPECT_TRUE(IsSound(meta, 4, 1001));
}

TEST_P(RecordBeginningTest, FieldsOfADataRecordThatDoNotFitAreNot) {
  const std::size_t sets = 8 + Time();
  EXPECT_TRUE(IsSoundWith("0", 1, sets, 0x07400001));
  EXPECT_FALSE(IsSoundWith("0", 1, Time(), 0xffffffff)) << "fraction";
  EXPECT_FALSE(IsSoundWith("0", 1, sets - 4, 0xffffffff)) << "numpmid";
  EXPECT_FALSE(IsSoundWith("0", 1, sets - 4, 0)) << "a mark with values";
  EXPECT_FALSE(IsSoundWith("0", 1, sets - 4, 1000)) << "numpmid";
  EXPECT_FALSE(IsSoundWith("0", 1, sets - 4, 8)) << "numpmid";
  EXPECT_FALSE(IsSoundWith("0", 1, sets + 4, 1000)) << "numval";
  EXPECT_FALSE(IsSoundWith("0", 1, sets + 8, 3)) << "valfmt";
  EXPECT_FALSE(IsSoundWith("0", 1, sets + 36, 0)) << "index of a block";
  EXPECT_FALSE(IsSoundWith("0", 1, sets + 36, 1000)) << "index of a block";
}

TEST_P(RecordBeginningTest, FieldsOfMetadataThatDoNotFitAreNot) {
  const std::size_t after_time = 8 + Time();
  EXPECT_FALSE(IsSoundWith("meta", 1, 4, 8)) << "type";
  EXPECT_FALSE(IsSoundWith("meta", 1, 4, GetParam() == 3 ? 2 : 5)) << "type of the other version";
  EXPECT_FALSE(IsSoundWith("meta", 1, 28, 0)) << "number of names";
  EXPECT_FALSE(IsSoundWith("meta", 1, 28, 2)) << "number of names";
  EXPECT_FALSE(IsSoundWith("meta", 1, 32, 0xfffffffd)) << "length of a name";
  EXPECT_FALSE(IsSoundWith("meta", 7, Time() + 4, 0xffffffff)) << "fraction";
  EXPECT_FALSE(IsSoundWith("meta", 7, after_time + 4, 0xffffffff)) << "number of instances";
  EXPECT_FALSE(IsSoundWith("meta", 7, after_time + 4, 1000)) << "number of instances";
  EXPECT_FALSE(IsSoundWith("meta", 7, after_time + 8, 0xffffffff)) << "instance";
  EXPECT_FALSE(IsSoundWith("meta", 7, after_time + 16, 4)) << "name offset";
  EXPECT_FALSE(IsSoundWith("meta", 12, after_time + 8, 0xffffffff)) << "nsets";
  EXPECT_FALSE(IsSoundWith("meta", 12, after_time + 8, 2)) << "nsets";
  EXPECT_FALSE(IsSoundWith("meta", 12, after_time + 16, 70000)) << "jsonlen";
  EXPECT_FALSE(IsSoundWith("meta", 14, 8, 4)) << "text type";
  EXPECT_FALSE(IsSoundWith("meta", 14, 16, 0x61006161)) << "a NUL inside the text";
}

}  // namespace
}  // namespace pmproof::archive
