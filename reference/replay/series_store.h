// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_SERIES_STORE_H_
#define PMPROOF_REFERENCE_REPLAY_SERIES_STORE_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reference/replay/bounds.h"
#include "reference/replay/observation_reader.h"

namespace pmproof::replay {

// All observations of some cells (metric and instance), in memory: for archives whose times go back
// (INT-309), and for whoever asks again and again. Finds bounds in logarithmic time.
class SeriesStore final : public ObservationSink {
 public:
  // `memory` in bytes.
  SeriesStore(std::size_t cells, std::size_t memory) : memory_(memory), series_(cells) {}

  void OnObservation(std::size_t cell, const Observation& observation) override;
  void OnBarrier(const Barrier& barrier) override { barriers_.push_back(barrier); }

  // True if there were more observations than fit the memory: what is here is not whole.
  bool overflowed() const { return used_ > memory_; }

  // After the walk: puts all in the order of their moments.
  void Finish();

  // The bounds of one cell. Opaque values hold as long as this.
  Bounds BoundsOf(std::size_t cell, double t) const;

  std::size_t cells() const { return series_.size(); }
  const std::vector<Barrier>& barriers() const { return barriers_; }

 private:
  struct Kept {
    std::uint64_t bits = 0;  // of an opaque value the address of its text
    std::uint32_t moment = 0;
    MetricType type = MetricType::k32;
    bool insitu = false;
    bool opaque = false;
    Bound::Kind kind = Bound::Kind::kValue;
  };

  Observation ToObservation(const Kept& kept) const;

  std::size_t memory_;
  std::size_t used_ = 0;
  std::vector<Moment> moments_;  // of the records that have any of the observations
  std::vector<std::vector<Kept>> series_;
  std::set<std::string> texts_;
  std::vector<Barrier> barriers_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_SERIES_STORE_H_
