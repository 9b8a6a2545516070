// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_REASONS_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_REASONS_H_

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// The reasons of a side, each once. Few are kept, whatever an implementation says: what comes after
// them is "another reason". A resource: Reasons point into it.
class Reasons {
 public:
  Reason Of(NotAnswered::Kind kind, std::string text) {
    NotAnswered reason{kind, std::move(text)};
    if (known_.size() >= kMost && !known_.contains(reason)) reason.text = "another reason";
    return &*known_.insert(std::move(reason)).first;
  }

 private:
  static constexpr std::size_t kMost = 50;
  std::set<NotAnswered> known_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_REASONS_H_
