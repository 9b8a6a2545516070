// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/fetch_plan.h"

#include <algorithm>

namespace pmproof::generators {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

FetchPlan RandomFetchPlan(Random& random, FetchPlan::Kind kind, Timestamp begin, Timestamp end) {
  const std::int64_t span = std::max(NanosecondsBetween(begin, end), kSecond);
  const bool whole = random.Chance(1, 3);
  const auto rounded = [&](std::int64_t nanoseconds) {
    return whole ? nanoseconds / kSecond * kSecond : nanoseconds;
  };
  const bool backward = kind == FetchPlan::Kind::kBackward;
  FetchPlan plan;
  plan.kind = kind;
  const std::int64_t step = std::max(rounded(span / random.Between(8, 22)), whole ? kSecond : 1);
  plan.step = {step / kSecond, static_cast<std::int32_t>(step % kSecond)};
  if (backward) plan.step = {-plan.step.seconds, -plan.step.nanoseconds};
  const auto near = [&](Timestamp time, std::int64_t first, std::int64_t last) {
    return time + rounded(random.Between(first, last));
  };
  const Timestamp start = backward ? near(end, -span / 4, kSecond) : near(begin, 0, span / 4);
  const std::int64_t left = NanosecondsBetween(backward ? begin : start, backward ? start : end);
  plan.seeks.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(left / step + 2, 3, 16)));
  plan.seeks[0] = start;
  if (kind == FetchPlan::Kind::kSeeking) {
    for (std::int64_t count = random.Between(1, 3); count > 0; --count) {
      plan.seeks[static_cast<std::size_t>(random.Below(plan.seeks.size()))] = near(begin, 0, span);
    }
  }
  return plan;
}

}  // namespace pmproof::generators
