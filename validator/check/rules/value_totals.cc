// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/value_totals.h"

#include <map>
#include <string>

#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {

using archive::Details;

namespace {

archive::Location Behind(std::uint64_t records_before, archive::Location where) {
  where.record += records_before;
  return where;
}

}  // namespace

void ValueTotals::Absorb(const ValueChecker& stretch, std::uint64_t records_before) {
  values_ += stretch.values();
  not_compared_ += stretch.not_compared();
  const std::uint64_t before = epoch_;
  if (stretch.saw_mark()) ++epoch_;
  for (const MetricState& state : stretch.states()) {
    if (!state.met) continue;
    const archive::Reporter::About about(reporter_, state.pmid);
    Metric& metric =
        totals_.try_emplace(state.pmid, Metric{state.first_use, {}, {}, {}, {}, before})
            .first->second;
    if (metric.epoch != before) {
      metric.series.Forget();
      metric.epoch = before;
    }
    Compare(state, records_before, metric);
    if (!metric.first_value && state.first_value) {
      metric.first_value = state.first_value;
      metric.first_value_at = Behind(records_before, state.first_value_at);
    }
    if (state.last_class != FormatClass::kNone) metric.last_class = state.last_class;
    if (state.counter && !state.series.words().empty()) {
      metric.series = state.series;
      if (!stretch.Continues(state)) metric.series.Forget();
      metric.epoch = epoch_;
    }
  }
  for (const auto& [pmid, time] : stretch.event_parameters().first_times())
    event_parameters_.try_emplace(pmid, time);
}

void ValueTotals::Compare(const MetricState& state, std::uint64_t records_before, Metric& metric) {
  if (metric.last_class != FormatClass::kNone && state.first_class != FormatClass::kNone &&
      metric.last_class != state.first_class) {
    ReportFormatChange(Behind(records_before, state.first_class_at), state.pmid,
                       state.descriptor->type, metrics_, reporter_);
  }
  if (state.first_words.empty()) return;
  metric.series.Reslot(state.first_words, true, false);
  for (std::size_t i = 0; i < state.first_words.size(); ++i) {
    const CounterKey now = state.first_keys[i];
    const CounterKey before = metric.series.keys()[i];
    if (now >= before) continue;
    archive::Location where = Behind(records_before, state.first_set_at);
    where.offset += 8 * i;
    const auto* word = reinterpret_cast<const std::uint8_t*>(&state.first_words[i]);
    ReportDecrease(where, state.pmid, LoadI32(word), now, before, state.descriptor->type, metrics_,
                   reporter_);
  }
}

void ValueTotals::Finish(bool complete) {
  // Sorted, since the order in a hash map depends on how the records were cut into stretches.
  const std::map<Pmid, const Metric*> sorted = [&] {
    std::map<Pmid, const Metric*> metrics;
    for (const auto& [pmid, metric] : totals_) metrics.emplace(pmid, &metric);
    return metrics;
  }();
  for (const auto& [pmid, metric] : sorted) {
    const Descriptor* descriptor = metrics_.Find(pmid);
    if (descriptor == nullptr) continue;
    const archive::Reporter::About about(reporter_, pmid);
    const std::string name = metrics_.Show(pmid);
    if (metric->first_value && metrics_.complete() && !descriptor->indom.IsNull() &&
        metrics_.FindDomain(descriptor->indom) == nullptr) {
      reporter_.Report("ARC-1807"_clause, metric->first_value_at, [&] {
        return Details{"inst", ToText(descriptor->indom), "",
                       "no record of the instance domain of " + name + " is in the archive"};
      });
    }
    if (!metric->first_value && complete) {
      const bool discrete = descriptor->semantics == Semantics::kDiscrete;
      reporter_.Report(discrete ? "ARC-1832"_clause : "ARC-1833"_clause,
                       {archive::kWholeArchive, 0, 0, 0}, [&] {
                         return Details{"numval", "", "> 0 in some record",
                                        name + " is in data records but never has a value"};
                       });
    }
  }
}

std::unordered_map<Pmid, MetricUsage> ValueTotals::Metrics() const {
  std::unordered_map<Pmid, MetricUsage> usage;
  for (const auto& [pmid, time] : event_parameters_) {
    MetricUsage& metric = usage[pmid];
    metric.first_use = time;
  }
  for (const auto& [pmid, metric] : totals_) {
    MetricUsage& entry = usage[pmid];
    entry.first_use = metric.first_use;
    entry.first_value = metric.first_value;
  }
  return usage;
}

}  // namespace pmproof::validator
