// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_METRICS_METRIC_LIST_H_
#define PMPROOF_VALIDATOR_METRICS_METRIC_LIST_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/metric.h"
#include "reference/replay/replay_archive.h"

// Which metrics an archive has, as values: what `metrics` shows. Views are into the archive.

namespace pmproof::validator {

struct ListedMetric {
  std::string_view name;  // one of its names; empty if all belong to other metrics (ARC-309)
  Descriptor descriptor;
  std::size_t instances = 0;  // that any record of its domain lists (INT-401); 0 without a domain
};

struct ListedInstance {
  std::int32_t id = 0;
  std::string_view name;  // by the last record that lists it
};

struct ListedDomain {
  Indom indom;
  std::vector<ListedInstance> instances;  // ascending by id
};

struct MetricList {
  std::vector<ListedMetric> metrics;  // by name; those without one first, by identifier
  std::vector<ListedDomain> domains;  // of these metrics, each once
  // Of the names asked for: those that neither a metric has nor the beginning of its name is.
  std::vector<std::string> unknown;
};

// Returns the metrics of those names, or below them ("disk" stands for "disk.dev.read"); all if no
// name is given.
MetricList ListMetrics(const replay::ReplayArchive& archive, const std::vector<std::string>& names);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_METRICS_METRIC_LIST_H_
