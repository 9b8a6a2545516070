// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/addressable_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "reference/archive/testing/compress.h"

namespace pmproof::archive {
namespace {

using testing::Compress;
using Content = std::vector<std::uint8_t>;

class File final : public StoredFile {
 public:
  explicit File(Content content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  Content content_;
};

Content Sample(std::size_t size) {
  Content content(size);
  for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<std::uint8_t>(i * i >> 5);
  return content;
}

bool Equal(Bytes bytes, const Content& content) {
  return std::equal(bytes.begin(), bytes.end(), content.begin(), content.end());
}

TEST(AddressableSource, OfAMappedFileIsThatFile) {
  const Content content = Sample(1000);
  const File file(content);
  std::unique_ptr<Source> source = MakeSource(file, "a.meta", Compression::kNone);
  const Source* const before = source.get();
  const auto addressable = MakeAddressable(std::move(source), "a.meta", /*budget=*/1);
  ASSERT_TRUE(addressable);
  EXPECT_EQ(addressable->get(), before);
}

TEST(AddressableSource, HoldsTheWholeContentOfACompressedFile) {
  const Content content = Sample(5'000'000);
  for (const Compression compression :
       {Compression::kXz, Compression::kGzip, Compression::kBzip2, Compression::kZstd}) {
    const File file(Compress(content, compression));
    const auto source = MakeAddressable(MakeSource(file, "a.meta.x", compression), "a.meta.x");
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->position(), 0U);
    ASSERT_TRUE((*source)->mapped());
    EXPECT_TRUE(Equal(*(*source)->mapped(), content));
  }
}

TEST(AddressableSource, ShowsAllThatRemains) {
  const Content content = Sample(1000);
  const File file(Compress(content, Compression::kXz));
  const auto source = MakeAddressable(MakeSource(file, "a.meta.xz", Compression::kXz), "a.meta.xz");
  const Bytes first = (*source)->Window(1).value();
  (*source)->Skip(400);
  EXPECT_EQ((*source)->position(), 400U);
  EXPECT_TRUE(
      Equal((*source)->Window(10'000).value(), Content(content.begin() + 400, content.end())));
  EXPECT_TRUE(Equal(first, content));
  (*source)->Skip(10'000);
  EXPECT_EQ((*source)->position(), 1000U);
  EXPECT_TRUE((*source)->Window(1).value().empty());
}

TEST(AddressableSource, KeepsToItsBudget) {
  const Content content = Sample(100'000);
  const File file(Compress(content, Compression::kXz));
  const auto open = [&](std::size_t budget) {
    return MakeAddressable(MakeSource(file, "a.meta.xz", Compression::kXz), "a.meta.xz", budget);
  };
  EXPECT_TRUE(open(100'000));
  const auto refused = open(99'999);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Status::Kind::kBudget);
  EXPECT_EQ(refused.error().file, "a.meta.xz");
}

TEST(AddressableSource, RefusesADecompressionBombBeforeHoldingIt) {
  const File file(Compress(Content(64 << 20), Compression::kXz));
  const auto refused =
      MakeAddressable(MakeSource(file, "a.meta.xz", Compression::kXz), "a.meta.xz", 1 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Status::Kind::kBudget);
}

TEST(AddressableSource, GivesWhatCameBeforeTheDamage) {  // ARC-1009
  const Content content = Sample(3'000'000);
  Content compressed = Compress(content, Compression::kGzip);
  compressed.resize(compressed.size() / 2);
  const File file(std::move(compressed));
  const auto source =
      MakeAddressable(MakeSource(file, "a.meta.gz", Compression::kGzip), "a.meta.gz");
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->mapped());
  const Bytes before = (*source)->Window(1).value();
  ASSERT_GT(before.size(), 100'000U);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), content.begin()));
  const auto beyond = (*source)->Window(before.size() + 1);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().clause, "ARC-1009"_clause);
}

}  // namespace
}  // namespace pmproof::archive
