#include "reference/replay/bounds_finder.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pmproof::replay {

void BoundsFinder::OnObservation(std::size_t index, const Observation& observation) {
  Cell& cell = cells_[index];
  if (cell.next_time < times_.size() && times_[cell.next_time] < observation.moment.at) {
    if (cell.last) {
      const Observation both[] = {*cell.last, observation};
      Give(index, both, observation.moment.at);
    } else {
      Give(index, {&observation, 1}, observation.moment.at);
    }
  }
  cell.last = observation;
  if (!observation.value.opaque.empty()) {
    cell.opaque = AsText(observation.value.opaque);
    cell.last->value.opaque = AsBytes(cell.opaque);
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

void BoundsFinder::Finish() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].last) {
      Give(i, {&*cells_[i].last, 1}, kNever);
    } else {
      Give(i, {}, kNever);
    }
  }
}

void BoundsSorter::OnObservation(std::size_t cell, const Observation& observation) {
  used_ += sizeof observation;
  if (!observation.value.opaque.empty()) {
    used_ += sizeof(std::string) + observation.value.opaque.size();
  }
  if (overflowed()) return;
  Series& series = series_[cell];
  series.observations.push_back(observation);
  if (observation.value.opaque.empty() && series.opaque.empty()) return;
  series.opaque.resize(series.observations.size() - 1);
  series.opaque.emplace_back(AsText(observation.value.opaque));
}

void BoundsSorter::Finish(std::span<const double> times, BoundsSink& sink) {
  std::ranges::stable_sort(barriers_, {}, &Barrier::moment);
  for (std::size_t cell = 0; cell < series_.size(); ++cell) {
    Series& series = series_[cell];
    for (std::size_t i = 0; i < series.opaque.size(); ++i) {
      series.observations[i].value.opaque = AsBytes(series.opaque[i]);
    }
    std::ranges::stable_sort(series.observations, {}, &Observation::moment);
    for (std::size_t i = 0; i < times.size(); ++i) {
      sink.OnBounds(cell, i, FindBounds(series.observations, barriers_, times[i]));
    }
  }
}

}  // namespace pmproof::replay
