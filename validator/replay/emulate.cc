// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "reference/replay/emulation/explain.h"
#include "validator/replay/answer_source.h"

namespace pmproof::validator {
namespace {

namespace emulation = replay::emulation;

replay::FetchAnswer ToAnswer(const emulation::EmulatedFetch& fetch, bool ascending) {
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
    if (ascending) std::ranges::sort(to.values, {}, &replay::InstanceAnswer::instance);
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

class Emulated : public AnswerSource {
 public:
  Emulated(const replay::ReplayArchive& archive, EmulationRequest request, Times times)
      : archive_(archive), request_(std::move(request)), times_(std::move(times)) {
    all_.resize(request_.metrics.size());
    std::iota(all_.begin(), all_.end(), 0);
  }

  std::optional<Status> Read(const Sink& sink) override {
    const auto log = emulation::RecordLog::Load(archive_, request_.metrics, request_.memory);
    if (!log) return log.error();
    return request_.explain ? Explained(**log, sink) : Plain(**log, sink);
  }

 private:
  replay::CounterWrap wrap() const {
    return request_.counter_wrap ? replay::CounterWrap::kOn : replay::CounterWrap::kOff;
  }

  std::optional<Status> Plain(const emulation::RecordLog& log, const Sink& sink) {
    emulation::PcpContext context(log, request_.version, wrap());
    context.instances = request_.instances;
    bool first = true;
    while (true) {
      const std::vector<Timestamp> batch = times_.NextBatch();
      if (batch.empty()) return std::nullopt;
      for (const Timestamp time : batch) {
        if (first || times_.seeks()) context.SetMode(time, times_.delta());
        first = false;
        const emulation::EmulatedFetch fetch = context.Fetch(all_);
        if (auto end = EndOf(fetch)) return end;
        sink(ToAnswer(fetch, request_.ascending), {});
      }
    }
  }

  std::optional<Status> Explained(const emulation::RecordLog& log, const Sink& sink) {
    const std::size_t step_size =
        sizeof(emulation::ExplainedStep) + all_.size() * sizeof(std::size_t);
    if (times_.count() > request_.memory / step_size) {
      return Status{.kind = Status::Kind::kBudget,
                    .message = "the times do not fit the memory allowed"};
    }
    std::vector<emulation::ExplainedStep> steps;
    while (true) {
      const std::vector<Timestamp> batch = times_.NextBatch();
      if (batch.empty()) break;
      for (const Timestamp time : batch) {
        emulation::ExplainedStep& step = steps.emplace_back();
        if (steps.size() == 1 || times_.seeks()) step.seek = {time, times_.delta()};
        step.metrics = all_;
      }
    }
    std::optional<Status> end;
    const auto explained = [&](const emulation::ExplainedFetch& fetch) {
      if (!end) end = EndOf(fetch.emulated);
      if (!end) sink(ToAnswer(fetch.emulated, request_.ascending), NamesOf(fetch));
    };
    const emulation::ExplainRequest request{request_.version, wrap(), request_.instances,
                                            request_.memory};
    const auto error = emulation::Explain(archive_, log, request, steps, explained);
    return error ? error : end;
  }

  const replay::ReplayArchive& archive_;
  EmulationRequest request_;
  Times times_;
  std::vector<std::size_t> all_;
};

}  // namespace

std::unique_ptr<AnswerSource> EmulatedAnswers(const replay::ReplayArchive& archive,
                                              EmulationRequest request, Times times) {
  return std::make_unique<Emulated>(archive, std::move(request), std::move(times));
}

}  // namespace pmproof::validator
