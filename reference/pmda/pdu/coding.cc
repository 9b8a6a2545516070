// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/coding.h"

#include <algorithm>
#include <cstring>

#include "reference/pmda/pdu/frame_reader.h"

namespace pmproof::pdu {

void Reader::Unused(std::size_t offset, std::size_t size) {
  const Bytes field = pdu_.subspan(offset, size);
  if (std::ranges::any_of(field, [](std::uint8_t byte) { return byte != 0; })) {
    Overlook(Departure::kUnusedFields);
  }
}

void Reader::Padding(std::size_t offset, std::size_t size) {
  const std::size_t begin = offset + size;
  const std::size_t end = std::min(offset + Padded(size), pdu_.size());
  if (std::any_of(At(begin), At(end), [](std::uint8_t byte) { return byte != kPadByte; })) {
    Overlook(Departure::kPadBytes);
  }
}

void Reader::Rest(std::size_t offset, std::size_t size) {
  Padding(offset, size);
  if (pdu_.size() < offset + Padded(size)) Overlook(Departure::kMissingPadding);
  Rest(offset + Padded(size));
}

void Reader::Rest(std::size_t end) {
  if (pdu_.size() > end) Overlook(Departure::kTrailingBytes);
}

Outcome Writer::Begin(PduType type, std::size_t length) {
  if (length > kLargestPdu) {
    return Fault("PDU-006"_clause, 0, "len", "is above 0x7fffffff - 1024", kErrTooBig);
  }
  const std::size_t start = out_->size();
  out_->resize(start + length);
  at_ = out_->data() + start;
  U32(static_cast<std::uint32_t>(length));
  I32(static_cast<std::int32_t>(type));
  I32(from_);
  return {};
}

void Writer::Raw(Bytes bytes) {
  if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
  at_ += bytes.size();
}

void Writer::PaddedBytes(Bytes bytes) {
  Raw(bytes);
  const std::size_t padding = Padded(bytes.size()) - bytes.size();
  std::memset(at_, kPadByte, padding);
  at_ += padding;
}

}  // namespace pmproof::pdu
