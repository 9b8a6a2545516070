// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_OFFENCES_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_OFFENCES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

// What a check that looks at many things saw that is wrong: all are counted, and as many are kept
// as there is room for. Two of which the same is said are one. A value.
class Offences {
 public:
  static constexpr std::size_t kMost = 1000;                         // that are kept
  static constexpr std::size_t kMostBytes = std::size_t{256} << 10;  // of those after the first

  // False: there was the same before.
  bool Add(std::string because) {
    if (!seen_.insert(std::hash<std::string>()(because)).second) return false;
    ++count_;
    if (count_ == 1) {
      first_ = std::move(because);
    } else if (1 + further_.size() < kMost && bytes_ + because.size() <= kMostBytes) {
      bytes_ += because.size();
      further_.push_back(std::move(because));
    }
    return true;
  }

  // All of a failure.
  bool Add(const Verdict& failure) {
    const bool added = Add(failure.because);
    for (const std::string& because : failure.further) Add(because);
    if (added) count_ += failure.offences - 1 - failure.further.size();
    return added;
  }

  bool any() const { return count_ > 0; }
  std::uint64_t count() const { return count_; }

  // The failure that they are; where there are none, the other verdict.
  Verdict Or(Verdict otherwise) const {
    if (!any()) return otherwise;
    return {.outcome = Outcome::kFail, .because = first_, .offences = count_, .further = further_};
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_{};
  std::vector<std::string> further_{};
  std::size_t bytes_ = 0;  // of `further_`
  std::unordered_set<std::size_t> seen_{};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_OFFENCES_H_
