// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_METRICS_RENDER_METRICS_H_
#define PMPROOF_VALIDATOR_METRICS_RENDER_METRICS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "validator/metrics/metric_list.h"
#include "validator/text/csv.h"
#include "validator/text/terminal.h"

// What `metrics` writes. Texts from archives may hold any bytes; what is written is well-formed.

namespace pmproof::validator {

// A line for each name, in columns. With `instances` also those of each domain.
void RenderMetricsText(const MetricList& list, bool instances, const Screen& screen,
                       std::ostream& out);

// Schema pmproof-metrics/1 (schema/metrics.schema.json). `archives` are the arguments.
void RenderMetricsJson(const MetricList& list, const std::vector<std::string>& archives,
                       std::ostream& out);

// A header, and a record for each name.
void RenderMetricsCsv(const MetricList& list, Formulas formulas, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_METRICS_RENDER_METRICS_H_
