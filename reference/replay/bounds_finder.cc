// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/bounds_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pmproof::replay {

void BoundsFinder::OnObservation(std::size_t index, const Observation& observation) {
  Cell& cell = cells_[index];
  const double at = observation.moment.at;
  if (cell.next_time < times_.size() && times_[cell.next_time] < at) {
    if (cell.last) {
      GiveBetween(index, observation);
    } else {
      const bool value = observation.kind == Bound::Kind::kValue && barriers_.empty();
      if (value && !needs_.empty() && needs_[index].prior) PassOver(cell, at);
      Give(index, {&observation, 1}, at);
    }
  }
  cell.last = observation;
  if (!observation.value.opaque.empty()) {
    cell.opaque = AsText(observation.value.opaque);
    cell.last->value.opaque = AsBytes(cell.opaque);
  }
}

// True if no barrier is after the last observation of the cell.
bool BoundsFinder::NothingSince(const Cell& cell) const {
  return barriers_.empty() || barriers_.back().moment < cell.last->moment;
}

// The open times between the last observation of the cell and the one after it.
void BoundsFinder::GiveBetween(std::size_t index, const Observation& next) {
  Cell& cell = cells_[index];
  const double at = next.moment.at;
  const double before = cell.last->moment.at;
  if (times_[cell.next_time] < before || !NothingSince(cell)) {
    const Observation both[] = {*cell.last, next};
    return Give(index, both, at);
  }
  Bounds bounds;
  bounds.prior = bounds.next = {cell.last->kind, cell.last->moment, cell.last->value};
  // Two timestamps can be one relative time (INT-204).
  for (; cell.next_time < times_.size() && times_[cell.next_time] == before; ++cell.next_time) {
    sink_.OnBounds(index, cell.next_time, bounds);
  }
  bounds.next = {next.kind, next.moment, next.value};
  for (; cell.next_time < times_.size() && times_[cell.next_time] < at; ++cell.next_time) {
    sink_.OnBounds(index, cell.next_time, bounds);
  }
}

void BoundsFinder::Give(std::size_t index, std::span<const Observation> observations,
                        double before) {
  Cell& cell = cells_[index];
  for (; cell.next_time < times_.size() && times_[cell.next_time] < before; ++cell.next_time) {
    sink_.OnBounds(index, cell.next_time,
                   FindBounds(observations, barriers_, times_[cell.next_time]));
  }
}

// What is before `until` is not given.
void BoundsFinder::PassOver(Cell& cell, double until) const {
  const auto open = times_.subspan(cell.next_time);
  cell.next_time += static_cast<std::size_t>(std::ranges::lower_bound(open, until) - open.begin());
}

bool BoundsFinder::IsOpenBefore(double at) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[open_];
    if (cell.next_time < times_.size() && times_[cell.next_time] < at) return true;
    open_ = open_ + 1 < cells_.size() ? open_ + 1 : 0;
  }
  return false;
}

double BoundsFinder::NextTime(double at) {
  if (next_time_ > 0 && times_[next_time_ - 1] >= at) next_time_ = 0;
  // Most often it is one of the next few.
  std::size_t step = 1;
  while (next_time_ + step <= times_.size() && times_[next_time_ + step - 1] < at) {
    next_time_ += step;
    step *= 2;
  }
  const auto few = times_.subspan(next_time_, std::min(step, times_.size() - next_time_));
  next_time_ += static_cast<std::size_t>(std::ranges::lower_bound(few, at) - few.begin());
  return next_time_ < times_.size() ? times_[next_time_] : std::numeric_limits<double>::infinity();
}

void BoundsFinder::Finish() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Cell& cell = cells_[i];
    if (!cell.last) {
      const bool known = barriers_.empty() && !needs_.empty() && needs_[i].prior;
      if (!known) Give(i, {}, kNever);
      continue;
    }
    const Observation last = *cell.last;
    const bool known =
        last.kind == Bound::Kind::kValue && NothingSince(cell) && !needs_.empty() && needs_[i].next;
    if (known) {
      const double behind = std::nextafter(last.moment.at, kNever);
      Give(i, {&last, 1}, behind);  // the very time of the observation, if it is open
      continue;
    }
    Give(i, {&last, 1}, kNever);
  }
}

}  // namespace pmproof::replay
