// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate_filters.h"

#include <utility>

namespace pmproof::derived {

void InstanceFilter::Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
                          std::vector<Pair>* result) {
  result->clear();
  // DER-1115; the name is looked up only where there is something to filter.
  if (indom.IsNull() || pairs.empty()) return;
  if (!found_) found_ = operands.FindInstance(indom, name_);
  if (!found_) return;
  for (const Pair& pair : pairs) {
    if (pair.instance == *found_) result->push_back(pair);
  }
}

void MatchFilter::Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
                       std::vector<Pair>* result) {
  result->clear();
  if (indom.IsNull()) return;      // DER-1115
  std::optional<Pattern> pattern;  // takes kilobytes, and is needed for new instances alone
  for (const Pair& pair : pairs) {
    auto verdict = verdicts_.find(pair.instance);
    if (verdict == verdicts_.end()) {
      if (!pattern) pattern = Compiled();
      const std::optional<std::string> name = operands.InstanceName(indom, pair.instance);
      const bool passes = name && pattern && Passes(*pattern, *name);
      verdict = verdicts_.emplace(pair.instance, Verdict{passes}).first;
    }
    verdict->second.seen = true;
    if (verdict->second.passes) result->push_back(pair);
  }
  constexpr int kEvaluationsBetweenDrops = 100;
  if (++evaluations_ == kEvaluationsBetweenDrops) DropUnseen();
}

std::optional<Pattern> MatchFilter::Compiled() const {
  auto compiled = Pattern::Compile(text_);
  if (!compiled) return std::nullopt;
  return std::move(*compiled);
}

bool MatchFilter::Passes(const Pattern& pattern, const std::string& name) const {
  return pattern.Matches(name.substr(0, name.find(' '))) != inverted_;
}

void MatchFilter::DropUnseen() {
  std::erase_if(verdicts_, [](const auto& entry) { return !entry.second.seen; });
  for (auto& entry : verdicts_) entry.second.seen = false;
  evaluations_ = 0;
}

}  // namespace pmproof::derived
