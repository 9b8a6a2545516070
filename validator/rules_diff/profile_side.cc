// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/profile_side.h"

#include <algorithm>
#include <map>

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::MetricAnswer;

// Times are asked for so many at once.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 20;

}  // namespace

std::optional<Status> ProfileSide::Answer(const SideTask& task,
                                          std::span<const SideRequest> requests,
                                          const SideSink& sink) {
  bool wanted = true;
  for (const SideRequest& asked : requests) {
    replay::ReplayRequest request;
    for (std::size_t i = asked.first; i < asked.last; ++i) {
      request.metrics.push_back(task.metrics[i].descriptor.pmid);
    }
    request.reasons = true;
    request.memory = task.memory;
    replay::ReplayContext context(task.archive, std::move(request), profile_);
    for (std::uint64_t done = 0; done < asked.count && wanted;) {
      std::vector<Timestamp> times(std::min(kBatch, asked.count - done));
      for (Timestamp& time : times) time = asked.TimeOf(done++);
      const auto take = [&](const FetchAnswer& answer) { wanted = wanted && sink(answer, {}); };
      if (std::optional<Status> error = context.Fetch(times, take)) return error;
    }
  }
  return std::nullopt;
}

std::optional<Status> ProfileSide::AnswerPoints(const SideTask& task,
                                                std::span<const PointsRequest> requests,
                                                const PointSink& sink) {
  replay::ReplayRequest request;
  request.seeks = true;
  request.reasons = true;
  request.memory = task.memory;
  // Who wants a time, and as which of his times.
  std::map<Timestamp, std::vector<std::pair<std::size_t, std::size_t>>> wishes;
  for (std::size_t of = 0; of < requests.size(); ++of) {
    const SeriesName& name = requests[of].name;
    const std::int32_t instance[] = {name.instance};
    if (std::ranges::count(request.metrics, name.descriptor.pmid) == 0) {
      request.metrics.push_back(name.descriptor.pmid);
    }
    if (!name.descriptor.indom.IsNull()) request.instances.Add(name.descriptor.indom, instance);
    for (std::size_t at = 0; at < requests[of].times.size(); ++at) {
      wishes[requests[of].times[at]].emplace_back(of, at);
    }
  }
  if (wishes.empty()) return std::nullopt;
  std::vector<Timestamp> times;
  for (const auto& [time, wanted] : wishes) times.push_back(time);
  replay::ReplayContext context(task.archive, std::move(request), profile_);
  auto next = wishes.begin();
  return context.Fetch(times, [&](const FetchAnswer& fetch) {
    for (const auto& [of, at] : next->second) {
      const Pmid pmid = requests[of].name.descriptor.pmid;
      const auto metric = std::ranges::find(fetch.metrics, pmid, &MetricAnswer::pmid);
      sink(of, at, metric == fetch.metrics.end() ? nullptr : &*metric);
    }
    ++next;
  });
}

}  // namespace pmproof::validator
