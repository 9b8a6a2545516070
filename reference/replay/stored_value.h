// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_STORED_VALUE_H_
#define PMPROOF_REFERENCE_REPLAY_STORED_VALUE_H_

#include <cstdint>
#include <optional>

#include "reference/archive/data_record.h"
#include "reference/core/value.h"

namespace pmproof::replay {

// Value `i` of a set as one of this type; nothing if its block is not as long as the type. Opaque
// ones view the record.
inline std::optional<Value> ReadStoredValue(const archive::ValueSet& set, std::uint32_t i,
                                            MetricType type) {
  if (set.format() == archive::kInsitu) return Value{type, true, set.Word(i), {}};
  const Bytes payload = set.Block(i).payload;
  const std::uint32_t size = NumericSize(type);
  if (size == 0) return Value{type, false, 0, payload};
  if (payload.size() != size) return std::nullopt;
  return Value{type, false, size == 4 ? LoadU32(payload.data()) : LoadU64(payload.data()), {}};
}

// INT-411: in which of the two forms values of a type may be stored.
inline bool MayBeInsitu(MetricType type) {
  return type == MetricType::k32 || type == MetricType::kU32 || type == MetricType::kFloat;
}
inline bool MayBeInBlock(MetricType type) {
  return type != MetricType::k32 && type != MetricType::kU32;
}

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_STORED_VALUE_H_
