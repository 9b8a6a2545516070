// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_SERIES_STATE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_SERIES_STATE_H_

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/core/metric.h"

namespace pmproof::validator {

// The value of a counter as a number that orders as the values of its type do. 0 is the least of
// all, so that it can also stand for "not known": nothing is less.
using CounterKey = std::uint64_t;

// Stands for "not known" where a value is compared with one before it: it is less than none.
inline constexpr CounterKey kUnknownFirst = ~CounterKey{0};

inline constexpr CounterKey kSignBit = CounterKey{1} << 63;

inline CounterKey KeyOfSigned(std::int64_t value) {
  return static_cast<CounterKey>(value) ^ kSignBit;
}

// Not for NaN. Both zeros are equal.
inline CounterKey KeyOfDouble(double value) {
  const auto bits = std::bit_cast<CounterKey>(value + 0.0);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

// The value of a key as text, for people.
std::string KeyText(CounterKey key, MetricType type);

// The instances of the last value set of one metric in their order there ("slots"), and for
// counters their values. An instance that is absent from a set is forgotten: when it comes back, it
// may be another object.
class SeriesState {
 public:
  // The slots as the big-endian words of the file, so that a set is compared without conversion.
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::vector<CounterKey>& keys() { return keys_; }
  const std::vector<CounterKey>& keys() const { return keys_; }

  // Makes the instances of a set (as stored) the slots. With `counter`, values known go with them,
  // and those of new instances are 0. `distinct`: none of the slots there are now is one twice,
  // else of several the first one's value goes on.
  void Reslot(const std::vector<std::uint32_t>& words, bool counter, bool distinct);

  // Forgets all values, as after a mark (ARC-510); the slots stay.
  void Forget();

 private:
  std::vector<std::uint32_t> words_;
  std::vector<CounterKey> keys_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_SERIES_STATE_H_
