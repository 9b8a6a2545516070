// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/stream_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/archive/layout.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 20;

std::uint64_t AllowedOutput(std::size_t compressed, const SourceLimits& limits) {
  std::uint64_t allowed = 0;
  if (__builtin_mul_overflow(std::uint64_t{compressed}, limits.expansion, &allowed) ||
      __builtin_add_overflow(allowed, limits.expansion_base, &allowed)) {
    return ~std::uint64_t{0};
  }
  return allowed;
}

}  // namespace

StreamSource::StreamSource(Bytes compressed, std::string name, Compression compression,
                           std::unique_ptr<Decoder> decoder, const SourceLimits& limits)
    : compressed_(compressed),
      name_(std::move(name)),
      compression_(compression),
      decoder_(std::move(decoder)),
      limits_(limits),
      most_(AllowedOutput(compressed.size(), limits)) {}

Result<Bytes> StreamSource::Window(std::size_t size) {
  // One byte more than the largest view shows whether the content ends there.
  const std::size_t wanted = std::min(size, limits_.window + 1);
  if (end_ - begin_ < wanted && !ended_ && !failure_) {
    MakeRoom(wanted);
    Fill(wanted);
  }
  if (size > limits_.window && end_ - begin_ > limits_.window) {
    return tl::unexpected(
        Failure(Status::Kind::kBudget, "a stretch of " + std::to_string(size) +
                                           " bytes is needed at once; of compressed files " +
                                           std::to_string(limits_.window) + " are held in memory"));
  }
  if (end_ - begin_ < size && failure_) return tl::unexpected(*failure_);
  return Bytes(buffer_.get() + begin_, end_ - begin_);
}

void StreamSource::Skip(std::size_t size) {
  const std::size_t taken = std::min(size, end_ - begin_);
  begin_ += taken;
  position_ += taken;
}

// Moves what is left of the view to the front of a buffer that can hold `size` bytes. What is left
// is less than that, and the whole buffer is filled afterwards: no byte is moved more often than a
// view that it does not complete is asked for.
void StreamSource::MakeRoom(std::size_t size) {
  const std::size_t left = end_ - begin_;
  if (capacity_ < size || !buffer_) {
    const std::size_t capacity =
        std::min(std::max({kFirstCapacity, size, 2 * capacity_}), limits_.window + 1);
    auto buffer = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    if (left > 0) std::memcpy(buffer.get(), buffer_.get() + begin_, left);
    buffer_ = std::move(buffer);
    capacity_ = capacity;
  } else if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, left);
  }
  begin_ = 0;
  end_ = left;
}

void StreamSource::Fill(std::size_t size) {
  while (end_ < size && !ended_ && !failure_) {
    std::span<std::uint8_t> out(buffer_.get() + end_, capacity_ - end_);
    const std::size_t room = out.size();
    Decoder::Outcome outcome = decoder_->Decompress(&compressed_, &out);
    end_ += room - out.size();
    produced_ += room - out.size();
    switch (outcome.state) {
      case Decoder::State::kMore:
        break;
      case Decoder::State::kEnd:
        ended_ = true;
        break;
      case Decoder::State::kDamaged:
        failure_ = Failure(Status::Kind::kDamaged, std::move(outcome.message));
        break;
      case Decoder::State::kBudget:
        failure_ = Failure(Status::Kind::kBudget, std::move(outcome.message));
        break;
      case Decoder::State::kUnsupported:
        failure_ = Failure(Status::Kind::kUnsupported, std::move(outcome.message));
        break;
    }
    if (produced_ > most_ && !failure_) {
      failure_ =
          Failure(Status::Kind::kBudget, "decompresses to more than " + std::to_string(most_) +
                                             " bytes, the limit for its size");
    }
  }
  if (ended_ || failure_) decoder_.reset();
}

Status StreamSource::Failure(Status::Kind kind, std::string message) const {
  Status status{.kind = kind, .file = name_, .offset = produced_, .message = std::move(message)};
  if (kind == Status::Kind::kDamaged) {
    status.clause = "ARC-1009"_clause;
    // ARC-035: only .xz is decompressed while it is read, the others all at once before.
    const bool in_label = compression_ == Compression::kXz && produced_ < kLayoutV2.label;
    status.code = in_label ? ErrorCode::kLabel : ErrorCode::kLogRecord;
  }
  return status;
}

}  // namespace pmproof::archive
