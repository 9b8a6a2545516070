// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_SIDE_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_SIDE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/replay/context_clock.h"
#include "reference/replay/replay.h"
#include "reference/replay/replay_archive.h"
#include "reference/replay/rule.h"
#include "validator/rules_diff/comparison.h"

// One of the two that are compared: a rule, a version of PCP as it is emulated, or an
// implementation.

namespace pmproof::validator {

// A metric of a comparison, and what was found of it.
struct ComparedMetric {
  Descriptor descriptor;
  std::string name;  // its identifier if it has no name
  Tally tally;
};

// How many values a metric has at one time, at most.
std::size_t InstancesOf(const replay::ReplayArchive& archive, const Descriptor& descriptor);

// What a side is asked about. All of it outlives the call.
struct SideTask {
  const replay::ReplayArchive& archive;
  std::vector<std::string> paths;  // the archive's, or those of the set
  std::span<const ComparedMetric> metrics;
  std::size_t memory = 0;  // in bytes, for answers
};

// Fetches of one fresh context, in equal steps.
struct SideRequest {
  std::size_t first = 0;  // of SideTask::metrics; `last` is not among them
  std::size_t last = 0;
  Timestamp start;
  std::int64_t interval = 0;  // nanoseconds
  std::uint64_t count = 0;

  // From one fetch to the next, as pmSetMode has it.
  replay::Delta Step() const {
    return {interval / 1'000'000'000, static_cast<std::int32_t>(interval % 1'000'000'000)};
  }
  Timestamp TimeOf(std::uint64_t number) const {
    return start + static_cast<std::int64_t>(number) * interval;
  }
};

// Why a side has no answer. Belongs to the side.
using Reason = const NotAnswered*;

// The answer of one fetch; holds until the call returns. `reasons`: empty, or for each metric why
// it is not answered (null: it is). Returns false if nothing more is wanted.
using SideSink =
    std::function<bool(const replay::FetchAnswer& answer, std::span<const Reason> reasons)>;

// A metric-instance at times of its own, each of them a fetch that is set anew (pmSetMode).
struct PointsRequest {
  SeriesName name;
  std::vector<Timestamp> times;  // ascending
};

// What is answered to the time `times[at]` of `requests[of]`: null where the side answers nothing
// for a reason, or where the whole fetch is outside of the archive.
using PointSink =
    std::function<void(std::size_t of, std::size_t at, const replay::MetricAnswer* answer)>;

// A resource, used by one thread at a time. Errors are those after which no comparison is possible.
class Side {
 public:
  Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  virtual ~Side() = default;

  // The rule by which it answers, if it says so: then answers have clauses and bounds.
  virtual const replay::Profile* profile() const { return nullptr; }
  // Whether values went through a text: a NaN has lost its payload then.
  virtual bool textual() const { return false; }
  // Whether all answers of a request are kept at once, so that it has to be bounded.
  virtual bool bounded() const { return true; }

  // Answers the requests in their order, with as many fetches as each has.
  virtual std::optional<Status> Answer(const SideTask& task, std::span<const SideRequest> requests,
                                       const SideSink& sink) = 0;
  // Answers in whatever order.
  virtual std::optional<Status> AnswerPoints(const SideTask& task,
                                             std::span<const PointsRequest> requests,
                                             const PointSink& sink) = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_SIDE_H_
