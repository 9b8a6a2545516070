// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/difference_log.h"

#include <algorithm>
#include <cmath>

#include "reference/replay/instance_names.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::InstanceAnswer;
using replay::MetricAnswer;

constexpr std::size_t kOfEachKind = 2;

std::uint64_t KeyOf(std::size_t metric, std::int32_t instance) {
  return std::uint64_t{metric} << 32 | static_cast<std::uint32_t>(instance);
}

const replay::Bounds* BoundsOf(const Reply& reply) {
  return reply.value != nullptr && reply.value->bounds ? &*reply.value->bounds : nullptr;
}

const replay::Rule* RuleOf(const Side& side) {
  return side.profile() == nullptr ? nullptr : &**side.profile();
}

Reason ReasonAt(std::span<const Reason> reasons, std::size_t i) {
  return i < reasons.size() ? reasons[i] : nullptr;
}

std::map<NotAnswered, std::uint64_t> Counted(const std::map<Reason, std::uint64_t>& counts) {
  std::map<NotAnswered, std::uint64_t> counted;
  for (const auto& [reason, count] : counts) counted[*reason] += count;
  return counted;
}

}  // namespace

DifferenceLog::DifferenceLog(const replay::ReplayArchive& archive, const Side& baseline,
                             const Side& candidate, std::span<ComparedMetric> metrics,
                             std::int64_t interval)
    : archive_(archive),
      baseline_(RuleOf(baseline)),
      candidate_(RuleOf(candidate)),
      textual_(baseline.textual() || candidate.textual()),
      metrics_(metrics),
      interval_(interval) {}

void DifferenceLog::Compare(const Fetched& baseline, const Fetched& candidate, std::size_t first) {
  const Timestamp time = candidate.answer.time.Normalised();
  const std::size_t count = std::max({baseline.answer.metrics.size(), baseline.reasons.size(),
                                      candidate.answer.metrics.size(), candidate.reasons.size()});
  for (std::size_t i = 0; i < count; ++i) {
    const Reason of_baseline = ReasonAt(baseline.reasons, i);
    const Reason of_candidate = ReasonAt(candidate.reasons, i);
    if (of_baseline != nullptr) ++baseline_unanswered_[of_baseline];
    if (of_candidate != nullptr) ++candidate_unanswered_[of_candidate];
    if (of_baseline != nullptr || of_candidate != nullptr) continue;
    // Outside of the archive (INT-206) there are no metrics at all.
    const auto of = [i](const FetchAnswer& fetch) -> const MetricAnswer& {
      static const MetricAnswer kOutside{{}, ErrorCode::kEndOfLog, {}, {}};
      return fetch.status == ErrorCode::kOk ? fetch.metrics[i] : kOutside;
    };
    CompareMetric(of(baseline.answer), of(candidate.answer), first + i, time);
  }
}

void DifferenceLog::CompareMetric(const MetricAnswer& baseline, const MetricAnswer& candidate,
                                  std::size_t metric, Timestamp time) {
  const auto outside = [](const MetricAnswer& answer) {
    return answer.status == ErrorCode::kEndOfLog;
  };
  const bool error_alone = (baseline.status != ErrorCode::kOk && !outside(baseline)) ||
                           (candidate.status != ErrorCode::kOk && !outside(candidate));
  if (error_alone) {  // it stands for all instances
    ++metrics_[metric].tally.compared;
    if (baseline.status == candidate.status) return;
    const auto reply = [](const MetricAnswer& answer) {
      const bool value = answer.status == ErrorCode::kOk && !answer.values.empty();
      return Reply{value ? &answer.values.front() : nullptr, answer.status};
    };
    Note(Difference::kError, reply(baseline), reply(candidate), {time, metric, kInstanceNull});
    return;
  }
  auto a = baseline.values.begin();
  auto b = candidate.values.begin();
  while (a != baseline.values.end() || b != candidate.values.end()) {
    const bool takes_a =
        a != baseline.values.end() && (b == candidate.values.end() || a->instance <= b->instance);
    const bool takes_b =
        b != candidate.values.end() && (a == baseline.values.end() || b->instance <= a->instance);
    const std::int32_t instance = takes_a ? a->instance : b->instance;
    const Reply of_a{takes_a ? &*a : nullptr, baseline.status};
    const Reply of_b{takes_b ? &*b : nullptr, candidate.status};
    CompareReplies(of_a, of_b, {time, metric, instance});
    if (takes_a) ++a;
    if (takes_b) ++b;
  }
}

// What has been a text is not known in more detail than that says.
bool DifferenceLog::AreSame(const Value& a, const Value& b) const {
  if (SameContent(a, b)) return true;
  return textual_ && !IsInteger(a.type) && ValueText(a) == ValueText(b);
}

void DifferenceLog::CompareReplies(const Reply& baseline, const Reply& candidate,
                                   const Place& place) {
  ++metrics_[place.metric].tally.compared;
  if (baseline.value == nullptr) {
    Note(Difference::kCandidateOnly, baseline, candidate, place);
  } else if (candidate.value == nullptr) {
    Note(Difference::kBaselineOnly, baseline, candidate, place);
  } else if (!AreSame(baseline.value->value, candidate.value->value)) {
    const bool number = IsNumeric(metrics_[place.metric].descriptor.type);
    Note(number ? Difference::kNumber : Difference::kContent, baseline, candidate, place);
  }
}

void DifferenceLog::Note(Difference difference, const Reply& baseline, const Reply& candidate,
                         const Place& place) {
  if (explanation_) {
    const bool whole = difference == Difference::kError;
    const std::string by = explanation_(
        place.metric, whole ? std::nullopt : std::optional(place.instance), baseline, candidate);
    if (!by.empty()) {
      ++explained_[by];
      return;
    }
  }
  ComparedMetric& metric = metrics_[place.metric];
  std::optional<Distance> distance;
  if (difference == Difference::kNumber) {
    distance = DistanceOf(baseline.value->value, candidate.value->value);
  }
  metric.tally.Add(difference, distance);
  const replay::Question question{place.time, archive_.origin().Relative(place.time),
                                  metric.descriptor.type, metric.descriptor.semantics};
  const Kind kind{question.semantics, question.type, difference,
                  WhyOf(baseline, baseline_, BoundsOf(candidate), question),
                  WhyOf(candidate, candidate_, BoundsOf(baseline), question)};
  ++clauses_[{std::get<3>(kind), std::get<4>(kind)}];
  NoteExample(kind, baseline, candidate, place);
  const replay::Bounds* bounds = BoundsOf(candidate);
  NoteSeries(distance, bounds != nullptr ? bounds : BoundsOf(baseline), place);
}

void DifferenceLog::NoteExample(const Kind& kind, const Reply& baseline, const Reply& candidate,
                                const Place& place) {
  std::vector<Found>& found = examples_[kind];
  if (found.size() == kOfEachKind && !(place < found.back().place)) return;
  const auto at = std::ranges::upper_bound(found, place, {}, &Found::place);
  found.insert(
      at, {place, Describe(baseline, std::get<3>(kind)), Describe(candidate, std::get<4>(kind))});
  if (found.size() > kOfEachKind) found.pop_back();
}

void DifferenceLog::NoteSeries(const std::optional<Distance>& distance,
                               const replay::Bounds* bounds, const Place& place) {
  Series& series = series_[KeyOf(place.metric, place.instance)];
  const double weight = distance ? static_cast<double>(std::min(1.0L, distance->relative)) : 1;
  ++series.differing;
  series.weight += weight;
  if (distance) {
    series.measured = true;
    series.largest.absolute = std::max(series.largest.absolute, distance->absolute);
    series.largest.relative = std::max(series.largest.relative, distance->relative);
  }
  const Distance here = distance.value_or(Distance{0, 1});
  const bool first = series.differing == 1;
  const bool farther = here.relative != series.farthest.relative
                           ? here.relative > series.farthest.relative
                           : here.absolute > series.farthest.absolute;
  if (!first && !farther) return;
  series.farthest = here;
  series.worst = place.time;
  series.from = place.time + -interval_;
  series.to = place.time + interval_;
  if (bounds == nullptr) return;
  constexpr auto kNothing = replay::Bound::Kind::kNone;
  if (bounds->prior.kind != kNothing && bounds->prior.moment.time < place.time) {
    series.from = bounds->prior.moment.time.Normalised();
  }
  if (bounds->next.kind != kNothing && bounds->next.moment.time > place.time) {
    series.to = bounds->next.moment.time.Normalised();
  }
}

SeriesName DifferenceLog::NameOf(std::size_t metric, std::int32_t instance, Timestamp time) const {
  const ComparedMetric& of = metrics_[metric];
  SeriesName name{of.descriptor, of.name, instance, {}};
  const replay::ReplayDomain* domain = archive_.DomainOf(of.descriptor.indom);
  if (instance != kInstanceNull && domain != nullptr) {
    name.instance_name = replay::InstanceNames(*domain).At(instance, time);
  }
  return name;
}

void DifferenceLog::Summarise(std::size_t examples, std::size_t most,
                              Comparison* comparison) const {
  for (const ComparedMetric& metric : metrics_) {
    comparison->total += metric.tally;
    if (metric.tally.compared == 0) continue;
    Group& group = comparison->groups[{metric.descriptor.semantics, metric.descriptor.type}];
    ++group.metrics;
    group.differing_metrics += metric.tally.Differing() > 0 ? 1 : 0;
    group.tally += metric.tally;
  }
  comparison->clauses = clauses_;
  comparison->explained = explained_;
  comparison->baseline_unanswered = Counted(baseline_unanswered_);
  comparison->candidate_unanswered = Counted(candidate_unanswered_);

  std::vector<std::pair<Place, std::pair<Difference, const Found*>>> first;
  for (std::size_t nth = 0; nth < kOfEachKind; ++nth) {
    std::vector<std::pair<Place, std::pair<Difference, const Found*>>> row;
    for (const auto& [kind, found] : examples_) {
      if (nth < found.size()) row.push_back({found[nth].place, {std::get<2>(kind), &found[nth]}});
    }
    std::ranges::sort(row);
    first.insert(first.end(), row.begin(), row.end());
  }
  comparison->more_examples = first.size() - std::min(first.size(), examples);
  first.resize(first.size() - comparison->more_examples);
  std::ranges::sort(first);
  for (const auto& [place, what] : first) {
    comparison->examples.push_back({place.time, NameOf(place.metric, place.instance, place.time),
                                    what.first, what.second->baseline, what.second->candidate});
  }

  comparison->differing_series = series_.size();
  std::vector<std::pair<double, std::uint64_t>> order;
  for (const auto& [key, series] : series_) order.emplace_back(-series.weight, key);
  const std::size_t kept = std::min(most, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept));
  order.resize(kept);
  for (const auto& [weight, key] : order) {
    const Series& series = series_.at(key);
    DifferingSeries& to = comparison->most.emplace_back();
    to.name = NameOf(key >> 32, static_cast<std::int32_t>(key & 0xffffffff), series.worst);
    to.differing = series.differing;
    to.weight = series.weight;
    to.measured = series.measured;
    to.largest = series.largest;
    to.worst = series.worst;
    to.from = series.from;
    to.to = series.to;
  }
}

}  // namespace pmproof::validator
