// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_READ_VALUE_H_
#define PMPROOF_VALIDATOR_REPLAY_READ_VALUE_H_

#include <optional>
#include <string>
#include <string_view>

#include "reference/core/metric.h"
#include "reference/core/value.h"

// Reads what docs/formats.md writes of values (value_text.h).

namespace pmproof::validator {

// The type that ToText() writes so, and "unknown"; nothing for another text.
std::optional<MetricType> ParseType(std::string_view text);

// A number of a numeric type as ValueText() writes it, or otherwise in decimal. Nothing if it is
// none, or if the type has no such number.
std::optional<Value> ParseNumber(MetricType type, std::string_view text);

// The bytes of "base64:..." (RFC 4648, with padding); nothing if it is something else.
std::optional<std::string> ParseBase64(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_READ_VALUE_H_
