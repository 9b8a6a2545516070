// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/record_reader.h"

#include <algorithm>
#include <limits>
#include <string>

#include "reference/archive/record_beginning.h"
#include "reference/archive/zeros.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kLargestRecord = std::numeric_limits<std::int32_t>::max();

// A length word as it is stored: signed.
std::string Signed(std::size_t word) { return std::to_string(static_cast<std::int32_t>(word)); }

}  // namespace

// Makes the window show `size` bytes or all that remain.
std::optional<Status> RecordReader::Ensure(std::size_t size) {
  if (static_cast<std::size_t>(end_ - next_) >= size) return std::nullopt;
  source_.Skip(static_cast<std::size_t>(position_ - source_.position()));
  Result<Bytes> window = source_.Window(size);
  if (!window) {
    next_ = end_ = nullptr;  // the source has moved what was shown before
    return window.error();
  }
  next_ = window->data();
  end_ = next_ + window->size();
  return std::nullopt;
}

Result<std::optional<RecordView>> RecordReader::NextInWindow() {
  if (ended_) return std::nullopt;
  if (auto error = Ensure(kMinRecord)) return tl::unexpected(*error);
  const auto left = static_cast<std::size_t>(end_ - next_);
  if (left == 0) return Stop(/*lost=*/false);
  if (left < kLengthWord) {
    reporter_.Report(
        "ARC-1105"_clause, Here(0, left),
        [&] {
          return Details{"N", std::to_string(left) + " bytes", "the end of the file, or 4 bytes",
                         "stray bytes at the end of the file, too few for a length word"};
        },
        part_ >= 0 ? Gravity::kWarning : Gravity::kAsCatalogued);
    ended_inside_ = true;
    return Stop(/*lost=*/false);
  }

  const std::size_t length = LoadU32(next_);
  if (length == 0) {
    Result<bool> zeros = OnlyZerosFollow();
    if (!zeros) return tl::unexpected(zeros.error());
    if (*zeros) return Stop(/*lost=*/false);
  }
  if (length < kMinRecord || length > kLargestRecord) {
    reporter_.Report("ARC-1101"_clause, Here(0, kLengthWord), [&] {
      return Details{"N", Signed(length), ">= 8",
                     "no record has this length: framing is lost here"};
    });
    return Stop(/*lost=*/true);
  }
  if (auto error = Ensure(length)) return tl::unexpected(*error);
  if (static_cast<std::size_t>(end_ - next_) < length) return EndInside(length);
  if (LoadU32(next_ + length - kLengthWord) != length) return TrailerDiffers(length);
  return Give(length);
}

std::optional<RecordView> RecordReader::EndInside(std::size_t length) {
  const auto left = static_cast<std::size_t>(end_ - next_);
  const bool body_complete = left >= length - kLengthWord;
  const bool sound = IsSoundBeginning(Bytes(next_, end_), length, part_, version_);
  reporter_.Report(
      body_complete ? "ARC-1103"_clause : "ARC-1102"_clause, Here(0, left),
      [&] {
        return Details{"N", std::to_string(length), "<= " + std::to_string(left),
                       body_complete ? "the file ends inside the trailing length word of the record"
                                     : "the record runs past the end of the file"};
      },
      sound ? Gravity::kAsCatalogued : Gravity::kFatal);
  if (sound) {
    reporter_.Report("ARC-1111"_clause, Here(0, left), [&] {
      return Details{"N", std::to_string(left) + " bytes", std::to_string(length) + " bytes",
                     "the last record is not complete"};
    });
  }
  ended_inside_ = true;
  return Stop(/*lost=*/true);
}

Result<std::optional<RecordView>> RecordReader::TrailerDiffers(std::size_t length) {
  const std::uint32_t trailer = LoadU32(next_ + length - kLengthWord);
  const bool goes_on = WholeRecordAfter(length);
  reporter_.Report("ARC-1104"_clause, Here(length - kLengthWord, kLengthWord), [&] {
    return Details{
        "trailing N", Signed(trailer), std::to_string(length),
        goes_on ? "the length words differ; the leading one is taken, since what follows fits it"
                : "the length words differ: framing is lost here"};
  });
  if (!goes_on) return Stop(/*lost=*/true);
  if (auto error = Ensure(length)) return tl::unexpected(*error);
  return Give(length);
}

// Whether a record with equal length words, or the end of the file, follows a record of `length`
// bytes. Where the source cannot show more, nothing speaks against that record, unless it would be
// too large.
bool RecordReader::WholeRecordAfter(std::size_t length) {
  if (const auto error = Ensure(length + kMinRecord)) return error->kind != Status::Kind::kBudget;
  auto left = static_cast<std::size_t>(end_ - next_) - length;
  if (left == 0) return true;
  if (left < kMinRecord) return false;
  const std::size_t following = LoadU32(next_ + length);
  if (following < kMinRecord || following > kLargestRecord) return false;
  if (const auto error = Ensure(length + following)) return error->kind != Status::Kind::kBudget;
  left = static_cast<std::size_t>(end_ - next_) - length;
  return following <= left && LoadU32(next_ + length + following - kLengthWord) == following;
}

// Reports zeros up to the end of the file. If there are other bytes, framing is lost: the window is
// not used any more.
Result<bool> RecordReader::OnlyZerosFollow() {
  std::uint64_t zeros = 0;
  Bytes window(next_, end_);
  while (!window.empty()) {
    if (LeadingZeros(window) < window.size()) return false;
    zeros += window.size();
    source_.Skip(static_cast<std::size_t>(position_ + zeros - source_.position()));
    Result<Bytes> more = source_.Window(1);
    if (!more) return tl::unexpected(more.error());
    window = *more;
  }
  reporter_.Report("ARC-1107"_clause, Here(0, zeros), [&] {
    return Details{"N", "0", "the end of the file, or a record",
                   "the file ends with " + std::to_string(zeros) + " zero bytes"};
  });
  return true;
}

std::optional<RecordView> RecordReader::Stop(bool lost) {
  if (lost) lost_ = position_;
  ended_ = true;
  next_ = end_ = nullptr;
  return std::nullopt;
}

}  // namespace pmproof::archive
