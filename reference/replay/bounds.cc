// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/bounds.h"

#include <algorithm>
#include <optional>

namespace pmproof::replay {
namespace {

const Moment& MomentOf(const Observation& observation) { return observation.moment; }
const Moment& MomentOf(const Barrier& barrier) { return barrier.moment; }

// How many events have at <= t.
template <typename Event>
std::size_t CountUntil(std::span<const Event> events, double t) {
  const auto later = std::ranges::upper_bound(
      events, t, {}, [](const Event& event) { return MomentOf(event).at; });
  return static_cast<std::size_t>(later - events.begin());
}

Bound ValueBound(const Observation& observation) {
  return {observation.kind, observation.moment, observation.value};
}

Bound BarrierBound(const Barrier& barrier) { return {barrier.kind, barrier.moment, {}}; }

}  // namespace

Bounds FindBounds(std::span<const Observation> observations, std::span<const Barrier> barriers,
                  double t) {
  const std::size_t seen = CountUntil(observations, t);
  const std::size_t passed = CountUntil(barriers, t);
  Bounds bounds;

  // INT-302: among equal times the last in record order. A barrier has no value, so that a record
  // is one or the other.
  if (seen > 0) bounds.prior = ValueBound(observations[seen - 1]);
  if (passed > 0 && (seen == 0 || observations[seen - 1].moment < barriers[passed - 1].moment)) {
    bounds.prior = BarrierBound(barriers[passed - 1]);
  }
  if (bounds.prior.kind != Bound::Kind::kNone && bounds.prior.moment.at == t) {
    bounds.next = bounds.prior;  // INT-303, INT-304
    return bounds;
  }

  // INT-303: among equal times the first in record order, of which, in one record, the last value.
  if (seen < observations.size()) {
    std::size_t next = seen;
    while (next + 1 < observations.size() &&
           observations[next + 1].moment.at == observations[seen].moment.at &&
           observations[next + 1].moment.record == observations[seen].moment.record) {
      ++next;
    }
    bounds.next = ValueBound(observations[next]);
  }
  if (passed < barriers.size() &&
      (seen == observations.size() || barriers[passed].moment < observations[seen].moment)) {
    bounds.next = BarrierBound(barriers[passed]);
  }
  return bounds;
}

}  // namespace pmproof::replay
