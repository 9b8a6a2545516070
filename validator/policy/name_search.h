// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_NAME_SEARCH_H_
#define PMPROOF_VALIDATOR_POLICY_NAME_SEARCH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "validator/policy/glob.h"

namespace pmproof::validator::policy {

// Which of some patterns no name was like. Used for one archive.
class NameSearch {
 public:
  // `patterns` outlive this.
  explicit NameSearch(const std::vector<std::string>& patterns) : patterns_(patterns) {
    seen_.resize(patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (IsPattern(patterns[i])) {
        wild_.push_back(i);
      } else {
        exact_[patterns[i]].push_back(i);
      }
    }
  }

  void See(std::string_view name) {
    if (const auto found = exact_.find(name); found != exact_.end()) {
      for (const std::size_t i : found->second) seen_[i] = true;
      exact_.erase(found);
    }
    std::erase_if(wild_, [&](std::size_t i) {
      const bool matches = Matches(patterns_[i], name);
      if (matches) seen_[i] = true;
      return matches;
    });
  }

  // In the order of the patterns.
  std::vector<std::string> Missing() const {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) missing.push_back(patterns_[i]);
    }
    return missing;
  }

 private:
  const std::vector<std::string>& patterns_;
  std::vector<bool> seen_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> exact_;  // that are not seen yet
  std::vector<std::size_t> wild_;                                         // likewise
};

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_NAME_SEARCH_H_
