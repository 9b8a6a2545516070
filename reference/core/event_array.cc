// SPDX-License-Identifier: Apache-2.0
#include "reference/core/event_array.h"

#include <algorithm>

namespace pmproof {
namespace {

constexpr std::size_t PadToWord(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

}  // namespace

std::optional<EventRecord> EventArray::NextRecord() {
  while (parameters_left_ > 0) {
    if (!NextParameter()) break;
  }
  if (!record_count_ || fault_ || records_taken_ >= *record_count_) return std::nullopt;
  const std::uint32_t header = highres_ ? 24 : 16;
  if (payload_.size() - at_ < header) {
    fault_ = at_;
    return std::nullopt;
  }
  const std::uint8_t* p = payload_.data() + at_;
  EventRecord record;
  record.offset = at_;
  if (highres_) {
    record.time = {LoadI64(p), static_cast<std::int32_t>(LoadI64(p + 8))};
    record.fraction = LoadI64(p + 8);
  } else {
    record.time = {LoadI32(p), static_cast<std::int32_t>(LoadU32(p + 4) * 1000U)};
    record.fraction = LoadI32(p + 4);
  }
  record.flags = LoadU32(p + header - 8);
  record.parameter_count = LoadI32(p + header - 4);
  at_ += header;
  ++records_taken_;
  parameters_left_ = record.missed() ? 0 : std::max(record.parameter_count, 0);
  return record;
}

std::optional<EventParameter> EventArray::NextParameter() {
  if (parameters_left_ == 0 || fault_) return std::nullopt;
  const std::size_t left = payload_.size() - at_;
  const std::uint32_t header = left >= 8 ? LoadU32(payload_.data() + at_ + 4) : 0;
  const std::uint32_t length = header & 0xffffff;
  if (length < 4 || 4 + PadToWord(length) > left) {
    fault_ = at_;
    parameters_left_ = 0;
    return std::nullopt;
  }
  EventParameter parameter;
  parameter.pmid = Pmid{LoadU32(payload_.data() + at_)};
  parameter.type = static_cast<MetricType>(header >> 24);
  parameter.payload = payload_.subspan(at_ + 8, length - 4);
  parameter.offset = at_;
  at_ += static_cast<std::uint32_t>(4 + PadToWord(length));
  --parameters_left_;
  return parameter;
}

}  // namespace pmproof
