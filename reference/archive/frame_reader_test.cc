// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/frame_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/testing/dear_storage.h"
#include "reference/archive/testing/random_record.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using testing::Chance;
using testing::DearFile;
using testing::RecordingReporter;

using Content = std::vector<std::uint8_t>;

constexpr std::size_t kLabel = 132;

class File final : public StoredFile {
 public:
  explicit File(Content content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  Content content_;
};

// Records that begin with the number of the record instead of a time.
Content Records(const std::vector<std::size_t>& lengths) {
  Content content(kLabel, 1);
  std::uint32_t number = 0;
  for (const std::size_t length : lengths) {
    const std::size_t begin = content.size();
    content.resize(begin + length);
    if (length >= 12) StoreU32(content.data() + begin + 4, ++number);
    StoreU32(content.data() + begin, static_cast<std::uint32_t>(length));
    StoreU32(content.data() + content.size() - 4, static_cast<std::uint32_t>(length));
  }
  return content;
}

// Short ones, long ones, or what archives have: groups of records of unlike lengths.
std::vector<std::size_t> SomeLengths(Chance& chance) {
  std::vector<std::size_t> lengths;
  std::size_t left = 10'000 + chance.Below(1'000'000);
  while (left > 0) {
    const std::size_t most = chance.In(3) ? 60'000 : chance.In(2) ? 8'000 : 200;
    for (std::uint64_t i = chance.Below(most == 200 ? 2000 : 20) + 1; i > 0 && left > 0; --i) {
      const std::size_t length =
          chance.In(9) ? kMinRecord : kMinRecord + std::size_t{4} * chance.Below(most / 4);
      lengths.push_back(length);
      left -= std::min(left, length);
    }
  }
  return lengths;
}

void Damage(Chance& chance, Content* content) {
  const std::size_t records = content->size() - kLabel;
  switch (chance.Below(5)) {
    case 0:
      return content->resize(content->size() - 1 -
                             chance.Below(std::min<std::size_t>(records, 99)));
    case 1:
      return content->resize(content->size() + 1 + chance.Below(70'000));  // zeros
    case 2:
      content->insert(content->end(), chance.Below(30), 3);
      return;
    default:
      break;
  }
  // One of the length words, in the front most often: all records behind it have to be there.
  std::size_t at = kLabel;
  for (std::uint64_t i = chance.Below(400); i > 0 && at < content->size(); --i) {
    at += LoadU32(content->data() + at);
  }
  if (at >= content->size()) return;
  const bool trailer = chance.In(2);
  if (trailer) at -= kLengthWord;
  if (at < kLabel) return;
  std::uint32_t word = LoadU32(content->data() + at);
  word = chance.In(3) ? chance.Below(40) : word ^ (1U << chance.Below(32));
  StoreU32(content->data() + at, word);
}

// What a walk gives, in words.
struct Walked {
  std::string frames;
  std::string end;
};

std::string EndOf(std::optional<std::uint64_t> lost, bool inside, const RecordingReporter& found) {
  std::string text = lost ? "lost at " + std::to_string(*lost) : "not lost";
  text += inside ? " inside" : "";
  for (const auto& violation : found.violations) {
    text += "\n" + violation.rule.ToString() + " " + std::to_string(violation.where.offset) + "+" +
            std::to_string(violation.where.length) + " " + std::to_string(violation.where.record) +
            " " + violation.details.message + " " +
            std::to_string(static_cast<int>(violation.gravity));
  }
  return text;
}

std::string TextOf(const RecordView& view, const std::uint8_t* head) {
  std::string text = std::to_string(view.offset) + "+" + std::to_string(view.bytes.size()) + " " +
                     std::to_string(view.ordinal) + ":";
  for (std::size_t i = 0; i < std::min<std::size_t>(view.bytes.size(), 16); ++i) {
    text += " " + std::to_string(head[i]);
  }
  return text + "\n";
}

NewSource Opened(const StoredFile& file) {
  NewSource source = MakeSource(file, "a.0", Compression::kNone);
  source->Skip(kLabel);
  return source;
}

Walked Plainly(const Content& content) {
  const File file(content);
  const NewSource source = Opened(file);
  RecordingReporter found;
  RecordReader reader(*source, 0, 2, found);
  Walked walked;
  while (const auto view = *reader.Next()) walked.frames += TextOf(*view, view->bytes.data());
  walked.end = EndOf(reader.lost(), reader.ended_inside_record(), found);
  return walked;
}

// Looks into some of the records, too, at once or later.
Walked Framewise(const Content& content, std::uint64_t refused_in, Chance& chance) {
  const DearFile file(std::make_unique<File>(content), refused_in);
  const NewSource source = Opened(file);
  RecordingReporter found;
  FrameReader reader(*source, file, 0, 2, found);
  Walked walked;
  std::vector<RecordView> before;
  while (const auto framing = *reader.Next()) {
    walked.frames += TextOf(framing->view, framing->head);
    before.push_back(framing->view);
    if (!chance.In(10)) continue;
    const RecordView& view =
        before[before.size() - 1 - chance.Below(std::min(before.size(), std::size_t{5}))];
    EXPECT_TRUE(std::ranges::equal(reader.CopyOrView(view), view.bytes)) << view.offset;
  }
  EXPECT_FALSE(*reader.Next()) << "the end stays";
  walked.end = EndOf(reader.lost(), reader.ended_inside_record(), found);
  EXPECT_GT(file.reads(), 0U);
  return walked;
}

// ARC-080..085, ARC-1101..1107
TEST(FrameReaderTest, GivesWhatAReaderOfRecordsGives) {
  Chance chance(1);
  std::size_t damaged = 0;
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    Content content = Records(SomeLengths(chance));
    for (std::uint64_t k = chance.Below(3); k > 0; --k) Damage(chance, &content);
    const Walked expected = Plainly(content);
    for (const std::uint64_t refused_in : {0, 1, 2, 7, 50}) {
      const Walked walked = Framewise(content, refused_in, chance);
      ASSERT_EQ(walked.end, expected.end) << i << " " << refused_in;
      ASSERT_TRUE(walked.frames == expected.frames) << i << " " << refused_in;
    }
    if (expected.end != "not lost") ++damaged;
  }
  EXPECT_GT(damaged, 100U);
}

// A file whose mapping must not be looked at.
class UnmappedFile final : public StoredFile {
 public:
  explicit UnmappedFile(const Content& content) : content_(content) {
    address_ = mmap(nullptr, content.size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  UnmappedFile(const UnmappedFile&) = delete;
  UnmappedFile& operator=(const UnmappedFile&) = delete;
  ~UnmappedFile() override { munmap(address_, content_.size()); }

  Bytes bytes() const override {
    return {static_cast<const std::uint8_t*>(address_), content_.size()};
  }
  bool IsDearToMap(std::uint64_t) const override { return true; }
  bool TryRead(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    read_ += into.size();
    std::ranges::copy(Bytes(content_).subspan(offset, into.size()), into.begin());
    return true;
  }
  std::uint64_t read() const { return read_; }

 private:
  const Content& content_;
  void* address_;
  mutable std::uint64_t read_ = 0;
};

TEST(FrameReaderTest, OfSoundRecordsTheMappingIsNotLookedAt) {
  for (const std::size_t length : {24U, 400U, 5'000U, 40'000U}) {
    const Content content = Records(std::vector<std::size_t>(200, length));
    const UnmappedFile file(content);
    const NewSource source = Opened(file);
    RecordingReporter found;
    FrameReader reader(*source, file, 0, 2, found);
    std::uint32_t records = 0;
    while (const auto framing = *reader.Next()) {
      EXPECT_EQ(LoadU32(framing->head + kLengthWord), ++records);
      if (records != 100) continue;
      const Bytes copy = reader.CopyOrView(framing->view);
      EXPECT_TRUE(std::equal(copy.begin(), copy.end(),
                             content.begin() + static_cast<std::ptrdiff_t>(framing->view.offset)));
    }
    EXPECT_EQ(records, 200U);
    EXPECT_FALSE(reader.lost());
    if (length == 40'000) {
      EXPECT_LT(file.read(), 300'000U) << "of long records little is read";
    }
  }
}

TEST(FrameReaderTest, ALargeRecordIsNotCopied) {
  const Content content = Records({FrameReader::kLargestCopy + 4, 40, 40});
  const DearFile file(std::make_unique<File>(content), 0);
  const NewSource source = Opened(file);
  RecordingReporter found;
  FrameReader reader(*source, file, 0, 2, found);
  const RecordView large = (*reader.Next())->view;
  EXPECT_TRUE(reader.copies());
  EXPECT_EQ(reader.CopyOrView(large).data(), large.bytes.data());
  const RecordView small = (*reader.Next())->view;
  EXPECT_NE(reader.CopyOrView(small).data(), small.bytes.data());
}

// ARC-1104: at every offset, with records inside of others and length words that lead nowhere.
TEST(FrameReaderTest, TheRecordAtAPlaceOrBeforeItIsOneWhoseLengthWordsAgree) {
  Chance chance(3);
  std::size_t found_at = 0;
  std::size_t found_before = 0;
  for (int i = 0; i < 200; ++i) {
    Content content(kLabel + 40 + chance.Below(400));
    for (int k = 0; k < 60; ++k) {
      const std::uint64_t at = chance.Below(content.size() - 3);
      const std::uint32_t length = chance.In(3) ? 0 : 16 + chance.Below(30);
      StoreU32(content.data() + at, length);
      const std::uint64_t end = at + length;
      if (length != 0 && end <= content.size()) {
        StoreU32(content.data() + end - kLengthWord, length);
      }
    }
    const File file(content);
    const NewSource source = Opened(file);
    RecordingReporter found;
    const FrameReader reader(*source, file, 0, 2, found);
    const auto is_record = [&](std::uint64_t begin, std::uint64_t end) {
      return end <= content.size() && end - begin >= kMinRecord &&
             LoadU32(content.data() + begin) == end - begin &&
             LoadU32(content.data() + end - kLengthWord) == end - begin;
    };
    for (std::uint64_t at = kLabel; at <= content.size() + 8; ++at) {
      const auto after = reader.At(at);
      const auto before = reader.Before(at);
      const std::uint64_t length =
          at + kLengthWord <= content.size() ? LoadU32(content.data() + at) : 0;
      ASSERT_EQ(after.has_value(), is_record(at, at + length)) << i << " " << at;
      if (after) {
        EXPECT_EQ(after->view.offset, at);
        EXPECT_EQ(after->view.bytes.size(), length);
        EXPECT_EQ(after->head, after->view.bytes.data());
        ++found_at;
      }
      const std::uint64_t trailer =
          at <= content.size() ? LoadU32(content.data() + at - kLengthWord) : 0;
      ASSERT_EQ(before.has_value(), trailer <= at && is_record(at - trailer, at)) << i << " " << at;
      if (before) {
        EXPECT_EQ(before->view.offset + before->view.bytes.size(), at);
        ++found_before;
      }
    }
  }
  EXPECT_GT(found_at, 100U);
  EXPECT_GT(found_before, 100U);
}

// ARC-1104: the length word before a record is zero. It does not lead to the record itself.
TEST(FrameReaderTest, NoRecordEndsWhereItBegins) {
  Content content = Records({40, 40});
  StoreU32(content.data() + kLabel + 40 - kLengthWord, 0);
  const File file(content);
  const NewSource source = Opened(file);
  RecordingReporter found;
  const FrameReader reader(*source, file, 0, 2, found);
  EXPECT_TRUE(reader.At(kLabel + 40));
  EXPECT_FALSE(reader.Before(kLabel + 40));
  EXPECT_TRUE(reader.Before(kLabel + 80));
}

}  // namespace
}  // namespace pmproof::archive
