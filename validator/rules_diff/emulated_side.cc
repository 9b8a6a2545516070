// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/emulated_side.h"

#include <algorithm>
#include <utility>

#include "validator/replay/answer_source.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;

}  // namespace

std::optional<Status> EmulatedSide::Answer(const SideTask& task,
                                           std::span<const SideRequest> requests,
                                           const SideSink& sink) {
  bool wanted = true;
  for (const SideRequest& asked : requests) {
    if (!wanted) break;
    EmulationRequest request;
    for (std::size_t i = asked.first; i < asked.last; ++i) {
      request.metrics.push_back(task.metrics[i].descriptor.pmid);
    }
    request.version = version_;
    request.counter_wrap = counter_wrap_;
    request.ascending = true;
    request.memory = task.memory;
    std::uint64_t done = 0;
    const Times times(asked.start, asked.Step(), asked.count, /*normalised=*/true);
    const auto error = EmulatedAnswers(task.archive, std::move(request), times)
                           ->Read([&](const FetchAnswer& answer, const Deviations&) {
                             wanted = wanted && sink(answer, {});
                             ++done;
                           });
    if (!error) continue;
    if (error->kind != Status::Kind::kUnsupported) return error;
    const std::vector<Reason> reasons(asked.last - asked.first,
                                      reasons_.Of(NotAnswered::Kind::kSkip, error->ToText()));
    FetchAnswer answer;
    for (; done < asked.count && wanted; ++done) {
      answer.time = asked.TimeOf(done);
      wanted = sink(answer, reasons);
    }
  }
  return std::nullopt;
}

std::optional<Status> EmulatedSide::AnswerPoints(const SideTask& task,
                                                 std::span<const PointsRequest> requests,
                                                 const PointSink& sink) {
  for (std::size_t of = 0; of < requests.size(); ++of) {
    const SeriesName& name = requests[of].name;
    const std::int32_t instance[] = {name.instance};
    EmulationRequest request;
    request.metrics = {name.descriptor.pmid};
    if (!name.descriptor.indom.IsNull()) request.instances.Add(name.descriptor.indom, instance);
    request.version = version_;
    request.counter_wrap = counter_wrap_;
    request.ascending = true;
    request.memory = task.memory;
    std::size_t done = 0;
    const auto error =
        EmulatedAnswers(task.archive, std::move(request), Times(requests[of].times))
            ->Read([&](const FetchAnswer& answer, const Deviations&) {
              sink(of, done++, answer.metrics.empty() ? nullptr : &answer.metrics[0]);
            });
    if (error && error->kind != Status::Kind::kUnsupported) return error;
    for (; done < requests[of].times.size(); ++done) sink(of, done, nullptr);
  }
  return std::nullopt;
}

}  // namespace pmproof::validator
