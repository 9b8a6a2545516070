// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "reference/archive/testing/compress.h"

namespace pmproof::archive {
namespace {

using testing::Compress;
using ::testing::HasSubstr;
using Content = std::vector<std::uint8_t>;

class File final : public StoredFile {
 public:
  explicit File(Content content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  Content content_;
};

// Views of a source end with it: of a temporary one they cannot be had.
template <typename Pointer>
concept GivesViews = requires(Pointer&& pointer) {
  std::forward<Pointer>(pointer)->Window(1);
};
static_assert(GivesViews<NewSource&> && GivesViews<const NewSource&>);
static_assert(!GivesViews<NewSource>);

// Repeats little but compresses well enough: words of a counter, scrambled in the low byte.
Content Sample(std::size_t size) {
  Content content(size);
  for (std::size_t i = 0; i < size; ++i) {
    content[i] = static_cast<std::uint8_t>(i % 4 == 3 ? i * 2654435761U >> 13 : i >> 12);
  }
  return content;
}

// What comes out, in steps of `step`, and how it ended.
struct Outcome {
  Content content;
  std::optional<Status> error;
};
Outcome ReadAll(Source& source, std::size_t step = 1000) {
  Outcome outcome;
  while (true) {
    const Result<Bytes> window = source.Window(step);
    if (!window) {
      if (step == 1) {
        outcome.error = window.error();
        return outcome;
      }
      step = 1;  // what was decompressed before the error is given
      continue;
    }
    if (window->empty()) return outcome;
    const std::size_t taken = std::min(step, window->size());
    outcome.content.insert(outcome.content.end(), window->begin(),
                           window->begin() + static_cast<std::ptrdiff_t>(taken));
    source.Skip(taken);
  }
}

Outcome Decompress(Content stored, Compression compression, const SourceLimits& limits = {}) {
  const File file(std::move(stored));
  const auto source = MakeSource(file, "a.0", compression, limits);
  return ReadAll(*source);
}

void Append(Content* content, const std::string& bytes) {
  content->insert(content->end(), bytes.begin(), bytes.end());
}

constexpr Compression kAll[] = {Compression::kNone,    Compression::kXz,   Compression::kLzma,
                                Compression::kBzip2,   Compression::kGzip, Compression::kZstd,
                                Compression::kCompress};

class EveryCompression : public ::testing::TestWithParam<Compression> {};

std::string NameOf(const ::testing::TestParamInfo<Compression>& info) {
  static const char* const kNames[] = {"None", "Xz", "Lzma", "Bzip2", "Gzip", "Compress", "Zstd"};
  return kNames[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Source, EveryCompression, ::testing::ValuesIn(kAll), NameOf);

TEST_P(EveryCompression, TheContentComesOut) {
  const Content content = Sample(3'000'000);
  const Outcome outcome = Decompress(Compress(content, GetParam()), GetParam());
  EXPECT_FALSE(outcome.error) << outcome.error->ToText();
  EXPECT_TRUE(outcome.content == content);
}

TEST_P(EveryCompression, EmptyContentComesOut) {
  const Outcome outcome = Decompress(Compress({}, GetParam()), GetParam());
  EXPECT_FALSE(outcome.error) << outcome.error->ToText();
  EXPECT_TRUE(outcome.content.empty());
}

TEST_P(EveryCompression, TheWholeContentCanBeSeenAtOnce) {
  const Content content = Sample(3'000'000);
  const File file(Compress(content, GetParam()));
  const auto source = MakeSource(file, "a.0", GetParam());
  const Result<Bytes> window = source->Window(content.size());
  ASSERT_TRUE(window) << window.error().ToText();
  EXPECT_TRUE(std::equal(window->begin(), window->end(), content.begin(), content.end()));
  source->Skip(content.size());
  EXPECT_EQ(source->position(), content.size());
  EXPECT_TRUE(source->Window(1)->empty());
}

TEST_P(EveryCompression, MoreThanThereIsGivesWhatThereIs) {
  const Content content = Sample(100);
  const File file(Compress(content, GetParam()));
  const auto source = MakeSource(file, "a.0", GetParam());
  const Result<Bytes> window = source->Window(std::size_t{1} << 40);
  ASSERT_TRUE(window) << window.error().ToText();
  EXPECT_EQ(window->size(), content.size());
}

TEST_P(EveryCompression, OnlyPlainContentIsMapped) {
  const File file(Compress(Sample(100), GetParam()));
  const auto source = MakeSource(file, "a.0", GetParam());
  EXPECT_EQ(source->mapped().has_value(), GetParam() == Compression::kNone);
}

class RealCompression : public EveryCompression {};
INSTANTIATE_TEST_SUITE_P(Source, RealCompression,
                         ::testing::ValuesIn(std::begin(kAll) + 1, std::end(kAll)), NameOf);

TEST_P(RealCompression, AFileCutAnywhereIsDamagedAndGivesWhatCameBefore) {
  const Content content = Sample(3000);
  const Content stored = Compress(content, GetParam());
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const Outcome outcome = Decompress(
        {stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size)}, GetParam());
    ASSERT_TRUE(outcome.error) << size;
    EXPECT_EQ(outcome.error->kind, Status::Kind::kDamaged) << size;
    EXPECT_EQ(outcome.error->clause, "ARC-1009"_clause) << size;
    EXPECT_EQ(outcome.error->offset, outcome.content.size()) << size;
    EXPECT_TRUE(std::equal(outcome.content.begin(), outcome.content.end(), content.begin()))
        << size;
  }
}

TEST_P(RealCompression, ADamagedByteIsFoundOrDoesNotMatter) {
  const Content content = Sample(300);
  const Content stored = Compress(content, GetParam());
  for (std::size_t at = 0; at < stored.size(); ++at) {
    Content damaged = stored;
    damaged[at] ^= 0xff;
    const Outcome outcome = Decompress(damaged, GetParam());
    if (!outcome.error && GetParam() != Compression::kLzma) {
      EXPECT_TRUE(outcome.content == content) << at;  // .lzma has no checksum
    }
  }
}

TEST_P(RealCompression, OtherContentIsDamaged) {
  Content stored;
  Append(&stored, "no compressed data, whatever the name says");
  const Outcome outcome = Decompress(stored, GetParam());
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->kind, Status::Kind::kDamaged);
  EXPECT_TRUE(outcome.content.empty());
}

TEST_P(RealCompression, WhatIsDecompressedBeforeDamageIsGivenFirst) {
  const Content content = Sample(3'000'000);
  Content stored = Compress(content, GetParam());
  stored.resize(stored.size() * 9 / 10);
  const Outcome outcome = Decompress(stored, GetParam());
  ASSERT_TRUE(outcome.error);
  EXPECT_GT(outcome.content.size(), content.size() / 2);
  EXPECT_TRUE(std::equal(outcome.content.begin(), outcome.content.end(), content.begin()));
  EXPECT_EQ(outcome.error->code, ErrorCode::kLogRecord);
  EXPECT_EQ(outcome.error->file, "a.0");
}

TEST_P(RealCompression, AViewBeyondTheLimitExceedsTheBudgetAndTakesNothingAway) {
  const Content content = Sample(10000);
  const File file(Compress(content, GetParam()));
  const auto source = MakeSource(file, "a.0", GetParam(), {.window = 4096});
  const Result<Bytes> window = source->Window(4097);
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().kind, Status::Kind::kBudget);
  EXPECT_GE(source->Window(4096)->size(), 4096U);
  EXPECT_TRUE(ReadAll(*source, 4096).content == content);
}

TEST_P(RealCompression, AViewOfAllTheContentIsNoMatterOfTheLimit) {
  const Content content = Sample(4096);
  const File file(Compress(content, GetParam()));
  const auto source = MakeSource(file, "a.0", GetParam(), {.window = 4096});
  ASSERT_TRUE(source->Window(1 << 20));
  EXPECT_EQ(source->Window(1 << 20)->size(), content.size());
}

TEST_P(RealCompression, ABombExceedsTheBudget) {
  const Outcome outcome = Decompress(Compress(Content(10'000'000), GetParam()), GetParam(),
                                     {.expansion = 10, .expansion_base = 1'000'000});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->kind, Status::Kind::kBudget);
  EXPECT_LT(outcome.content.size(), 4'000'000U);
}

class FormatWithParts : public EveryCompression {};
INSTANTIATE_TEST_SUITE_P(Source, FormatWithParts,
                         ::testing::Values(Compression::kXz, Compression::kBzip2,
                                           Compression::kGzip, Compression::kZstd),
                         NameOf);

TEST_P(FormatWithParts, StreamsThatFollowEachOtherAreOne) {
  const Content content = Sample(200'000);
  Content stored;
  for (std::size_t begin = 0; begin < content.size(); begin += 50'000) {
    const Content part = Compress(Bytes(content).subspan(begin, 50'000), GetParam());
    stored.insert(stored.end(), part.begin(), part.end());
  }
  const Outcome outcome = Decompress(stored, GetParam());
  EXPECT_FALSE(outcome.error) << outcome.error->ToText();
  EXPECT_TRUE(outcome.content == content);
}

// As the decompressors of ARC-035 do: only bzip2 -dc succeeds.
TEST(Source, GarbageBehindTheCompressedDataIsDamageButForBzip2) {
  for (const Compression compression : kAll) {
    if (compression == Compression::kNone) continue;
    Content stored = Compress(Sample(1000), compression);
    Append(&stored, "garbage");
    const Outcome outcome = Decompress(stored, compression);
    EXPECT_EQ(outcome.content.size(), 1000U);
    EXPECT_EQ(outcome.error.has_value(), compression != Compression::kBzip2)
        << static_cast<int>(compression);
  }
}

TEST(Source, ZerosBehindGzipAndXzArePadding) {
  for (const Compression compression : {Compression::kGzip, Compression::kXz}) {
    Content stored = Compress(Sample(1000), compression);
    Append(&stored, std::string(64, '\0'));
    EXPECT_FALSE(Decompress(stored, compression).error);
  }
}

// ARC-035: an .xz is decompressed while it is read, so that damage within the label shows at once.
TEST(Source, AnXzDamagedFromTheBeginningHasNoLabelForPcp) {
  EXPECT_EQ(Decompress(Sample(1000), Compression::kXz).error->code, ErrorCode::kLabel);
  EXPECT_EQ(Decompress(Sample(1000), Compression::kGzip).error->code, ErrorCode::kLogRecord);
}

TEST(Source, ADictionaryBeyondTheLimitExceedsTheBudget) {
  for (const Compression compression : {Compression::kXz, Compression::kLzma}) {
    const Outcome outcome =
        Decompress(Compress(Sample(1000), compression, 9), compression, {.dictionary = 8U << 20});
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->kind, Status::Kind::kBudget);
    EXPECT_THAT(outcome.error->message, HasSubstr("MiB"));
  }
  const Outcome outcome = Decompress(Compress(Sample(3'000'000), Compression::kZstd, 19),
                                     Compression::kZstd, {.dictionary = 1U << 20});
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->kind, Status::Kind::kBudget);
}

TEST(Source, TheLargestPresetOfXzIsWithinTheLimit) {
  EXPECT_FALSE(Decompress(Compress(Sample(1000), Compression::kXz, 9), Compression::kXz).error);
}

TEST(Source, OldCompressFormatIsNotSupported) {
  Content stored = Sample(100);
  stored[0] = 0x1f;
  stored[1] = 0x9d;
  const Outcome outcome = Decompress(stored, Compression::kCompress);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->kind, Status::Kind::kUnsupported);
  EXPECT_THAT(outcome.error->ToText(), HasSubstr("a.0"));
}

TEST(Source, AnErrorStays) {
  Content stored = Compress(Sample(1000), Compression::kGzip);
  stored.resize(stored.size() / 2);
  const File file(stored);
  const auto source = MakeSource(file, "a.0", Compression::kGzip);
  EXPECT_FALSE(source->Window(1000));
  EXPECT_FALSE(source->Window(1000));
}

// Sizes from the whole range whatever RapidCheck's size is: small ones alone would never end.
rc::Gen<std::size_t> AnySize(std::size_t least, std::size_t most) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

RC_GTEST_PROP(SourceProperty, WindowsOfAnySizeShowTheContentInOrder, ()) {
  const auto compression =
      *rc::gen::elementOf(std::vector<Compression>(std::begin(kAll), std::end(kAll)));
  const Content content = Sample(*AnySize(0, 200'000));
  const auto sizes = *rc::gen::container<std::vector<std::size_t>>(8, AnySize(1, 70'000));
  const auto steps = *rc::gen::container<std::vector<std::size_t>>(7, AnySize(0, 70'000));
  RC_PRE(*std::max_element(steps.begin(), steps.end()) > 1000U);
  const File file(Compress(content, compression));
  const auto source = MakeSource(file, "a.0", compression, {.window = 70'000});
  Content seen;
  for (std::size_t i = 0;; ++i) {
    const std::size_t size = sizes[i % sizes.size()];
    const Result<Bytes> window = source->Window(size);
    RC_ASSERT(window.has_value());
    RC_ASSERT(source->position() == seen.size());
    RC_ASSERT(window->size() >= std::min(size, content.size() - seen.size()));
    RC_ASSERT(std::equal(window->begin(), window->end(),
                         content.begin() + static_cast<std::ptrdiff_t>(seen.size())));
    if (window->empty()) break;
    const std::size_t taken = std::min(steps[i % steps.size()], window->size());
    seen.insert(seen.end(), window->begin(), window->begin() + static_cast<std::ptrdiff_t>(taken));
    source->Skip(taken);
  }
  RC_ASSERT(seen == content);
}

RC_GTEST_PROP(SourceProperty, AnyBytesAreDecompressedOrRefused, ()) {
  const auto compression =
      *rc::gen::elementOf(std::vector<Compression>(std::begin(kAll) + 1, std::end(kAll)));
  Content stored = Compress(Sample(500), compression);
  for (int i = 0; i < 3; ++i) {
    stored[*AnySize(0, stored.size() - 1)] = *rc::gen::arbitrary<std::uint8_t>();
  }
  const Outcome outcome =
      Decompress(stored, compression, {.expansion = 100, .expansion_base = 1'000'000});
  if (outcome.error) {
    RC_ASSERT(outcome.error->kind == Status::Kind::kDamaged ||
              outcome.error->kind == Status::Kind::kBudget ||
              outcome.error->kind == Status::Kind::kUnsupported);
  }
}

}  // namespace
}  // namespace pmproof::archive
