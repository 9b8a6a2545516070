// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/find_records.h"

#include <algorithm>
#include <vector>

#include "reference/replay/profiles.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

using replay::Bound;
using replay::InstanceAnswer;

void Frame(const replay::Bounds& bounds, DifferingSeries* series) {
  const auto is_there = [](const Bound& bound) { return bound.kind != Bound::Kind::kNone; };
  if (is_there(bounds.prior) && bounds.prior.moment.time < series->worst) {
    series->from = bounds.prior.moment.time.Normalised();
  }
  if (is_there(bounds.next) && bounds.next.moment.time > series->worst) {
    series->to = bounds.next.moment.time.Normalised();
  }
}

}  // namespace

std::optional<Status> FindRecords(const SideTask& task, Comparison* comparison) {
  std::vector<PointsRequest> requests;
  for (const Example& example : comparison->examples) {
    requests.push_back({example.series, {example.time}});
  }
  for (const DifferingSeries& series : comparison->most) {
    requests.push_back({series.name, {series.worst}});
  }
  const auto take = [&](std::size_t of, std::size_t, const replay::MetricAnswer* answer) {
    if (answer == nullptr) return;
    const auto value =
        std::ranges::find(answer->values, requests[of].name.instance, &InstanceAnswer::instance);
    if (value == answer->values.end() || !value->bounds) return;
    if (of >= comparison->examples.size()) {
      Frame(*value->bounds, &comparison->most[of - comparison->examples.size()]);
      return;
    }
    Example& example = comparison->examples[of];
    for (RuleAnswer* side : {&example.baseline, &example.candidate}) {
      if (side->kind == RuleAnswer::Kind::kValue) side->bounds = value->bounds;
    }
  };
  return ProfileSide(replay::Pcp632()).AnswerPoints(task, requests, take);
}

}  // namespace pmproof::validator
