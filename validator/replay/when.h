// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_WHEN_H_
#define PMPROOF_VALIDATOR_REPLAY_WHEN_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/core/timestamp.h"

namespace pmproof::validator {

// A length of time as users write it: a decimal number and a unit - ns, us, ms, s (or nothing,
// sec), min, h, d - such as "10s", "1.5min", "250ms". In nanoseconds; what is finer than one is no
// duration, nor is anything negative or beyond 292 years.
std::optional<std::int64_t> ParseDuration(std::string_view text);

// A time as ParseTime reads it, or "+" and a duration from `start` on.
std::optional<Timestamp> ParseWhen(std::string_view text, Timestamp start);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_WHEN_H_
