// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_TRUTH_VALUES_H_
#define PMPROOF_GENERATORS_TRUTH_VALUES_H_

#include "generators/json_text.h"
#include "reference/archive/model.h"
#include "reference/core/json_writer.h"
#include "reference/core/metric.h"

namespace pmproof::generators {

// Writes what metrics have in one record as {"pmid", "status", ...} of pmproof-truth/1. `type` is
// that of the descriptor, which says what an insitu value is; kUnknown if there is none. `json`
// writes to `text`.
void WriteValueSet(const archive::ValueSetModel& set, MetricType type, JsonText& text,
                   JsonWriter<JsonText>& json);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_TRUTH_VALUES_H_
