// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_VALUE_H_
#define PMPROOF_REFERENCE_CORE_VALUE_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "reference/core/bytes.h"
#include "reference/core/metric.h"

namespace pmproof {

// One value as it is stored or answered. Numbers are bits: a NaN keeps its payload. Opaque values
// (strings, aggregates, events) are views of the stored payload and hold as long as what they were
// read from.
struct Value {
  MetricType type = MetricType::k32;
  bool insitu = false;     // how it is stored (INT-408): 32 and U32 always are, FLOAT may be
  std::uint64_t bits = 0;  // 32-bit types in the low half, zero-extended
  Bytes opaque{};

  static Value Of(std::int32_t number) {
    return {MetricType::k32, true, static_cast<std::uint32_t>(number)};
  }
  static Value Of(std::uint32_t number) { return {MetricType::kU32, true, number}; }
  static Value Of(std::int64_t number) {
    return {MetricType::k64, false, static_cast<std::uint64_t>(number)};
  }
  static Value Of(std::uint64_t number) { return {MetricType::kU64, false, number}; }
  static Value Of(float number) {
    return {MetricType::kFloat, false, std::bit_cast<std::uint32_t>(number)};
  }
  static Value Of(double number) {
    return {MetricType::kDouble, false, std::bit_cast<std::uint64_t>(number)};
  }

  std::int32_t AsI32() const { return static_cast<std::int32_t>(bits); }
  std::uint32_t AsU32() const { return static_cast<std::uint32_t>(bits); }
  std::int64_t AsI64() const { return static_cast<std::int64_t>(bits); }
  std::uint64_t AsU64() const { return bits; }
  float AsFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
  double AsDouble() const { return std::bit_cast<double>(bits); }

  // Bit for bit; NaN equals itself.
  friend bool operator==(const Value& a, const Value& b) {
    return a.type == b.type && a.insitu == b.insitu && a.bits == b.bits &&
           a.opaque.size() == b.opaque.size() &&
           std::equal(a.opaque.begin(), a.opaque.end(), b.opaque.begin());
  }
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_VALUE_H_
