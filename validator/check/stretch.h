// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_STRETCH_H_
#define PMPROOF_VALIDATOR_CHECK_STRETCH_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"
#include "validator/check/finding_collector.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/value_rules.h"

namespace pmproof::validator {

// The values of a run of data records of one volume under check. Stretches are independent of each
// other; ValueTotals joins them in order. A resource: the checker points to the collector.
class Stretch {
 public:
  Stretch(const MetricTable& metrics, FindingCollector collector_for_this, int version)
      : collector(std::move(collector_for_this)), checker(metrics, collector), version_(version) {}
  Stretch(const Stretch&) = delete;
  Stretch& operator=(const Stretch&) = delete;

  // Checks one record. `latest` is the largest time of the records before it, nothing if there are
  // none.
  void CheckRecord(const archive::RecordView& record, std::optional<Timestamp>* latest);

  FindingCollector collector;
  ValueChecker checker;
  std::uint64_t refused = 0;  // records that readers refuse: their values were not seen

 private:
  int version_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_STRETCH_H_
