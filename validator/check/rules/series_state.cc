// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/series_state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "reference/core/sort_words.h"
#include "reference/core/stored_words.h"

namespace pmproof::validator {
namespace {

double DoubleOfKey(CounterKey key) {
  return std::bit_cast<double>((key & kSignBit) != 0 ? key & ~kSignBit : ~key);
}

// Finds words in a list that does not change.
class Slots {
 public:
  explicit Slots(const std::vector<std::uint32_t>& words) : words_(words) {}

  // The first position of the word; the size of the list if it is not there.
  std::size_t Find(std::uint32_t word) {
    // Few searches cost less than sorting.
    constexpr int kFewSearches = 32;
    if (searches_ < kFewSearches) {
      ++searches_;
      return FindWord(words_.data(), words_.size(), word);
    }
    if (order_.empty()) Sort();
    const auto found = std::lower_bound(order_.begin(), order_.end(), std::uint64_t{word} << 32);
    if (found == order_.end() || *found >> 32 != word) return words_.size();
    return static_cast<std::uint32_t>(*found);
  }

 private:
  void Sort() {
    order_.reserve(words_.size());
    for (std::size_t k = 0; k < words_.size(); ++k) {
      order_.push_back(std::uint64_t{words_[k]} << 32 | k);
    }
    SortByUpperHalf(order_);
  }

  const std::vector<std::uint32_t>& words_;
  int searches_ = 0;
  std::vector<std::uint64_t> order_;  // word << 32 | position
};

}  // namespace

std::string KeyText(CounterKey key, MetricType type) {
  switch (type) {
    case MetricType::kU32:
    case MetricType::kU64:
      return std::to_string(key);
    case MetricType::kFloat:
    case MetricType::kDouble: {
      char text[32];
      const double value = DoubleOfKey(key);
      const std::to_chars_result end =
          type == MetricType::kFloat
              ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
              : std::to_chars(text, text + sizeof text, value);
      return {text, end.ptr};
    }
    case MetricType::kNoSupport:
    case MetricType::k32:
    case MetricType::k64:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::to_string(static_cast<std::int64_t>(key ^ kSignBit));
}

void SeriesState::Reslot(const std::vector<std::uint32_t>& words, bool counter, bool distinct) {
  if (counter) {
    constexpr std::size_t kFew = 64;
    std::array<CounterKey, kFew> few;
    std::vector<CounterKey> many(words.size() > kFew ? words.size() : 0);
    const std::span<CounterKey> keys(words.size() > kFew ? many.data() : few.data(), words.size());
    std::ranges::fill(keys, 0);
    Slots slots(words_);
    const std::size_t ahead = distinct ? 8 : 0;
    std::size_t next = 0;  // after the last one that was found: sets mostly keep their order
    for (std::size_t i = 0; i < words.size();) {
      const std::size_t soon = std::min(words_.size(), next + ahead);
      std::size_t at = next;
      while (at < soon && words_[at] != words[i]) ++at;
      if (at >= soon) at = slots.Find(words[i]);
      if (at == words_.size()) {
        ++i;
        continue;
      }
      const std::size_t most = distinct ? std::min(words.size() - i, words_.size() - at) : 1;
      const std::size_t common = CommonWords(words.data() + i, words_.data() + at, most);
      std::copy_n(keys_.data() + at, common, keys.data() + i);
      i += common;
      next = at + common;
    }
    if (words.size() > kFew) {
      keys_ = std::move(many);
    } else {
      keys_.assign(keys.begin(), keys.end());
    }
  }
  words_ = words;
}

void SeriesState::Forget() { std::fill(keys_.begin(), keys_.end(), 0); }

}  // namespace pmproof::validator
