#include "validator/replay/emulate.h"

#include <numeric>
#include <utility>
#include <vector>

#include "reference/replay/emulation/explain.h"

namespace pmproof::validator {
namespace {

namespace emulation = replay::emulation;

replay::FetchAnswer ToAnswer(const emulation::EmulatedFetch& fetch) {
  replay::FetchAnswer answer{fetch.time, fetch.status, {}};
  for (const emulation::EmulatedMetric& metric : fetch.metrics) {
    replay::MetricAnswer& to = answer.metrics.emplace_back();
    to.pmid = metric.pmid;
    if (metric.numval < 0) {
      to.status = static_cast<ErrorCode>(metric.numval);
      to.message = "what PCP answers";
    }
    for (const emulation::EmulatedValue& value : metric.values) {
      to.values.push_back({value.instance, value.value, "INT-1406"_clause, std::nullopt});
    }
  }
  return answer;
}

Deviations NamesOf(const emulation::ExplainedFetch& fetch) {
  Deviations names;
  for (const auto& differences : fetch.differences) {
    std::vector<DeviatingValue>& metric = names.emplace_back();
    for (const emulation::Difference& difference : differences) {
      DeviatingValue& value = metric.emplace_back(DeviatingValue{difference.instance, {}});
      for (const emulation::Deviation by : difference.by) value.by.push_back(ToText(by));
    }
  }
  return names;
}

// From here on nothing is known of PCP.
std::optional<Status> EndOf(const emulation::EmulatedFetch& fetch) {
  if (!fetch.undefined) return std::nullopt;
  return Status{.kind = Status::Kind::kUnsupported,
                .message = "at " + ToIsoText(fetch.time.Normalised()) +
                           " PCP may crash or answer anything from here on (" +
                           ToText(*fetch.undefined) + ")"};
}

class Emulation {
 public:
  Emulation(const replay::ReplayArchive& archive, const emulation::RecordLog& log,
            std::size_t metrics, const EmulationOptions& options, const EmulatedSink& sink)
      : archive_(archive), log_(log), options_(options), sink_(sink), all_(metrics) {
    std::iota(all_.begin(), all_.end(), 0);
    request_ = {options.version,
                options.counter_wrap ? replay::CounterWrap::kOn : replay::CounterWrap::kOff,
                options.instances, options.memory};
  }

  std::optional<Status> Plain(Times times) const {
    emulation::PcpContext context(log_, request_.version, request_.wrap);
    context.instances = request_.instances;
    bool first = true;
    while (true) {
      const std::vector<Timestamp> batch = times.NextBatch();
      if (batch.empty()) return std::nullopt;
      for (const Timestamp time : batch) {
        if (first || times.seeks()) context.SetMode(time, times.delta());
        first = false;
        const emulation::EmulatedFetch fetch = context.Fetch(all_);
        if (auto end = EndOf(fetch)) return end;
        sink_(ToAnswer(fetch), {});
      }
    }
  }

  std::optional<Status> Explained(Times times) const {
    const std::size_t step_size =
        sizeof(emulation::ExplainedStep) + all_.size() * sizeof(std::size_t);
    if (times.count() > options_.memory / step_size) {
      return Status{.kind = Status::Kind::kBudget,
                    .message = "the times do not fit the memory allowed"};
    }
    std::vector<emulation::ExplainedStep> steps;
    while (true) {
      const std::vector<Timestamp> batch = times.NextBatch();
      if (batch.empty()) break;
      for (const Timestamp time : batch) {
        emulation::ExplainedStep& step = steps.emplace_back();
        if (steps.size() == 1 || times.seeks()) step.seek = {time, times.delta()};
        step.metrics = all_;
      }
    }
    std::optional<Status> end;
    const auto sink = [&](const emulation::ExplainedFetch& fetch) {
      if (!end) end = EndOf(fetch.emulated);
      if (!end) sink_(ToAnswer(fetch.emulated), NamesOf(fetch));
    };
    const auto error = emulation::Explain(archive_, log_, request_, steps, sink);
    return error ? error : end;
  }

 private:
  const replay::ReplayArchive& archive_;
  const emulation::RecordLog& log_;
  const EmulationOptions& options_;
  const EmulatedSink& sink_;
  std::vector<std::size_t> all_;
  emulation::ExplainRequest request_;
};

}  // namespace

std::optional<Status> Emulate(const replay::ReplayArchive& archive, std::span<const Pmid> metrics,
                              const EmulationOptions& options, Times times,
                              const EmulatedSink& sink) {
  const auto log = emulation::RecordLog::Load(archive, metrics, options.memory);
  if (!log) return log.error();
  const Emulation emulation(archive, **log, metrics.size(), options, sink);
  return options.explain ? emulation.Explained(std::move(times))
                         : emulation.Plain(std::move(times));
}

}  // namespace pmproof::validator
