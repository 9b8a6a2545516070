// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/guess_record.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace pmproof::archive {
namespace {

// So many records in a row are no accident.
constexpr int kEnough = 3;

// In one archive. Numbers that are no times are seldom so near to one.
constexpr std::uint64_t kLongest = std::uint64_t{20} * 366 * 86400;

constexpr std::size_t kMostLeast = 24;

// So many places are looked at more closely, each by calls of the operating system. Only files that
// are made so have more in front of a record.
constexpr int kMostPlaces = 10'000;

class Guess {
 public:
  Guess(const StoredFile& file, const RecordsToGuess& records)
      : file_(file), size_(file.bytes().size()), records_(records), before_(records.from) {}

  // The smallest record with a type (ARC-300), or with a time (ARC-151).
  std::size_t least() const {
    return IsMeta() ? 2 * kLengthWord + 4 : LayoutOf(records_.version).mark;
  }
  std::size_t step() const { return IsMeta() ? 1 : kLengthWord; }

  bool gives_up() const { return places_ > kMostPlaces; }

  // `p` shows least() bytes of the file, from `at` on.
  bool RecordsFollow(const std::uint8_t* p, std::uint64_t at) {
    before_ = records_.from;
    if (!MayBegin(p, at)) return false;
    ++places_;
    // The trailing word of a record, and what follows it.
    std::array<std::uint8_t, kLengthWord + kMostLeast> next;
    for (int found = 0; found < kEnough; ++found) {
      const std::uint64_t length = LoadU32(p);
      if (length > size_ - at) return found > 0;  // the last one, which is cut
      at += length;
      const auto seen = static_cast<std::size_t>(
          std::min<std::uint64_t>(kLengthWord + least(), kLengthWord + size_ - at));
      file_.Read(at - kLengthWord, std::span(next).first(seen));
      if (LoadU32(next.data()) != length) return false;
      if (seen < kLengthWord + least()) return true;  // nothing follows
      p = next.data() + kLengthWord;
      if (!MayBegin(p, at)) return false;
    }
    return true;
  }

 private:
  bool IsMeta() const { return records_.part == kMetaPart; }

  bool MayBegin(const std::uint8_t* p, std::uint64_t at) {
    const std::uint32_t length = LoadU32(p);
    if (length < least() || length % step() != 0) return false;
    if (IsMeta()) {
      const std::int32_t type = LoadI32(p + kLengthWord);
      return type >= static_cast<std::int32_t>(RecordType::kDesc) &&
             type <= static_cast<std::int32_t>(RecordType::kLabel) && length <= size_ - at;
    }
    const Timestamp time = LoadTimestamp(p + kLengthWord, records_.version);
    const std::uint64_t after = static_cast<std::uint64_t>(time.seconds) -
                                static_cast<std::uint64_t>(records_.from.seconds);
    if (time < before_ || after > kLongest ||
        !FractionInRange(LoadFraction(p + kLengthWord, records_.version), records_.version)) {
      return false;
    }
    before_ = time;
    return true;
  }

  const StoredFile& file_;
  const std::uint64_t size_;
  const RecordsToGuess records_;
  Timestamp before_;
  int places_ = 0;
};

}  // namespace

bool SkipToRecord(Source& source, const StoredFile& file, std::uint64_t end,
                  const RecordsToGuess& records) {
  Guess guess(file, records);
  while (source.position() < end) {
    const Result<Bytes> window = source.Window(guess.least());
    if (!window || window->size() < guess.least()) return false;
    const std::uint64_t begin = source.position();
    std::size_t at = 0;
    for (; at + guess.least() <= window->size() && begin + at < end; at += guess.step()) {
      if (guess.gives_up()) return false;
      if (!guess.RecordsFollow(window->data() + at, begin + at)) continue;
      source.Skip(at);
      return true;
    }
    source.Skip(at);
  }
  return false;
}

}  // namespace pmproof::archive
