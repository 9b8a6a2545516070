// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/fetch_script.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/replay/suppression.h"

namespace pmproof::replay {
namespace {

// The relative times of all marks.
class MarkTimes final : public RecordVisitor {
 public:
  std::vector<double> times;

  bool OnRecord(const archive::DataRecord&, const Moment&, const RecordPlace&) override {
    return true;
  }
  bool OnMark(const Moment& moment, const RecordPlace&) override {
    times.push_back(moment.at);
    return true;
  }
  bool OnDamage(const Moment&, const Status&) override { return true; }
};

// For each metric whether INT-706 is about it.
std::vector<bool> Suppressible(const ReplayArchive& archive, const std::vector<Pmid>& metrics) {
  std::vector<bool> suppressible;
  for (const Pmid pmid : metrics) {
    const auto known = archive.metrics().find(pmid);
    suppressible.push_back(known != archive.metrics().end() &&
                           known->second.descriptor.semantics == Semantics::kCounter &&
                           IsNumeric(known->second.descriptor.type));
  }
  return suppressible;
}

}  // namespace

std::optional<Status> FetchScript(const ReplayArchive& archive, ReplayRequest request,
                                  const Profile& profile, std::span<const ScriptedFetch> script,
                                  const AnswerSink& sink) {
  const std::vector<bool> suppressible = Suppressible(archive, request.metrics);
  MarkTimes marks;
  const bool goes_on = std::ranges::any_of(script, [](const auto& fetch) { return !fetch.seeks; });
  if (goes_on && std::ranges::find(suppressible, true) != suppressible.end()) {
    if (auto error = archive.Walk(MarksOf(request, *profile), marks)) return error;
    std::ranges::sort(marks.times);
  }
  std::vector<Timestamp> times;
  for (const ScriptedFetch& fetch : script) times.push_back(fetch.time);

  Suppression suppression(request.metrics.size());
  request.seeks = true;  // all values, whatever was fetched before
  ReplayContext context(archive, std::move(request), profile);
  const ScriptedFetch* fetch = script.data();
  return context.Fetch(times, [&](const FetchAnswer& all) {
    if (fetch->seeks) suppression.Forget();
    FetchAnswer answer{all.time, all.status, {}};
    if (all.status == ErrorCode::kOk) {
      const double t = archive.origin().Relative(fetch->time);
      for (const std::size_t i : fetch->metrics) {
        MetricAnswer& metric = answer.metrics.emplace_back(all.metrics[i]);
        if (suppressible[i] && suppression.Suppresses(i, t, marks.times)) metric.values.clear();
      }
      for (std::size_t i = 0; i < answer.metrics.size(); ++i) {
        suppression.Note(fetch->metrics[i], !answer.metrics[i].values.empty());
      }
      suppression.NoteFetch(t);
    }
    ++fetch;
    sink(answer);
  });
}

}  // namespace pmproof::replay
