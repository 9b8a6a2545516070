// SPDX-License-Identifier: Apache-2.0
// ValueChecker on the instances of a set: none twice, each in its domain, none of a singular
// metric.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "validator/check/rules/value_rules.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::Details;
using archive::ValueSet;

// As the version of a domain: of no cursor.
constexpr std::uint64_t kNotCompared = ~std::uint64_t{0};

}  // namespace

void ValueChecker::CheckShape(const DataRecord& record, const ValueSet& set, MetricState& state,
                              bool time_known) {
  if (state.epoch != epoch_) {
    state.series.Forget();
    state.epoch = epoch_;
  }
  const bool follow = time_known && state.cursor != nullptr;
  if (follow) state.cursor->AdvanceTo(record.time);
  if (state.cursor != nullptr && !time_known) ++not_compared_;

  const bool same = SameInstances(set, state.series.words());
  const bool known = !follow || state.domain_version == state.cursor->version();
  if (!same || !known || !state.shape_clean) [[unlikely]] {
    const bool distinct = state.shape_clean;
    if (follow && LooksAsLast(set, state)) {
      state.shape_clean = true;
      state.descending = last_shape_.descending;
      state.domain_version = last_shape_.version;
    } else {
      LookAtShape(record, set, state, follow);
    }
    if (!same) {
      state.series.Reslot(words_, state.counter, distinct);
      state.last_change = records_;
    }
  }
  if (state.descending) ReportDescending(record, set);
}

void ValueChecker::ReportDescending(const DataRecord& record, const ValueSet& set) {
  reporter_.Report("ARC-1729"_clause, record.record.At(set.offset(), set.size()), [&] {
    return Details{"inst", "", "ascending",
                   "the instances of " + metrics_.Show(set.pmid()) + " are not in ascending order"};
  });
}

// True if the instances are those of the last set that was looked at, and were compared with the
// same state of the same domain.
bool ValueChecker::LooksAsLast(const ValueSet& set, const MetricState& state) const {
  return last_shape_.cursor == state.cursor && last_shape_.version == state.cursor->version() &&
         SameInstances(set, words_);
}

void ValueChecker::LookAtShape(const DataRecord& record, const ValueSet& set, MetricState& state,
                               bool follow) {
  const std::uint32_t count = set.count();
  words_.resize(count);
  bool has_negative = false;
  bool ascending = true;
  bool descending = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::memcpy(&words_[i], set.Pair(i), sizeof words_[i]);
    const std::int32_t instance = set.Instance(i);
    has_negative |= instance < 0;
    ascending &= i == 0 || instance > set.Instance(i - 1);
    descending |= i > 0 && instance < set.Instance(i - 1);
  }
  state.descending = descending;
  last_shape_.cursor = nullptr;
  if (state.descriptor->indom.IsNull()) {
    state.shape_clean = CheckSingular(record, set);
    state.descending = false;
    return;
  }
  const bool in_order = follow && state.cursor->HasInOrder(words_);
  state.shape_clean = true;
  if (!in_order && (has_negative || (!ascending && !AreDistinct()))) {
    state.shape_clean = ReportInstances(record, set);
  }
  if (!follow) {
    state.domain_version = kNotCompared;
    return;
  }
  state.shape_clean &= in_order || CheckDomain(record, set, state);
  state.domain_version = state.cursor->version();
  if (state.shape_clean) last_shape_ = {state.cursor, state.domain_version, state.descending};
}

// True if no word of words_ occurs twice (ARC-1714), as far as can be said at once: a hash table,
// which is given up where so many collide as they do in words that were chosen for that.
bool ValueChecker::AreDistinct() {
  const std::size_t mask = std::bit_ceil(2 * words_.size() + 1) - 1;
  slots_.assign(mask + 1, 0);  // position in words_ + 1; 0: free
  std::size_t probes = 8 * words_.size();
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    std::size_t slot = words_[i] * std::uint64_t{0x9e3779b97f4a7c15} >> 32 & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      if (words_[slots_[slot] - 1] == words_[i] || probes-- == 0) return false;
    }
    slots_[slot] = i + 1;
  }
  return true;
}

bool ValueChecker::CheckSingular(const DataRecord& record, const ValueSet& set) {
  if (set.count() > 1) {
    reporter_.Report("ARC-1803"_clause, record.record.At(set.offset() + 4, 4), [&] {
      return Details{"numval", std::to_string(set.count()), "1",
                     "the singular metric " + metrics_.Show(set.pmid()) + " has several values"};
    });
    return false;
  }
  if (set.Instance(0) != kInstanceNull) {
    reporter_.Report("ARC-1802"_clause, record.record.At(set.PairOffset(0), 4), [&] {
      return Details{
          "inst", std::to_string(set.Instance(0)), "-1",
          "the singular metric " + metrics_.Show(set.pmid()) + " has a value with an instance"};
    });
    return false;
  }
  return true;
}

// Instances of a metric that has some: no number below 0, none twice.
bool ValueChecker::ReportInstances(const DataRecord& record, const ValueSet& set) {
  bool clean = true;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (set.Instance(i) >= 0) continue;
    clean = false;
    reporter_.Report("ARC-1804"_clause, record.record.At(set.PairOffset(i), 4), [&] {
      return Details{"inst", std::to_string(set.Instance(i)), ">= 0",
                     "the set-valued metric " + metrics_.Show(set.pmid()) +
                         " has a value without an instance"};
    });
  }
  sorted_.resize(set.count());
  for (std::uint32_t i = 0; i < set.count(); ++i) sorted_[i] = i;
  std::stable_sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return set.Instance(a) < set.Instance(b);
  });
  for (std::size_t k = 1; k < sorted_.size(); ++k) {
    const std::uint32_t i = sorted_[k];
    if (set.Instance(i) != set.Instance(sorted_[k - 1])) continue;
    clean = false;
    reporter_.Report("ARC-1714"_clause, record.record.At(set.PairOffset(i), 8), [&] {
      return Details{"inst", std::to_string(set.Instance(i)), "",
                     "an instance has two values in one set of " + metrics_.Show(set.pmid())};
    });
  }
  return clean;
}

bool ValueChecker::CheckDomain(const DataRecord& record, const ValueSet& set,
                               const MetricState& state) {
  if (!state.cursor->exists()) {
    reporter_.Report("ARC-1806"_clause, record.record.At(set.offset(), set.size()), [&] {
      return Details{"inst", "", "",
                     "the instance domain " + ToText(state.descriptor->indom) + " of " +
                         metrics_.Show(set.pmid()) +
                         " does not exist yet at the time of these values"};
    });
    return false;
  }
  bool clean = true;
  const auto report = [&](std::uint32_t i) {
    const std::int32_t instance = set.Instance(i);
    if (instance < 0) return;
    clean = false;
    reporter_.Report("ARC-1805"_clause, record.record.At(set.PairOffset(i), 4), [&] {
      return Details{"inst", std::to_string(instance), "",
                     "instance " + std::to_string(instance) + " of " + metrics_.Show(set.pmid()) +
                         " is not in its domain " + ToText(state.descriptor->indom) +
                         " at this time"};
    });
  };
  state.cursor->ForEachLacking(
      set.count(), [&](std::uint32_t i) { return set.Instance(i); }, report);
  return clean;
}

}  // namespace pmproof::validator
