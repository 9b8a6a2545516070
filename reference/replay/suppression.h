// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_SUPPRESSION_H_
#define PMPROOF_REFERENCE_REPLAY_SUPPRESSION_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pmproof::replay {

// INT-706: what a context remembers of the fetches before, so that a counter is left out once
// after a mark. A value; metrics are numbered by whoever asks.
class Suppression {
 public:
  explicit Suppression(std::size_t metrics) : had_values_(metrics, false) {}

  // `marks`: relative times, ascending. True if the values of the metric, a counter of an
  // arithmetic type, are to be left out at `t`.
  bool Suppresses(std::size_t metric, double t, std::span<const double> marks) const {
    if (!previous_ || !had_values_[metric] || *previous_ == t) return false;
    if (*previous_ < t) {  // previous < mark <= t
      const auto mark = std::ranges::upper_bound(marks, *previous_);
      return mark != marks.end() && *mark <= t;
    }
    const auto mark = std::ranges::lower_bound(marks, t);  // t <= mark < previous
    return mark != marks.end() && *mark < *previous_;
  }

  // The metric was asked for and answered.
  void Note(std::size_t metric, bool has_values) { had_values_[metric] = has_values; }
  // A fetch succeeded, whatever it asked for.
  void NoteFetch(double t) { previous_ = t; }
  // pmSetMode.
  void Forget() {
    had_values_.assign(had_values_.size(), false);
    previous_.reset();
  }

 private:
  std::optional<double> previous_;
  std::vector<bool> had_values_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_SUPPRESSION_H_
