// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_WANTED_METRICS_H_
#define PMPROOF_REFERENCE_REPLAY_WANTED_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reference/replay/instance_profile.h"
#include "reference/replay/observation_reader.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

// One metric and instance of a request.
struct WantedCell {
  std::uint32_t metric = 0;  // its position
  MetricType type = MetricType::k32;
  Semantics semantics = Semantics::kInstant;
  std::int32_t instance = kInstanceNull;
  const Candidate* life = nullptr;  // if lives matter for it (INT-403)
};

// The metrics of a request that the archive has, each once, and the instances of them that are
// asked for (INT-401, INT-402). A metric of type NOSUPPORT counts as one that the archive does not
// have (INT-405c). Views the archive.
class WantedMetrics {
 public:
  WantedMetrics(const ReplayArchive& archive, std::span<const Pmid> metrics,
                const InstanceProfile& instances);

  const std::vector<WantedMetric>& metrics() const { return metrics_; }
  // The instances of all metrics, counted through.
  const std::vector<WantedCell>& cells() const { return cells_; }
  // The position in metrics(); nothing if the archive does not have it.
  std::optional<std::size_t> Find(Pmid pmid) const;

 private:
  std::vector<WantedMetric> metrics_;
  std::vector<WantedCell> cells_;
  std::map<Pmid, std::size_t> positions_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_WANTED_METRICS_H_
