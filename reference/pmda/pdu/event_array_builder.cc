// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/event_array_builder.h"

#include <cstring>

#include "reference/core/event_array.h"
#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kParameterHeader = 8;  // pmid, type << 24 | plen

void Raise(std::uint8_t* count) { StoreU32(count, LoadU32(count) + 1); }

}  // namespace

void EventArrayBuilder::Begin(MetricType type) {
  highres_ = type == MetricType::kHighresEvent;
  nparams_ = kNoRecord;
  body_.assign(4, 0);  // nrecords
}

void EventArrayBuilder::AddRecord(Timestamp time, std::uint32_t flags) {
  AddHeader(time, flags & ~kEventMissed, 0);
  nparams_ = body_.size() - 4;
}

void EventArrayBuilder::AddMissed(Timestamp time, std::int32_t count) {
  AddHeader(time, kEventMissed, highres_ ? 0 : count);
  nparams_ = kNoRecord;
}

void EventArrayBuilder::AddHeader(Timestamp time, std::uint32_t flags, std::int32_t count) {
  Raise(body_.data());
  const std::size_t at = body_.size();
  const std::size_t size = highres_ ? 24 : 16;
  body_.resize(at + size);
  std::uint8_t* p = &body_[at];
  if (highres_) {
    StoreU64(p, static_cast<std::uint64_t>(time.seconds));
    StoreU64(p + 8, static_cast<std::uint64_t>(std::int64_t{time.nanoseconds}));
  } else {
    StoreU32(p, static_cast<std::uint32_t>(time.seconds));
    StoreU32(p + 4, static_cast<std::uint32_t>(time.nanoseconds / 1000));
  }
  StoreU32(p + size - 8, flags);
  StoreU32(p + size - 4, static_cast<std::uint32_t>(count));
}

bool EventArrayBuilder::AddParameter(Pmid pmid, const Value& value) {
  const std::size_t number = NumericSize(value.type);
  const std::size_t size = number != 0 ? number : value.opaque.size();
  if (nparams_ == kNoRecord || size > kMaxBlockBody) return false;
  const std::size_t at = body_.size();
  body_.resize(at + kParameterHeader + Padded(size), kPadByte);
  std::uint8_t* p = &body_[at];
  StoreU32(p, pmid.value);
  StoreU32(p + 4,
           static_cast<std::uint32_t>(value.type) << 24 | static_cast<std::uint32_t>(4 + size));
  p += kParameterHeader;
  if (number == 8) {
    StoreU64(p, value.bits);
  } else if (number == 4) {
    StoreU32(p, value.AsU32());
  } else if (size > 0) {
    std::memcpy(p, value.opaque.data(), size);
  }
  Raise(&body_[nparams_]);
  return true;
}

}  // namespace pmproof::pdu
