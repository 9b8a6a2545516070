// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/series_state.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

double DoubleOfKey(CounterKey key) {
  return std::bit_cast<double>((key & kSignBit) != 0 ? key & ~kSignBit : ~key);
}

std::int32_t Instance(const std::uint32_t& word) {
  return LoadI32(reinterpret_cast<const std::uint8_t*>(&word));
}

bool IsAscending(const std::vector<std::uint32_t>& words) {
  return std::is_sorted(words.begin(), words.end(),
                        [](std::uint32_t a, std::uint32_t b) { return Instance(a) < Instance(b); });
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

void SeriesState::Reslot(const std::vector<std::uint32_t>& words, bool counter) {
  if (!counter) {
    words_ = words;
    return;
  }
  std::vector<CounterKey> keys(words.size(), 0);
  if (IsAscending(words_) && IsAscending(words)) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      while (k < words_.size() && Instance(words_[k]) < Instance(words[i])) ++k;
      if (k < words_.size() && words_[k] == words[i]) keys[i] = keys_[k];
    }
  } else {
    std::unordered_map<std::uint32_t, CounterKey> known;
    for (std::size_t k = 0; k < words_.size(); ++k) known.emplace(words_[k], keys_[k]);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (const auto slot = known.find(words[i]); slot != known.end()) keys[i] = slot->second;
    }
  }
  words_ = words;
  keys_ = std::move(keys);
}

void SeriesState::Forget() { std::fill(keys_.begin(), keys_.end(), 0); }

}  // namespace pmproof::validator
