// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_LOG_H_
#define PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_LOG_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/against/difference.h"

namespace pmproof::validator::against {

// Gathers differences by what they are about. Memory is that of the subjects, of which there are no
// more than metadata, however many values differ.
class DifferenceLog {
 public:
  // `kind` and `change` of which subject: by its identifier, and by what else tells it from others.
  struct Key {
    Kind kind = Kind::kValues;
    Change change = Change::kLost;
    std::uint32_t identifier = 0;
    std::uint32_t subclass = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  // `examples`: of each difference at most so many.
  explicit DifferenceLog(std::size_t examples) : most_(std::max<std::size_t>(examples, 1)) {}

  // Adds one, that lasts from `first` to `last` where it has a time. `subject()` gives the
  // Difference to begin with: its subject and pmid. `example()` gives an Example; it is asked while
  // they are few.
  template <typename Subject, typename MakeExample>
  Difference& Add(const Key& key, std::optional<Timestamp> first, std::optional<Timestamp> last,
                  Subject&& subject, MakeExample&& example) {
    auto found = differences_.find(key);
    if (found == differences_.end()) {
      Difference difference = subject();
      difference.kind = key.kind;
      difference.change = key.change;
      found = differences_.emplace(key, std::move(difference)).first;
    }
    Difference& difference = found->second;
    ++difference.count;
    if (first && (!difference.first || *first < *difference.first)) difference.first = first;
    if (last && (!difference.last || *last > *difference.last)) difference.last = last;
    const bool earlier = !difference.examples.empty() && first && difference.examples.front().at &&
                         *first < *difference.examples.front().at;
    const bool room = difference.examples.size() < most_ &&
                      (difference.examples.empty() || examples_ < kMostExamples);
    if (!room && !earlier) return difference;
    if (room) {
      ++examples_;
    } else {
      difference.examples.pop_back();
    }
    Example made = example();
    made.at = first;
    const auto behind = std::upper_bound(
        difference.examples.begin(), difference.examples.end(), made,
        [](const Example& a, const Example& b) { return a.at && b.at && *a.at < *b.at; });
    difference.examples.insert(behind, std::move(made));
    return difference;
  }

  // The one with this key; null if there is none.
  Difference* Find(const Key& key) {
    const auto found = differences_.find(key);
    return found == differences_.end() ? nullptr : &found->second;
  }

  // All of them, by kind, change and identifier.
  std::vector<Difference> Take() {
    std::vector<Difference> all;
    all.reserve(differences_.size());
    for (auto& [key, difference] : differences_) all.push_back(std::move(difference));
    differences_.clear();
    return all;
  }

 private:
  static constexpr std::size_t kMostExamples = 20'000;  // in all, beyond one for each difference

  std::size_t most_;
  std::size_t examples_ = 0;
  std::map<Key, Difference> differences_;
};

// The bytes as an example shows them: cut after some 80, which it says, and between characters.
std::string Shortened(std::string_view bytes);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_LOG_H_
