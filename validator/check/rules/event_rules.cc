// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/event_rules.h"

#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/bytes.h"
#include "reference/core/event_array.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::Details;

constexpr std::uint32_t kKnownFlags =
    kEventPoint | kEventStart | kEventEnd | kEventId | kEventParent | kEventMissed;

constexpr std::size_t kParameterHead = 8;  // pmid, and type with length (ARC-273)

// One event array under check: where it is and whom to tell.
struct Context {
  const archive::DataRecord& record;
  std::size_t payload_offset;
  bool time_known;  // of the record
  archive::Reporter& reporter;

  archive::Location At(std::size_t begin, std::size_t length) const {
    return record.record.At(payload_offset + begin, length);
  }
};

void CheckRecord(const Context& context, const EventRecord& event, bool highres,
                 const std::optional<Timestamp>& previous) {
  const std::size_t flags_at = event.offset + (highres ? 16 : 8);
  if (event.missed() && event.flags != kEventMissed) {
    context.reporter.Report("ARC-1817"_clause, context.At(flags_at, 4), [&] {
      return Details{"flags", std::to_string(event.flags), std::to_string(kEventMissed),
                     "the flag \"missed\" of an event record is not alone"};
    });
  } else if ((event.flags & ~kKnownFlags) != 0) {
    context.reporter.Report("ARC-1821"_clause, context.At(flags_at, 4), [&] {
      return Details{"flags", std::to_string(event.flags), "", "an event record has unknown flags"};
    });
  }
  const std::int64_t second = highres ? 1'000'000'000 : 1'000'000;
  if (event.fraction < 0 || event.fraction >= second) {
    context.reporter.Report(
        "ARC-1820"_clause, context.At(event.offset + (highres ? 8 : 4), highres ? 8 : 4), [&] {
          return Details{highres ? "nsec" : "usec", std::to_string(event.fraction),
                         "0 to " + std::to_string(second - 1),
                         "the fraction of an event's time is out of range"};
        });
    return;
  }
  if ((previous && event.time < *previous) ||
      (context.time_known && IsTooLate(event.time, context.record.time))) {
    context.reporter.Report("ARC-1826"_clause, context.At(event.offset, highres ? 16 : 8), [&] {
      return Details{"time", ToEpochText(event.time), "",
                     "an event is out of order or later than its record"};
    });
  }
}

void CheckParameter(const Context& context, const EventParameter& parameter,
                    const MetricTable& metrics, const Descriptor* descriptor) {
  if (descriptor == nullptr) {
    if (!metrics.complete()) return;
    context.reporter.Report("ARC-1818"_clause, context.At(parameter.offset, 4), [&] {
      return Details{"pmid", ToText(parameter.pmid), "a metric with a descriptor",
                     "a parameter of an event has no descriptor"};
    });
  } else if (descriptor->type != parameter.type) {
    context.reporter.Report("ARC-1819"_clause, context.At(parameter.offset + 4, 4), [&] {
      return Details{"type", ToText(parameter.type), ToText(descriptor->type),
                     "a parameter of an event has another type than the descriptor of " +
                         metrics.Show(parameter.pmid)};
    });
  }
  if (parameter.type == MetricType::kString) {
    CheckText(context.record, context.payload_offset + parameter.offset + kParameterHead,
              UpToNul(AsText(parameter.payload)), parameter.pmid, metrics, context.reporter);
  }
}

}  // namespace

void CheckEventArray(const archive::DataRecord& record, const archive::ValueBlock& block,
                     std::size_t payload_offset, bool time_known, const MetricTable& metrics,
                     EventParameters* parameters, archive::Reporter& reporter) {
  const Context context{record, payload_offset, time_known, reporter};
  const bool highres = block.type == MetricType::kHighresEvent;
  EventArray events(block.payload, highres);
  if (!events.record_count()) {
    reporter.Report("ARC-1824"_clause, record.record.At(payload_offset - 4, 4), [&] {
      return Details{"len", std::to_string(block.payload.size() + 4), "at least 8",
                     "an event array is too short for its number of records"};
    });
    return;
  }
  if (*events.record_count() <= 0) {
    const bool negative = *events.record_count() < 0;
    reporter.Report(negative ? "ARC-1815"_clause : "ARC-1823"_clause, context.At(0, 4), [&] {
      return Details{
          "nrecords", std::to_string(*events.record_count()), negative ? ">= 0" : "> 0",
          negative ? "the number of event records is negative" : "an event array is empty"};
    });
    if (negative) return;
  }

  std::optional<Timestamp> previous;
  while (const std::optional<EventRecord> event = events.NextRecord()) {
    CheckRecord(context, *event, highres, previous);
    previous = event->time;
    while (const std::optional<EventParameter> parameter = events.NextParameter()) {
      CheckParameter(context, *parameter, metrics,
                     parameters->Add(parameter->pmid, record.time, metrics));
    }
  }
  if (events.fault()) {
    reporter.Report("ARC-1816"_clause,
                    context.At(*events.fault(), block.payload.size() - *events.fault()), [&] {
                      return Details{
                          "event array", "", "",
                          "an event record or parameter runs past the end of its value block"};
                    });
  } else if (events.position() < block.payload.size()) {
    const std::size_t rest = block.payload.size() - events.position();
    reporter.Report("ARC-1822"_clause, context.At(events.position(), rest), [&] {
      return Details{"event array", std::to_string(rest) + " bytes", "none",
                     "bytes follow the last event record"};
    });
  }
}

}  // namespace pmproof::validator
