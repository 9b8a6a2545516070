// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_RESULT_PDUS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_RESULT_PDUS_H_

#include <cstdint>
#include <optional>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/value.h"
#include "reference/pmda/pdu/list.h"

// RESULT and HIGHRES_RESULT: 4.5 and section 5. They say what is on the wire. Whoever has values
// to send makes the PDU with a ResultBuilder; whoever wants a value of what came asks ValueOf.

namespace pmproof::pdu {

// PDU-101. Dynamic and static mean the same.
enum class ValueFormat : std::int32_t { kInsitu = 0, kDynamic = 1, kStatic = 2 };

inline constexpr std::size_t kMaxBlockBody = 0xffffff - 4;  // bytes (PDU-104)

// One value. Which members count is said by the format of its set.
struct InstanceValue {
  std::int32_t instance = kInstanceNull;   // PDU-108
  std::uint32_t word = 0;                  // in situ
  MetricType type = MetricType::kUnknown;  // of the block
  List<std::uint8_t> body{};               // of the block, without padding; big-endian (PDU-105)

  friend bool operator==(const InstanceValue&, const InstanceValue&) = default;
};

// The values of one metric: either values, or a status (PDU-100).
struct ValueSet {
  Pmid pmid{};
  ErrorCode status = ErrorCode::kOk;          // kOk or negative; kOk where there are values
  ValueFormat format = ValueFormat::kInsitu;  // kInsitu where there are none
  List<InstanceValue> values{};

  // As on the wire.
  std::int32_t numval() const {
    return values.empty() ? static_cast<std::int32_t>(status)
                          : static_cast<std::int32_t>(values.size());
  }

  friend bool operator==(const ValueSet&, const ValueSet&) = default;
};

// State changes that an agent may set in the seconds of a fetch reply (PDU-111).
inline constexpr std::int32_t kLabelsChanged = 0x08;
inline constexpr std::int32_t kNamesChanged = 0x10;

struct Result {
  std::int32_t seconds =
      0;  // from an agent state changes (PDU-110); in a store undefined (PDU-114)
  std::int32_t microseconds = 0;
  List<ValueSet> sets{};

  friend bool operator==(const Result&, const Result&) = default;
};

struct HighresResult {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  List<ValueSet> sets{};

  friend bool operator==(const HighresResult&, const HighresResult&) = default;
};

// The value as the metric's descriptor reads it; opaque values are views of the body. Nothing where
// it is not of that type: in situ but not a 32 bit type, a block of another type (type 0 stands for
// any: MET-302), or a number whose block has another size (PDU-102, PDU-105).
std::optional<Value> ValueOf(const InstanceValue& value, ValueFormat format, MetricType type);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_RESULT_PDUS_H_
