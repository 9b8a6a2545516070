// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_FETCH_PLAN_H_
#define PMPROOF_GENERATORS_EXPRESSION_FETCH_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/random.h"
#include "reference/core/timestamp.h"
#include "reference/replay/context_clock.h"

namespace pmproof::generators {

// The fetches of one context, all of one list of metrics. A value.
struct FetchPlan {
  enum class Kind : std::uint8_t { kForward, kBackward, kSeeking };

  Kind kind = Kind::kForward;
  replay::Delta step{};
  // pmSetMode before the fetch, to that time; the first fetch has one. Nothing: one step on.
  std::vector<std::optional<Timestamp>> seeks{};

  std::int64_t StepNanoseconds() const { return step.seconds * 1'000'000'000 + step.nanoseconds; }
};

// Fetches between `begin` and `end`, and a little outside. Steps and times fall on whole seconds in
// one plan of three, so that they meet records.
FetchPlan RandomFetchPlan(Random& random, FetchPlan::Kind kind, Timestamp begin, Timestamp end);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_FETCH_PLAN_H_
