// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/explain.h"

#include <algorithm>
#include <list>
#include <utility>

#include "reference/replay/emulation/ambiguity.h"
#include "reference/replay/profiles.h"

namespace pmproof::replay::emulation {
namespace {

// The deviations that can be mended, in the order in which they are tried: those that need the most
// special circumstances first.
constexpr Deviation kMendable[] = {
    Deviation::kCountedError,      Deviation::kValueOfAMark,
    Deviation::kStaleNextBound,    Deviation::kOpaqueOfBefore,
    Deviation::kSizeOfOpenVolume,  Deviation::kMarksUnseenInPlacing,
    Deviation::kMarksOfOneRequest, Deviation::kSuppressionByWhatIsMet,
    Deviation::kLivesInTheSearch,  Deviation::kKeptBounds,
    Deviation::kRecordsOfOneTime,  Deviation::kIndexLeadsPast,
};

// One emulation that plays the script, as far as it is asked for.
class Player {
 public:
  Player(const RecordLog& log, const ExplainRequest& request, std::span<const ExplainedStep> script,
         Mends mends)
      : context_(log, request.version, request.wrap, mends), script_(script) {
    context_.instances = request.instances;
  }

  // `step` does not go back.
  const EmulatedFetch& At(std::size_t step) {
    for (; done_ <= step; ++done_) {
      const ExplainedStep& next = script_[done_];
      if (next.seek) context_.SetMode(next.seek->time, next.seek->delta);
      fetch_ = context_.Fetch(next.metrics);
      sorted_.assign(fetch_.metrics.size(), {});
    }
    return fetch_;
  }

  // Null if it has no value.
  const EmulatedValue* Find(std::size_t step, std::size_t place, std::int32_t instance) {
    const std::vector<EmulatedValue>& values = At(step).metrics[place].values;
    std::vector<const EmulatedValue*>& sorted = sorted_[place];
    if (sorted.size() != values.size()) {
      for (const EmulatedValue& value : values) sorted.push_back(&value);
      std::ranges::sort(sorted, {}, &EmulatedValue::instance);
    }
    const auto found = std::ranges::lower_bound(sorted, instance, {}, &EmulatedValue::instance);
    return found == sorted.end() || (*found)->instance != instance ? nullptr : *found;
  }

 private:
  PcpContext context_;
  std::span<const ExplainedStep> script_;
  std::size_t done_ = 0;
  EmulatedFetch fetch_;
  std::vector<std::vector<const EmulatedValue*>> sorted_;  // of each metric, by instance
};

const Value* FindValue(const MetricAnswer& reference, std::int32_t instance) {
  const auto found =
      std::ranges::lower_bound(reference.values, instance, {}, &InstanceAnswer::instance);
  const bool there = found != reference.values.end() && found->instance == instance;
  return there ? &found->value : nullptr;
}

bool SameStatus(const EmulatedMetric& emulated, const MetricAnswer& reference) {
  const auto status = static_cast<std::int32_t>(reference.status);
  return emulated.numval < 0 ? emulated.numval == status : reference.status == ErrorCode::kOk;
}

bool SameValue(const EmulatedValue* emulated, const Value* reference) {
  if (emulated == nullptr || reference == nullptr) {
    return (emulated == nullptr) == (reference == nullptr);
  }
  return emulated->value == *reference;
}

bool SameValues(const EmulatedMetric& emulated, const MetricAnswer& reference) {
  return emulated.values.size() == reference.values.size() &&
         std::ranges::all_of(emulated.values, [&](const EmulatedValue& value) {
           return SameValue(&value, FindValue(reference, value.instance));
         });
}

class Explainer {
 public:
  Explainer(const RecordLog& log, const ExplainRequest& request,
            std::span<const ExplainedStep> script, const ExplanationSink& sink)
      : log_(log),
        request_(request),
        script_(script),
        sink_(sink),
        plain_(log, request, script, request.mends),
        ambiguous_before_(log.metrics().size()) {}

  // The reference's answer to the step after the one before, in order.
  void Take(const FetchAnswer& answer) {
    const std::size_t step = step_++;
    ExplainedFetch explained{plain_.At(step), {}};
    explained.differences.resize(explained.emulated.metrics.size());
    if (answer.status == ErrorCode::kOk && !explained.emulated.undefined) {
      t_ = log_.origin().Relative(explained.emulated.time);
      for (std::size_t place = 0; place < answer.metrics.size(); ++place) {
        explained.differences[place] = Compare(step, place, answer.metrics[place]);
        NoteAmbiguity(script_[step].metrics[place], explained.differences[place]);
      }
    }
    sink_(explained);
  }

 private:
  using Played = std::pair<Mends, Player>;

  std::vector<Difference> Compare(std::size_t step, std::size_t place,
                                  const MetricAnswer& reference) {
    std::vector<Difference> differences;
    const EmulatedMetric& emulated = plain_.At(step).metrics[place];
    if (!SameStatus(emulated, reference)) {
      const auto right = [&](Player& mended) {
        return SameStatus(mended.At(step).metrics[place], reference);
      };
      differences.push_back({std::nullopt, NamesOf(Deviation::kNone, right)});
      return differences;
    }
    if (SameValues(emulated, reference)) return differences;
    const std::size_t metric = script_[step].metrics[place];
    const LoggedMetric& logged = log_.metrics()[metric];
    for (std::size_t i = 0; i < logged.instances.size(); ++i) {
      const std::int32_t instance = logged.instances[i];
      const EmulatedValue* value = plain_.Find(step, place, instance);
      const Value* expected = FindValue(reference, instance);
      if (SameValue(value, expected)) continue;
      const auto right = [&](Player& mended) {
        return SameValue(mended.Find(step, place, instance), expected);
      };
      std::vector<Deviation> by =
          NamesOf(value == nullptr ? Deviation::kNone : value->deviation, right);
      if (by.front() == Deviation::kUnexplained) by.front() = AmbiguityOf(metric, i);
      differences.push_back({instance, std::move(by)});
    }
    return differences;
  }

  void NoteAmbiguity(std::size_t metric, const std::vector<Difference>& differences) {
    ambiguous_before_[metric].reset();
    for (const Difference& difference : differences) {
      const Deviation last = difference.by.back();
      if (last >= Deviation::kTimesGoBack && last < Deviation::kUnexplained) {
        ambiguous_before_[metric] = last;
      }
    }
  }

  // The fewest deviations whose mending makes it `right`; `likely` is tried first.
  template <typename Predicate>
  std::vector<Deviation> NamesOf(Deviation likely, const Predicate& right) {
    const auto mends = [&](Mends what) { return right(PlayerOf(what)); };
    const Mends base = request_.mends;
    if (likely != Deviation::kNone && mends(base.With(likely))) return {likely};
    for (const Deviation deviation : kMendable) {
      if (deviation != likely && mends(base.With(deviation))) return {deviation};
    }
    for (const Deviation a : kMendable) {
      for (const Deviation b : kMendable) {
        if (a < b && mends(base.With(a).With(b))) return {a, b};
      }
    }
    return {Deviation::kUnexplained};
  }

  // Of a counter also that of the fetch before: whether that had a value decides on this one,
  // after a mark (INT-706).
  Deviation AmbiguityOf(std::size_t metric, std::size_t instance) {
    if (!ambiguities_) ambiguities_.emplace(log_);
    const auto now = ambiguities_->At(log_.metrics()[metric].first_cell + instance, t_);
    return now ? *now : ambiguous_before_[metric].value_or(Deviation::kUnexplained);
  }

  Player& PlayerOf(Mends mends) {
    const auto found = std::ranges::find(players_, mends, &Played::first);
    if (found != players_.end()) return found->second;
    return players_.emplace_back(mends, Player(log_, request_, script_, mends)).second;
  }

  const RecordLog& log_;
  const ExplainRequest& request_;
  std::span<const ExplainedStep> script_;
  const ExplanationSink& sink_;
  Player plain_;
  std::list<Played> players_;
  std::optional<Ambiguities> ambiguities_;
  std::vector<std::optional<Deviation>> ambiguous_before_;  // of each metric
  std::size_t step_ = 0;
  double t_ = 0;
};

}  // namespace

Profile ReferenceOf(archive::PcpVersion version, CounterWrap wrap) {
  if (version == archive::PcpVersion::k6_0_3) return PcpLegacy(wrap);
  return Pcp632(wrap);
}

std::vector<Deviation> DeviationsOf(std::span<const Difference> differences) {
  std::vector<Deviation> all;
  for (const Difference& difference : differences) {
    all.insert(all.end(), difference.by.begin(), difference.by.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<Status> Explain(const ReplayArchive& archive, const RecordLog& log,
                              const ExplainRequest& request, std::span<const ExplainedStep> script,
                              const ExplanationSink& sink) {
  ReplayRequest all;
  for (const LoggedMetric& metric : log.metrics()) all.metrics.push_back(metric.descriptor.pmid);
  all.instances = request.instances;
  all.memory = request.memory;
  std::vector<ScriptedFetch> fetches;
  Timestamp time;
  Delta delta;
  for (const ExplainedStep& step : script) {
    if (step.seek) {
      time = step.seek->time;
      delta = step.seek->delta;
    }
    fetches.push_back({time, step.seek.has_value(), step.metrics});
    time = Advance(time, delta, /*normalised=*/false);
  }
  Explainer explainer(log, request, script, sink);
  return FetchScript(archive, std::move(all), ReferenceOf(request.version, request.wrap), fetches,
                     [&](const FetchAnswer& answer) { explainer.Take(answer); });
}

}  // namespace pmproof::replay::emulation
