// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_BOUNDS_FINDER_H_
#define PMPROOF_REFERENCE_REPLAY_BOUNDS_FINDER_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/replay/bounds.h"
#include "reference/replay/observation_reader.h"
#include "reference/replay/rule.h"

namespace pmproof::replay {

// Receives the bounds of one cell (metric and instance) at one time. They hold until the call
// returns.
class BoundsSink {
 public:
  virtual ~BoundsSink() = default;
  virtual void OnBounds(std::size_t cell, std::size_t time, const Bounds& bounds) = 0;
};

// Finds the bounds of many cells at many times while the records go by (section 3), in the memory
// of one observation for each cell: for archives whose times do not go back.
class BoundsFinder final : public ObservationSink {
 public:
  // `times` are relative and ascending. They, the sink and `needs` outlive this. `needs`, if not
  // empty, says of each cell which times need not be given.
  BoundsFinder(std::size_t cells, std::span<const double> times, BoundsSink& sink,
               std::span<const Needs> needs = {})
      : times_(times), sink_(sink), needs_(needs), cells_(cells) {}

  void OnObservation(std::size_t cell, const Observation& observation) override;
  void OnBarrier(const Barrier& barrier) override { barriers_.push_back(barrier); }

  // After the walk: gives what is still open.
  void Finish();

  // True if the bounds of a time before `at` are open.
  bool IsOpenBefore(double at);
  // The first time of `at` or later. Takes the least time if `at` does not go back.
  double NextTime(double at);

  const std::vector<Barrier>& barriers() const { return barriers_; }

 private:
  struct Cell {
    std::optional<Observation> last;
    std::string opaque;         // what `last` views
    std::size_t next_time = 0;  // the first time whose bounds are open
  };

  void GiveBetween(std::size_t cell, const Observation& next);
  void Give(std::size_t cell, std::span<const Observation> observations, double before);
  void PassOver(Cell& cell, double until) const;
  bool NothingSince(const Cell& cell) const;

  std::span<const double> times_;
  BoundsSink& sink_;
  std::span<const Needs> needs_;
  std::vector<Cell> cells_;
  std::vector<Barrier> barriers_;
  std::size_t next_time_ = 0;  // what NextTime() gave last
  std::size_t open_ = 0;       // the cell that was last found to have an open time
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_BOUNDS_FINDER_H_
