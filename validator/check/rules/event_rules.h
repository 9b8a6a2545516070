// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "reference/archive/data_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/metric_table.h"

namespace pmproof::validator {

// The metrics that were parameters of events, each with the time of the first record that has it.
class EventParameters {
 public:
  // Adds one; its descriptor, null if there is none. `metrics` is the same each time.
  const Descriptor* Add(Pmid pmid, Timestamp time, const MetricTable& metrics) {
    Recent& recent = recent_[pmid.value % recent_.size()];
    if (recent.pmid != pmid || !recent.known) [[unlikely]] {
      first_times_.try_emplace(pmid, time);
      recent = {pmid, true, metrics.Find(pmid)};
    }
    return recent.descriptor;
  }

  const std::unordered_map<Pmid, Timestamp>& first_times() const { return first_times_; }

 private:
  // The last one of those with these bits: most events have the same few parameters.
  struct Recent {
    Pmid pmid;
    bool known = false;
    const Descriptor* descriptor = nullptr;
  };

  std::unordered_map<Pmid, Timestamp> first_times_;
  std::array<Recent, 64> recent_;
};

// True if an event is too late for its record (ARC-1826): it is handed over after it happened, by
// clocks that may differ.
inline bool IsTooLate(Timestamp event, Timestamp record) {
  constexpr std::int64_t kTolerance = 60'000'000'000;  // nanoseconds
  return event > record && event > record + kTolerance;
}

// Checks one event array (section 6; rules ARC-1815..1824, 1826). `payload_offset` is where the
// payload of its value block begins in the record. The time of the record says nothing of the
// events unless `time_known`. The metrics of the parameters are added to `parameters`.
void CheckEventArray(const archive::DataRecord& record, const archive::ValueBlock& block,
                     std::size_t payload_offset, bool time_known, const MetricTable& metrics,
                     EventParameters* parameters, archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_EVENT_RULES_H_
