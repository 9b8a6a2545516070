#ifndef PMPROOF_REFERENCE_REPLAY_EXAMPLES_NEAREST_WITHIN_H_
#define PMPROOF_REFERENCE_REPLAY_EXAMPLES_NEAREST_WITHIN_H_

#include <algorithm>
#include <string_view>

#include "reference/replay/profiles.h"

// A rule of one's own, as docs/commands/rules.md shows it.

namespace pmproof::replay {

// The closest of two observations, but none that is further away than `seconds`. Counters as in
// PCP.
class NearestWithin final : public PcpLegacy {
 public:
  explicit NearestWithin(double seconds) : seconds_(seconds) {}
  std::string_view name() const override { return "nearest-within"; }
  std::string_view summary() const override { return "The closest observation, if it is near."; }

 protected:
  Answer Choose(const Bounds& bounds, const Question& question) const override {
    const double back = question.t - bounds.prior.moment.at;
    const double ahead = bounds.next.moment.at - question.t;
    if (std::min(back, ahead) > seconds_) return {};
    const Value& nearest = back <= ahead ? bounds.prior.value : bounds.next.value;
    return {Answer::Kind::kValue, nearest, "INT-503"_clause};
  }

 private:
  double seconds_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_EXAMPLES_NEAREST_WITHIN_H_
