// SPDX-License-Identifier: Apache-2.0
#include "reference/core/event_summary.h"

#include "reference/core/clock_text.h"
#include "reference/core/event_array.h"

namespace pmproof {

// At a missed record that is not the last one PCP stays: it counts that one again for each that
// follows, but the last, and shows its time as the last.
EventSummary SummaryOf(Bytes payload, bool highres, std::int64_t zone) {
  EventArray events(payload, highres);
  EventSummary summary;
  summary.records = events.record_count().value_or(0);  // below 0, too
  const unsigned digits = highres ? 9 : 3;
  for (std::int64_t left = std::int64_t{summary.records} - 1; left >= 0; --left) {
    const auto record = events.NextRecord();
    if (!record) break;
    summary.last = ClockText(record->time, digits, zone);
    if (summary.first.empty()) summary.first = summary.last;
    if (!record->missed() || left == 0) continue;
    const std::int64_t missed = record->parameter_count * left;
    summary.missed = static_cast<std::int32_t>(missed);
    break;
  }
  return summary;
}

}  // namespace pmproof
