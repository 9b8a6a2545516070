// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_

#include <cstddef>
#include <unordered_map>

#include "reference/archive/data_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/metric_table.h"

namespace pmproof::validator {

// Checks one event array (section 6; rules ARC-1815..1824, 1826). `payload_offset` is where the
// payload of its value block begins in the record. The time of the record says nothing of the
// events unless `time_known`. The metrics of the parameters are added to `parameters` with the time
// of the first record that has them.
void CheckEventArray(const archive::DataRecord& record, const archive::ValueBlock& block,
                     std::size_t payload_offset, bool time_known, const MetricTable& metrics,
                     std::unordered_map<Pmid, Timestamp>* parameters, archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_
