// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_TESTEE_SIDE_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_TESTEE_SIDE_H_

#include <string>
#include <utility>

#include "validator/rules_diff/reasons.h"
#include "validator/rules_diff/side.h"
#include "validator/testee/client/adapter.h"
#include "validator/testee/client/interp_reply.h"

namespace pmproof::validator {

// An implementation behind an adapter: asked by replay.interp, a request after the other. The next
// one is sent before an answer is read, so that the adapter never waits for this program. What is
// not answered is asked again in halves, down to single metrics, so that each metric has its own
// reason; an adapter that died, kept silent or broke the protocol three times in a row is given up.
class TesteeSide final : public Side {
 public:
  TesteeSide(Adapter adapter, bool counter_wrap)
      : adapter_(std::move(adapter)), counter_wrap_(counter_wrap) {}

  bool textual() const override { return true; }
  std::optional<Status> Answer(const SideTask& task, std::span<const SideRequest> requests,
                               const SideSink& sink) override;
  std::optional<Status> AnswerPoints(const SideTask& task, std::span<const PointsRequest> requests,
                                     const PointSink& sink) override;

 private:
  class Work;

  Adapter adapter_;
  bool counter_wrap_;
  Reasons reasons_;
  std::uint64_t seq_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_TESTEE_SIDE_H_
