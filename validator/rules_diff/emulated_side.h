// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_EMULATED_SIDE_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_EMULATED_SIDE_H_

#include "reference/core/pcp_version.h"
#include "validator/rules_diff/reasons.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// A version of PCP as it is emulated, deviations included (section 14 of
// reference/spec/interpolation.md). What is not modelled is not answered.
class EmulatedSide final : public Side {
 public:
  EmulatedSide(PcpVersion version, bool counter_wrap)
      : version_(version), counter_wrap_(counter_wrap) {}

  std::optional<Status> Answer(const SideTask& task, std::span<const SideRequest> requests,
                               const SideSink& sink) override;
  std::optional<Status> AnswerPoints(const SideTask& task, std::span<const PointsRequest> requests,
                                     const PointSink& sink) override;

 private:
  PcpVersion version_;
  bool counter_wrap_;
  Reasons reasons_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_EMULATED_SIDE_H_
