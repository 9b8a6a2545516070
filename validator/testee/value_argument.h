// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_VALUE_ARGUMENT_H_
#define PMPROOF_VALIDATOR_TESTEE_VALUE_ARGUMENT_H_

#include <cstdint>
#include <string>

#include "reference/core/extract_value.h"
#include "reference/core/metric.h"
#include "validator/replay/read_value.h"
#include "validator/testee/request_reader.h"

// Values as arguments and results.

namespace pmproof::validator {

// A value as it is stored. A value; stored() views it.
struct ValueArgument {
  MetricType type = MetricType::k32;
  ValueFormat format = ValueFormat::kInPlace;
  std::uint32_t word = 0;
  MetricType block_type = MetricType::k32;
  std::string payload;  // of the block

  StoredValue stored() const { return {format, word, block_type, AsBytes(payload)}; }
};

// Readers of args; of their complaints `reader` knows.
MetricType TakeType(RequestReader* reader, const char* key);
// From `value`, `format` and `block_type` (MET-301..303).
ValueArgument TakeValue(RequestReader* reader, MetricType type);
// The uint32 that `value` is in decimal.
std::uint32_t TakeCode(RequestReader* reader);

// {"type","value"}.
Answered TypedValue(const Value& value);
}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_VALUE_ARGUMENT_H_
