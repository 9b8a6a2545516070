// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_EXTRACT_VALUE_H_
#define PMPROOF_REFERENCE_CORE_EXTRACT_VALUE_H_

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "reference/core/bytes.h"
#include "reference/core/error_code.h"
#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"
#include "reference/core/value.h"

// Values out of the form they are stored in, and from type to type (MET-301..412).

namespace pmproof {

// How all values of a value set are stored (MET-301). Open: other numbers occur.
enum class ValueFormat : std::int32_t { kInPlace = 0, kPointer = 1, kStaticPointer = 2 };

// One value of a value set. A view; integers and floats in a block are big-endian, as in archives.
struct StoredValue {
  ValueFormat format = ValueFormat::kInPlace;
  std::uint32_t word = 0;                        // in place
  MetricType block_type = MetricType::kUnknown;  // as the block says
  Bytes payload{};                               // of the block, without its header
};

// A value by itself. `number` counts for the numeric types.
struct Atom {
  MetricType type = MetricType::k32;
  Value number{};
  std::string bytes{};  // STRING: of the block as it is; AGGREGATE: its payload
};

// A number as one of another numeric type (MET-401..406). kTruncation, kSign: it does not fit;
// kConversion: one of the types is not numeric. What is undefined in PCP - a NaN, or less than
// -2^63, as an integer - is kTruncation (MET-411).
tl::expected<Value, ErrorCode> ConvertNumber(const Value& value, MetricType to);

// The stored value of a metric of type `from` as one of type `to`, as pmExtractValue() gives it
// (MET-401..412). kConversion: also where the value is not stored as its type asks for.
tl::expected<Atom, ErrorCode> ExtractValue(const StoredValue& stored, MetricType from,
                                           MetricType to, PcpVersion version);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_EXTRACT_VALUE_H_
