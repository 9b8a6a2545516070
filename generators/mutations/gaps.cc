// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/gaps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pmproof::generators {
namespace {

constexpr std::int64_t kFactor = 10;
constexpr std::size_t kFewestIntervals = 3;  // fewer have no rhythm

// Goes through the records as a checker does: from a record with a time that cannot be its own,
// and from a mark, nothing is measured.
class Rhythm {
 public:
  explicit Rhythm(Timestamp start) : start_(start) {}

  void Add(const Moment& moment) {
    const bool passed_over = !moment.sound_time || moment.time.seconds < 0;
    if (moment.set_count == 0 || passed_over) {
      Break();
      return;
    }
    const bool goes_back = latest_ && moment.time < *latest_;
    const bool too_early = moment.time < start_;
    if (too_early || goes_back) {
      if (!too_early) TakeBack();
      Break();
      if (!(too_early && goes_back)) latest_ = moment.time;
      return;
    }
    latest_ = moment.time;
    last_distance_ = last_ ? NanosecondsBetween(*last_, moment.time) : 0;
    if (last_) distances_.push_back(last_distance_);
    last_ = moment.time;
    const auto [kind, fresh] =
        kinds_.try_emplace({moment.first_metric, moment.set_count}, moment.time);
    last_interval_ = fresh ? 0 : NanosecondsBetween(kind->second, moment.time);
    kind->second = moment.time;
    if (last_interval_ > 0) intervals_.push_back(last_interval_);
  }

  bool HasGap() {
    if (intervals_.size() < kFewestIntervals || distances_.empty()) return false;
    const auto median =
        intervals_.begin() + static_cast<std::ptrdiff_t>((intervals_.size() - 1) / 2);
    std::nth_element(intervals_.begin(), median, intervals_.end());
    return *std::max_element(distances_.begin(), distances_.end()) / kFactor >= *median;
  }

 private:
  void Break() {
    last_.reset();
    last_interval_ = 0;
    last_distance_ = 0;
    kinds_.clear();
  }

  // The record before may be the one whose time is wrong.
  void TakeBack() {
    if (last_interval_ > 0) intervals_.pop_back();
    if (last_distance_ > 0) distances_.pop_back();
  }

  const Timestamp start_;
  std::optional<Timestamp> latest_;  // the record that the next one is compared with
  std::optional<Timestamp> last_;    // the record before, if a distance can be measured from it
  std::int64_t last_interval_ = 0;
  std::int64_t last_distance_ = 0;
  std::map<std::pair<std::uint32_t, std::size_t>, Timestamp> kinds_;
  std::vector<std::int64_t> intervals_;
  std::vector<std::int64_t> distances_;
};

}  // namespace

Moment MomentOf(const archive::ResultModel& result) {
  return {result.time, result.sets.empty() ? 0 : result.sets.front().pmid.value, result.sets.size(),
          !result.fraction};
}

std::vector<Moment> MomentsOf(const ArchivePlan& plan) {
  std::vector<Moment> moments;
  for (const auto& [volume, results] : plan.volumes) {
    for (const archive::ResultModel& result : results) moments.push_back(MomentOf(result));
  }
  return moments;
}

bool HasGap(const std::vector<Moment>& moments, Timestamp start) {
  Rhythm rhythm(start);
  for (const Moment& moment : moments) rhythm.Add(moment);
  return rhythm.HasGap();
}

}  // namespace pmproof::generators
