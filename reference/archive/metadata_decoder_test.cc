// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/metadata_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/archive/testing/loaded_metadata.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAreArray;
using testing::LoadedMetadata;
using testing::RecordingReporter;

class MetadataDecoderOfEachVersion : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    storage_.files["a.meta"] = content_;
    file_ = *storage_.Open("a.meta");
  }

  // Decodes the base archive's records in parts that begin at the records `first` and `second`,
  // counted from 0, each with a decoder of its own as threads do.
  Metadata InParts(std::size_t first, std::size_t second) {
    const int version = GetParam();
    const std::uint64_t size = file_->bytes().size();
    const NewSource source = MakeSource(*file_, "test.meta", Compression::kNone);
    source->Skip(LayoutOf(version).label);
    RecordReader reader(*source, kMetaPart, version, reporter_);
    MetadataDecoder whole(version, size, reporter_);
    const std::size_t count = loaded_.metadata().records;
    const auto add = [&](MetadataDecoder& decoder, std::size_t begin, std::size_t end, bool apart) {
      for (std::size_t i = begin; i < end; ++i) {
        RecordView record = **reader.Next();
        if (apart) record.ordinal = i - begin;
        EXPECT_FALSE(decoder.Add(record));
      }
    };
    add(whole, 0, first, false);
    for (const auto& [begin, end] : {std::pair(first, second), std::pair(second, count)}) {
      MetadataDecoder part(version, size, reporter_);
      add(part, begin, end, true);
      EXPECT_TRUE(whole.Append(std::move(part), begin + 1));
    }
    EXPECT_FALSE(*reader.Next());
    return std::move(whole).Finish(reader);
  }

  const Buffer content_ = generators::Encode(generators::BaseArchive(GetParam())).files.at("meta");
  const LoadedMetadata loaded_{content_, GetParam()};
  MemoryStorage storage_;
  std::unique_ptr<StoredFile> file_;
  RecordingReporter reporter_;
};
INSTANTIATE_TEST_SUITE_P(Versions, MetadataDecoderOfEachVersion, ::testing::Values(2, 3));

template <typename Record>
std::vector<std::uint64_t> OrdinalsOf(const std::vector<Record>& records) {
  std::vector<std::uint64_t> ordinals;
  for (const Record& record : records) ordinals.push_back(record.record.ordinal);
  return ordinals;
}

// A part may be the first to have records of a kind, of all kinds or of none.
TEST_P(MetadataDecoderOfEachVersion, PartsComeToWhatTheWholeComesTo) {
  const Metadata& whole = loaded_.metadata();
  for (std::size_t first = 0; first <= whole.records; ++first) {
    for (std::size_t second = first; second <= whole.records; ++second) {
      const Metadata joined = InParts(first, second);
      EXPECT_EQ(joined.records, whole.records);
      EXPECT_EQ(joined.undecoded, 0U);
      EXPECT_THAT(OrdinalsOf(joined.descs), ElementsAreArray(OrdinalsOf(whole.descs)));
      EXPECT_THAT(OrdinalsOf(joined.indoms), ElementsAreArray(OrdinalsOf(whole.indoms)));
      EXPECT_THAT(OrdinalsOf(joined.labels), ElementsAreArray(OrdinalsOf(whole.labels)));
      EXPECT_THAT(OrdinalsOf(joined.texts), ElementsAreArray(OrdinalsOf(whole.texts)));
      ASSERT_EQ(joined.positions.size(), whole.positions.size());
      for (std::size_t i = 0; i < joined.positions.size(); ++i) {
        EXPECT_EQ(joined.positions[i].ordinal, i + 1);
        EXPECT_EQ(joined.positions[i].offset, whole.positions[i].offset);
      }
    }
  }
  EXPECT_TRUE(reporter_.violations.empty());
}

}  // namespace
}  // namespace pmproof::archive
