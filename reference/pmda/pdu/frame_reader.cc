// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/frame_reader.h"

#include <algorithm>
#include <cstring>

#include "reference/pmda/pdu/pdu_type.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kSmallestSpace = 4096;

}  // namespace

FrameReader::FrameReader(std::uint32_t ceiling) : ceiling_(std::min(ceiling, kLargestPdu)) {}

std::span<std::uint8_t> FrameReader::Space() {
  if (buffer_.size() - end_ < kSmallestSpace) {
    // What waits moves to the front. The buffer grows when that leaves less than half of it free,
    // so that moving costs no more than the bytes that come.
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, pending());
      end_ -= begin_;
      begin_ = 0;
    }
    if (end_ + kSmallestSpace > buffer_.size() / 2) {
      buffer_.resize(std::max(2 * buffer_.size(), 4 * kSmallestSpace));
    }
  }
  return std::span(buffer_).subspan(end_);
}

void FrameReader::Commit(std::size_t size) { end_ += std::min(size, buffer_.size() - end_); }

void FrameReader::Append(Bytes bytes) {
  while (!bytes.empty()) {
    const std::span<std::uint8_t> space = Space();
    const std::size_t size = std::min(space.size(), bytes.size());
    std::memcpy(space.data(), bytes.data(), size);
    Commit(size);
    bytes = bytes.subspan(size);
  }
}

tl::expected<std::optional<Bytes>, PduError> FrameReader::Next() {
  if (fault_) return tl::make_unexpected(*fault_);
  if (pending() < kHeaderSize) return std::nullopt;
  const Bytes waiting = Bytes(buffer_).subspan(begin_, pending());
  const Header header = LoadHeader(waiting);
  if (header.length < static_cast<std::int32_t>(kHeaderSize)) {
    fault_ = {kErrIpc, "PDU-003"_clause, 0, "len", "is below 12"};
  } else if (static_cast<std::uint32_t>(header.length) > kLargestPdu) {
    fault_ = {kErrTooBig, "PDU-006"_clause, 0, "len", "is above 0x7fffffff - 1024"};
  } else if (static_cast<std::uint32_t>(header.length) > ceiling_) {
    fault_ = {kErrIpc, "PDU-004"_clause, 0, "len", "is above the ceiling"};
  } else if (static_cast<std::int32_t>(header.type) <= 0) {
    fault_ = {kErrIpc, "PDU-007"_clause, 4, "type", "is not positive"};
  }
  if (fault_) return tl::make_unexpected(*fault_);
  const auto length = static_cast<std::size_t>(header.length);
  if (waiting.size() < length) return std::nullopt;
  begin_ += length;
  return waiting.first(length);
}

tl::expected<void, PduError> FrameReader::AtEnd() const {
  if (pending() == 0) return {};
  return tl::make_unexpected(PduError{kErrIpc, "PDU-011"_clause, pending(),
                                      pending() < kHeaderSize ? "header" : "body",
                                      "the stream ends inside it"});
}

}  // namespace pmproof::pdu
