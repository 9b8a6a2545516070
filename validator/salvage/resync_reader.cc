// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/resync_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reference/archive/record_beginning.h"
#include "reference/archive/zeros.h"

namespace pmproof::validator {
namespace {

using archive::kLengthWord;
using archive::kMinRecord;

constexpr std::size_t kLargestRecord = std::numeric_limits<std::int32_t>::max();
// Of a compressed file: how much is searched at a time. Records of up to half of that are found.
constexpr std::size_t kChunk = std::size_t{16} << 20;
// Bytes that may be looked at and refused, beside a multiple of those searched.
constexpr std::uint64_t kPatience = std::uint64_t{16} << 20;
constexpr std::uint64_t kPatienceForEachByte = 16;
constexpr std::uint64_t kCostOfALook = 64;  // in bytes, whatever the length

std::string Signed(std::size_t word) { return std::to_string(static_cast<std::int32_t>(word)); }

}  // namespace

void ResyncReader::BeginDamaged(Clause clause, std::string message) {
  label_ = Diagnosis{clause, std::move(message)};
}

// What the source shows from where it stands: `size` bytes if there are so many that can be read.
Bytes ResyncReader::View(std::size_t size) {
  Result<Bytes> window = source_.Window(std::min(size, window_));
  if (window) return *window;
  if (window.error().kind != Status::Kind::kDamaged) {
    error_ = window.error();
    return {};
  }
  damage_ = window.error();
  window = source_.Window(1);
  return window ? *window : Bytes();
}

bool ResyncReader::Framed(Bytes view, std::size_t at) const {
  const std::size_t left = view.size() - at;
  if (left < kMinRecord) return false;
  const std::size_t length = LoadU32(view.data() + at);
  return length >= kMinRecord && length <= kLargestRecord && length <= left &&
         LoadU32(view.data() + at + length - kLengthWord) == length;
}

Result<std::optional<ResyncReader::Item>> ResyncReader::Next() {
  if (std::exchange(skip_, false)) source_.Skip(last_);
  if (label_) {
    const Bytes view = View(kMinRecord);
    if (error_) return tl::unexpected(*error_);
    Diagnosis diagnosis = *std::exchange(label_, std::nullopt);
    if (!view.empty()) {
      DamagedStretch stretch = Search(std::move(diagnosis), 1);
      if (error_) return tl::unexpected(*error_);
      return Item(std::move(stretch));
    }
  }
  Bytes view = View(kMinRecord);
  if (error_) return tl::unexpected(*error_);
  if (view.empty()) {
    if (!damage_ || std::exchange(ended_, true)) return std::nullopt;
    return Item(DamagedStretch{source_.position(), 0, damage_->clause, damage_->message});
  }
  if (view.size() >= kMinRecord && !source_.mapped()) {
    const std::size_t length = LoadU32(view.data());
    if (length > view.size() && length <= kLargestRecord) {
      if (length > window_ && archive::IsSoundBeginning(view, length, part_, version_)) {
        view = View(window_);
        // Only a file that goes on has such a record.
        if (view.size() >= window_) {
          return tl::unexpected(
              Status{.kind = Status::Kind::kBudget,
                     .offset = source_.position(),
                     .message = "a record of " + std::to_string(length) +
                                " bytes is larger than what is held of a compressed file"});
        }
      } else if (length <= window_) {
        view = View(length);
      }
      if (error_) return tl::unexpected(*error_);
    }
  }
  if (Framed(view, 0)) return Item(Give(view, LoadU32(view.data())));
  DamagedStretch stretch = Search(Diagnose(view), 1);
  if (error_) return tl::unexpected(*error_);
  return Item(std::move(stretch));
}

archive::RecordView ResyncReader::Give(Bytes view, std::size_t length) {
  skip_ = true;
  last_ = length;
  return {view.first(length), source_.position(), ordinal_++, part_};
}

ResyncReader::Diagnosis ResyncReader::Diagnose(Bytes view) const {
  if (view.size() < kLengthWord) {
    return {"ARC-1105"_clause, std::to_string(view.size()) + " stray bytes at the end of the file"};
  }
  const std::size_t length = LoadU32(view.data());
  if (length < kMinRecord || length > kLargestRecord) {
    return {"ARC-1101"_clause, "no record has the length " + Signed(length)};
  }
  if (view.size() < length) {
    const bool body = view.size() >= length - kLengthWord;
    return {body ? "ARC-1103"_clause : "ARC-1102"_clause,
            body ? "the file ends inside the trailing length word of the record"
                 : "the record runs past the end of what can be read"};
  }
  return {"ARC-1104"_clause, "the length words of the record differ: " + Signed(length) + " and " +
                                 Signed(LoadU32(view.data() + length - kLengthWord))};
}

// From where the source stands, the next record is looked for `at` bytes on. The source stands at
// it afterwards, or at the end.
DamagedStretch ResyncReader::Search(Diagnosis diagnosis, std::size_t at) {
  DamagedStretch stretch{source_.position(), 0, diagnosis.clause, std::move(diagnosis.message)};
  const bool mapped = source_.mapped().has_value();
  const std::size_t chunk = std::min(kChunk, window_);
  const std::uint64_t refused_before = refused_;
  bool zeros = true;
  Bytes view = View(chunk);
  bool ended = mapped || view.size() < chunk;
  if (!view.empty() && view.front() != 0) zeros = false;
  while (!error_) {
    if (!ended && view.size() - at < chunk / 2) {
      source_.Skip(at);
      at = 0;
      view = View(chunk);
      ended = view.size() < chunk;
    }
    if (view.size() - at < kMinRecord) {
      const Bytes rest = view.subspan(std::min(at, view.size()));
      zeros = zeros && archive::LeadingZeros(rest) == rest.size();
      source_.Skip(view.size());
      break;
    }
    const std::size_t length = LoadU32(view.data() + at);
    if (length == 0) {
      const std::size_t run = archive::LeadingZeros(view.subspan(at));
      at += std::max<std::size_t>(run, kLengthWord) - kLengthWord + 1;
      continue;
    }
    zeros = false;
    if (IsRecord(view, at, ended)) {
      source_.Skip(at);
      break;
    }
    ++at;
    if (refused_ - refused_before >
        kPatience + kPatienceForEachByte * (source_.position() + at - stretch.offset)) {
      stretch.message += "; what follows imitates records, and was not searched to its end";
      SkipAll();
      break;
    }
  }
  stretch.length = source_.position() - stretch.offset;
  const Bytes now = View(1);
  if (zeros && now.empty() && stretch.length >= kLengthWord &&
      stretch.clause == "ARC-1101"_clause) {
    stretch.clause = "ARC-1107"_clause;
    stretch.message = "the file ends in zeros";
  }
  return stretch;
}

// Whether a record that framing and content prove begins at `at`.
bool ResyncReader::IsRecord(Bytes view, std::size_t at, bool ended) {
  if (!Framed(view, at)) return false;
  const std::size_t length = LoadU32(view.data() + at);
  const std::size_t end = at + length;
  const bool followed = (ended && end == view.size()) || Framed(view, end);
  const archive::RecordView record{view.subspan(at, length), source_.position() + at, ordinal_,
                                   part_};
  if (accept_(record, followed)) return true;
  refused_ += length + kCostOfALook;
  return false;
}

void ResyncReader::SkipAll() {
  for (Bytes view = View(1); !view.empty() && !error_; view = View(1)) source_.Skip(view.size());
}

}  // namespace pmproof::validator
