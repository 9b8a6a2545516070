// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_PLAN_QUESTION_H_
#define PMPROOF_VALIDATOR_BISECT_PLAN_QUESTION_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/replay/testing/plan.h"
#include "validator/bisect/question.h"

namespace pmproof::validator {

// The start of all generated archives, in seconds: PCP takes no times around 0.
inline constexpr std::int64_t kGeneratedStart = 1'700'000'000;

// Seconds from the start of the archive, as a time and as a step.
Timestamp GeneratedTime(double seconds);
replay::Delta StepOf(double seconds);

// A question about the metrics 29.0.ITEM of a plan, which starts at 0 and is moved to
// kGeneratedStart. Nothing where the archive is not modelled.
class PlanQuestion {
 public:
  PlanQuestion(const replay::testing::Plan& plan, const std::vector<std::uint32_t>& items);

  // pmSetMode before the next fetch.
  PlanQuestion& From(double start, double step);
  // Of all metrics.
  PlanQuestion& Fetch(int count = 1);
  // Of these, by their place among the items.
  PlanQuestion& FetchOf(std::vector<std::size_t> metrics);

  std::optional<Question> Done();

 private:
  Question question_;
  std::vector<std::size_t> all_;
  std::optional<replay::emulation::ExplainedStep::Seek> seek_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_PLAN_QUESTION_H_
