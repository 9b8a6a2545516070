#include "validator/rules/series_state.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace pmproof::validator {
namespace {

double DoubleOfKey(CounterKey key) {
  return std::bit_cast<double>((key & kSignBit) != 0 ? key & ~kSignBit : ~key);
}

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
      const std::to_chars_result end = type == MetricType::kFloat
                                           ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
                                           : std::to_chars(text, text + sizeof text, value);
      return {text, end.ptr};
    }
    default:
      return std::to_string(static_cast<std::int64_t>(key ^ kSignBit));
  }
}

void SeriesState::Reslot(const std::vector<std::uint32_t>& words, bool counter) {
  if (!counter) {
    words_ = words;
    return;
  }
  std::vector<CounterKey> keys(words.size(), 0);
  std::unordered_map<std::uint32_t, std::size_t> slots;  // of words_, made only where order does not help
  std::size_t next = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // Sets of one metric mostly keep their order: the instance is the next one, or a few were dropped.
    std::size_t found = words_.size();
    for (std::size_t k = next; k < words_.size() && k < next + 4 && found == words_.size(); ++k) {
      if (words_[k] == words[i]) found = k;
    }
    if (found == words_.size() && !words_.empty()) {
      if (slots.empty()) {
        for (std::size_t k = 0; k < words_.size(); ++k) slots.emplace(words_[k], k);
      }
      if (const auto slot = slots.find(words[i]); slot != slots.end()) found = slot->second;
    }
    if (found < words_.size()) {
      keys[i] = keys_[found];
      next = found + 1;
    }
  }
  words_ = words;
  keys_ = std::move(keys);
}

void SeriesState::Forget() { std::fill(keys_.begin(), keys_.end(), 0); }

}  // namespace pmproof::validator
