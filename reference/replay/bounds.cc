#include "reference/replay/bounds.h"

#include <algorithm>
#include <optional>

namespace pmproof::replay {
namespace {

const Moment& MomentOf(const Observation& observation) { return observation.moment; }
const Moment& MomentOf(const Moment& mark) { return mark; }

// How many events have at <= t.
template <typename Event>
std::size_t CountUntil(std::span<const Event> events, double t) {
  const auto later = std::ranges::upper_bound(
      events, t, {}, [](const Event& event) { return MomentOf(event).at; });
  return static_cast<std::size_t>(later - events.begin());
}

Bound ValueBound(const Observation& observation) {
  return {Bound::Kind::kValue, observation.moment, observation.value};
}

Bound MarkBound(const Moment& mark) { return {Bound::Kind::kMark, mark, {}}; }

}  // namespace

Bounds FindBounds(std::span<const Observation> observations, std::span<const Moment> marks,
                  double t) {
  const std::size_t seen = CountUntil(observations, t);
  const std::size_t seen_marks = CountUntil(marks, t);
  Bounds bounds;

  // INT-302: among equal times the last in record order. A mark has no value, so that a record is
  // one or the other.
  if (seen > 0) bounds.prior = ValueBound(observations[seen - 1]);
  if (seen_marks > 0 && (seen == 0 || observations[seen - 1].moment < marks[seen_marks - 1])) {
    bounds.prior = MarkBound(marks[seen_marks - 1]);
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
  if (seen_marks < marks.size() &&
      (seen == observations.size() || marks[seen_marks] < observations[seen].moment)) {
    bounds.next = MarkBound(marks[seen_marks]);
  }
  return bounds;
}

}  // namespace pmproof::replay
