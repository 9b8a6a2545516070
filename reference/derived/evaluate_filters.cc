#include "reference/derived/evaluate_filters.h"

#include <utility>

namespace pmproof::derived {

void InstanceFilter::Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
                          std::vector<Pair>* result) {
  result->clear();
  if (indom.IsNull()) return;  // DER-1115
  if (!found_) found_ = operands.FindInstance(indom, name_);
  if (!found_) return;
  for (const Pair& pair : pairs) {
    if (pair.instance == *found_) result->push_back(pair);
  }
}

MatchFilter::MatchFilter(std::string_view pattern, bool inverted) : inverted_(inverted) {
  if (auto compiled = Pattern::Compile(pattern)) pattern_ = std::move(*compiled);
}

void MatchFilter::Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
                       std::vector<Pair>* result) {
  result->clear();
  if (indom.IsNull()) return;  // DER-1115
  for (const Pair& pair : pairs) {
    auto verdict = verdicts_.find(pair.instance);
    if (verdict == verdicts_.end()) {
      const bool passes = Judge(indom, pair.instance, operands);
      verdict = verdicts_.emplace(pair.instance, Verdict{passes}).first;
    }
    verdict->second.seen = true;
    if (verdict->second.passes) result->push_back(pair);
  }
  constexpr int kEvaluationsBetweenDrops = 100;
  if (++evaluations_ == kEvaluationsBetweenDrops) DropUnseen();
}

bool MatchFilter::Judge(Indom indom, std::int32_t instance, const FetchedOperands& operands) const {
  std::optional<std::string> name = operands.InstanceName(indom, instance);
  if (!name || !pattern_) return false;
  const std::size_t space = name->find(' ');
  if (space != std::string::npos) name->resize(space);
  return pattern_->Matches(*name) != inverted_;
}

void MatchFilter::DropUnseen() {
  std::erase_if(verdicts_, [](const auto& entry) { return !entry.second.seen; });
  for (auto& entry : verdicts_) entry.second.seen = false;
  evaluations_ = 0;
}

}  // namespace pmproof::derived
