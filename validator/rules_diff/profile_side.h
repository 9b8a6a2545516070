// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SIDE_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SIDE_H_

#include <utility>

#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// An interpolation rule of this program. Any Rule will do. A budget of memory that is too small
// makes it slower: the archive is walked more often.
class ProfileSide final : public Side {
 public:
  explicit ProfileSide(replay::Profile profile) : profile_(std::move(profile)) {}

  const replay::Profile* profile() const override { return &profile_; }
  bool bounded() const override { return false; }
  std::optional<Status> Answer(const SideTask& task, std::span<const SideRequest> requests,
                               const SideSink& sink) override;
  std::optional<Status> AnswerPoints(const SideTask& task, std::span<const PointsRequest> requests,
                                     const PointSink& sink) override;

 private:
  replay::Profile profile_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_PROFILE_SIDE_H_
