// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/copying_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace pmproof::archive {
namespace {

class CopyingSourceTest : public ::testing::Test {
 protected:
  std::unique_ptr<StoredFile> Stored(std::size_t size) {
    std::mt19937 chance(1);
    std::vector<std::uint8_t>& content = storage_.files["a"];
    content.resize(size);
    for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(chance());
    return std::move(*storage_.Open("a"));
  }

  MemoryStorage storage_;
};

TEST_F(CopyingSourceTest, ViewsOfAnySizeShowTheContentFromThePositionOn) {
  constexpr std::size_t kSizes[] = {0,
                                    1,
                                    8,
                                    1000,
                                    5000,
                                    100'000,
                                    260'000,
                                    kLargestCopy,
                                    1'000'000,
                                    ~std::size_t{0},
                                    kLargestCopy + 1};
  const auto file = Stored(3'000'000);
  const Bytes content = file->bytes();
  std::mt19937 chance(2);
  for (int round = 0; round < 200; ++round) {
    const NewSource source = MakeCopyingSource(*file);
    std::size_t position = 0;
    while (position < content.size()) {
      const std::size_t size = kSizes[chance() % std::size(kSizes)];
      const Result<Bytes> view = source->Window(size);
      ASSERT_TRUE(view);
      ASSERT_GE(view->size(), std::min(size, content.size() - position));
      ASSERT_TRUE(std::ranges::equal(*view, content.subspan(position, view->size())));
      const std::size_t step = view->empty() ? 0 : chance() % (view->size() + 1);
      source->Skip(step);
      position += step;
      ASSERT_EQ(source->position(), position);
    }
    const Result<Bytes> end = source->Window(8);
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->empty());
  }
}

TEST_F(CopyingSourceTest, ALongViewShowsNoMoreThanWasAskedFor) {
  const auto file = Stored(3'000'000);
  const NewSource source = MakeCopyingSource(*file);
  EXPECT_EQ(source->Window(kLargestCopy + 1)->size(), kLargestCopy + 1);
  source->Skip(kLargestCopy + 1);
  const Result<Bytes> next = source->Window(8);
  EXPECT_TRUE(std::ranges::equal(*next, file->bytes().subspan(kLargestCopy + 1, next->size())));
  EXPECT_LT(next->size(), std::size_t{600'000});
}

TEST_F(CopyingSourceTest, APartIsReadFromItsBeginningAndBeyondItsEnd) {
  const auto file = Stored(3'000'000);
  for (const std::size_t begin : {0U, 4096U, 5000U, 2'999'999U, 3'000'000U, 4'000'000U}) {
    for (const std::size_t end : {0U, 5001U, 300'000U, 4'000'000U}) {
      const NewSource source = MakeCopyingSource(*file, {begin, end});
      std::size_t position = std::min(begin, file->bytes().size());
      std::mt19937 chance(3);
      while (true) {
        ASSERT_EQ(source->position(), position);
        const std::size_t size = chance() % 100'000;
        const Result<Bytes> view = source->Window(size);
        ASSERT_GE(view->size(), std::min(size, file->bytes().size() - position));
        ASSERT_TRUE(std::ranges::equal(*view, file->bytes().subspan(position, view->size())));
        if (position == file->bytes().size()) break;
        const std::size_t step = std::min(view->size(), size);
        source->Skip(step);
        position += step;
      }
    }
  }
}

TEST_F(CopyingSourceTest, BehindTheEndOfAPartLittleIsRead) {
  const auto file = Stored(3'000'000);
  const NewSource source = MakeCopyingSource(*file, {4096, 100'000});
  EXPECT_EQ(source->Window(8)->size(), 100'000 - 4096U);
  source->Skip(100'000 - 4096 - 4);
  const Result<Bytes> view = source->Window(8);
  EXPECT_GE(view->size(), 8U);
  EXPECT_LE(view->size(), 20'000U);
}

// See kAlignment.
TEST_F(CopyingSourceTest, WhatIsCopiedBeginsAtTheBeginningOfAPage) {
  constexpr std::uintptr_t kPage = 4096;
  const auto file = Stored(1'000'000);
  CopyBuffers buffers;
  std::vector<NewSource> sources;
  std::vector<std::unique_ptr<char[]>> between;  // so that buffers lie at many places
  for (std::size_t i = 0; i < 16; ++i) {
    between.push_back(std::make_unique<char[]>(16 * i + 1));
    sources.push_back(MakeCopyingSource(*file, {}, i % 2 == 0 ? nullptr : &buffers));
    const Result<Bytes> view = sources.back()->Window(1);
    ASSERT_TRUE(view);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view->data()) % kPage, 0U);
  }
}

TEST_F(CopyingSourceTest, MoreMayBePassedOverThanIsShown) {
  const auto file = Stored(3'000'000);
  const NewSource source = MakeCopyingSource(*file);
  EXPECT_LT(source->Window(8)->size(), 1'000'000U);
  source->Skip(2'000'000);
  EXPECT_EQ(source->position(), 2'000'000U);
  const Result<Bytes> view = source->Window(1000);
  EXPECT_TRUE(std::ranges::equal(*view, file->bytes().subspan(2'000'000, view->size())));
}

TEST_F(CopyingSourceTest, AnEmptyFileShowsNothing) {
  const auto file = Stored(0);
  const NewSource source = MakeCopyingSource(*file);
  EXPECT_TRUE(source->Window(1)->empty());
  source->Skip(0);
  EXPECT_EQ(source->position(), 0U);
  EXPECT_TRUE(source->mapped());
}

}  // namespace
}  // namespace pmproof::archive
