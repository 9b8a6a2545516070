// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/result_builder.h"

#include <cstring>

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kSetHeader = 8;
constexpr std::size_t kFormat = 8;  // offset in a set
constexpr std::size_t kPairs = 12;  // offset in a set
constexpr std::size_t kPair = 8;
constexpr std::size_t kBlockHeader = 4;

// Room for `size` bytes more.
std::uint8_t* Grow(Buffer* buffer, std::size_t size) {
  buffer->resize(buffer->size() + size);
  return buffer->data() + buffer->size() - size;
}

}  // namespace

void ResultBuilder::Begin() {
  sets_.clear();
  blocks_.clear();
  fault_.reset();
  set_count_ = 0;
  value_count_ = 0;
}

void ResultBuilder::AddSet(Pmid pmid) { AddSet(pmid, ErrorCode::kOk); }

void ResultBuilder::AddSet(Pmid pmid, ErrorCode status) {
  set_ = sets_.size();
  value_count_ = 0;
  ++set_count_;
  std::uint8_t* p = Grow(&sets_, kSetHeader);
  StoreU32(p, pmid.value);
  SetStatus(status);
}

void ResultBuilder::SetStatus(ErrorCode status) {
  const bool fits = static_cast<std::int32_t>(status) <= 0 && set_count_ > 0 && value_count_ == 0;
  if (fits) {
    StoreU32(&sets_[set_ + 4], static_cast<std::uint32_t>(status));
  } else if (!fault_) {
    fault_ = {kErrIpc, "PDU-100"_clause, 0, "numval", "is not an error code, or there are values"};
  }
}

std::uint8_t* ResultBuilder::AddPair(std::int32_t instance, ValueFormat format) {
  const auto word = static_cast<std::uint32_t>(format);
  if (value_count_ == 0) {
    if (!fault_ && (set_count_ == 0 || LoadU32(&sets_[set_ + 4]) != 0)) {
      fault_ = {kErrIpc, "PDU-100"_clause, 0, "numval",
                "a value without a set, or of a failed one"};
    }
    if (set_count_ == 0) AddSet(Pmid::Null());
    StoreU32(Grow(&sets_, kPairs - kFormat), word);
  } else if (!fault_ && LoadU32(&sets_[set_ + kFormat]) != word) {
    fault_ = {kErrIpc, "PDU-101"_clause, 0, "valfmt", "differs between the values of a set"};
  }
  ++value_count_;
  std::uint8_t* p = Grow(&sets_, kPair);
  StoreU32(&sets_[set_ + 4], static_cast<std::uint32_t>(value_count_));
  StoreU32(p, static_cast<std::uint32_t>(instance));
  return p + 4;
}

std::uint8_t* ResultBuilder::AddBlockHeader(std::int32_t instance, MetricType type,
                                            std::size_t body) {
  StoreU32(AddPair(instance, ValueFormat::kDynamic),
           static_cast<std::uint32_t>(blocks_.size() / 4));
  if (body > kMaxBlockBody) {
    if (!fault_) fault_ = {kErrIpc, "PDU-104"_clause, 0, "vlen", "is above 0xffffff"};
    return nullptr;
  }
  const std::size_t padded = Padded(kBlockHeader + body);
  std::uint8_t* p = Grow(&blocks_, padded);
  StoreU32(
      p, static_cast<std::uint32_t>(type) << 24 | static_cast<std::uint32_t>(kBlockHeader + body));
  std::memset(p + kBlockHeader + body, kPadByte, padded - kBlockHeader - body);
  return p + kBlockHeader;
}

void ResultBuilder::Add(std::int32_t instance, const Value& value) {
  const bool in_place = value.type == MetricType::k32 || value.type == MetricType::kU32;
  const std::uint32_t size = NumericSize(value.type);
  if (in_place) {
    StoreU32(AddPair(instance, ValueFormat::kInsitu), value.AsU32());
  } else if (size == 4) {
    StoreU32(AddBlockHeader(instance, value.type, 4), value.AsU32());
  } else if (size == 8) {
    StoreU64(AddBlockHeader(instance, value.type, 8), value.AsU64());
  } else {
    AddBlock(instance, value.type, value.opaque);
  }
}

void ResultBuilder::AddString(std::int32_t instance, std::string_view text) {
  std::uint8_t* p = AddBlockHeader(instance, MetricType::kString, text.size() + 1);
  if (p == nullptr) return;
  if (!text.empty()) std::memcpy(p, text.data(), text.size());
  p[text.size()] = 0;
}

void ResultBuilder::AddBlock(std::int32_t instance, MetricType type, Bytes body) {
  std::uint8_t* p = AddBlockHeader(instance, type, body.size());
  if (p != nullptr && !body.empty()) std::memcpy(p, body.data(), body.size());
}

Outcome ResultBuilder::Finish(const Envelope& envelope, Buffer* out) {
  constexpr std::size_t kSetsAt = 24;
  if (fault_) return tl::make_unexpected(*fault_);
  Writer writer(envelope.from, out);
  const std::size_t end_of_sets = kSetsAt + sets_.size();
  return writer.Begin(PduType::kResult, end_of_sets + blocks_.size()).map([&] {
    writer.I32(envelope.seconds);
    writer.I32(envelope.microseconds);
    writer.I32(set_count_);
    WriteSets(end_of_sets, &writer);
  });
}

Outcome ResultBuilder::Finish(const HighresEnvelope& envelope, Buffer* out) {
  constexpr std::size_t kSetsAt = 32;
  if (fault_) return tl::make_unexpected(*fault_);
  Writer writer(envelope.from, out);
  const std::size_t end_of_sets = kSetsAt + sets_.size();
  return writer.Begin(PduType::kHighresResult, end_of_sets + blocks_.size()).map([&] {
    writer.I32(set_count_);
    writer.I64(envelope.seconds);
    writer.I64(envelope.nanoseconds);
    WriteSets(end_of_sets, &writer);
  });
}

// Block offsets count from the first block until the end of the sets is known (PDU-103).
void ResultBuilder::WriteSets(std::size_t end_of_sets, Writer* out) {
  for (std::size_t at = 0; at < sets_.size();) {
    const std::int32_t numval = LoadI32(&sets_[at + 4]);
    if (numval <= 0) {
      at += kSetHeader;
      continue;
    }
    const std::size_t end = at + kPairs + kPair * static_cast<std::size_t>(numval);
    if (LoadU32(&sets_[at + kFormat]) != static_cast<std::uint32_t>(ValueFormat::kInsitu)) {
      for (std::size_t pair = at + kPairs; pair < end; pair += kPair) {
        std::uint8_t* word = &sets_[pair + 4];
        StoreU32(word, LoadU32(word) + static_cast<std::uint32_t>(end_of_sets / 4));
      }
    }
    at = end;
  }
  out->Raw(sets_);
  out->Raw(blocks_);
}

}  // namespace pmproof::pdu
