// SPDX-License-Identifier: Apache-2.0
// ValueChecker on sets that are as those of their metrics before them, all but their values.

#include <cstdint>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/stored_words.h"
#include "validator/check/rules/value_rules.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::ValueSet;

// A number of values, or a known error code (ARC-1715).
bool IsKnownCount(std::int32_t numval) {
  return numval >= 0 || IsKnown(static_cast<ErrorCode>(numval));
}

}  // namespace

// True if the set has been dealt with: nothing but the values of the metric are new, and there is
// nothing to say of them but what is said of each set. Most sets of most archives are of this kind;
// nothing else has an effect.
[[gnu::always_inline]] inline bool ValueChecker::TakeAsBefore(const DataRecord& record,
                                                              const ValueSet& set,
                                                              bool time_known) {
  if (states_.empty()) return false;
  const std::uint32_t guess = states_[previous_].next;
  MetricState& state = states_[guess];
  if (state.pmid != set.pmid() || !TakeSet(record, set, state, time_known)) return false;
  previous_ = guess;
  return true;
}

[[gnu::always_inline]] inline bool ValueChecker::TakeSet(const DataRecord& record,
                                                         const ValueSet& set, MetricState& state,
                                                         bool time_known) {
  if (!state.met || state.form != nullptr || state.last_record == records_) return false;
  if (set.numval() <= 0) {
    if (!state.identifier_rule.empty() || !IsKnownCount(set.numval())) return false;
  } else if (!TakeInstances(record, set, state, time_known)) {
    return false;
  }
  state.last_record = records_;
  return true;
}

// The same of a loose set of a form, whose metric is known.
bool ValueChecker::TakeLoose(const DataRecord& record, const ValueSet& set, MetricState& state) {
  return TakeSet(record, set, state, true);
}

// False if something may be wrong with the instances or a value: nothing has been done then but to
// forget values before a mark.
[[gnu::always_inline]] inline bool ValueChecker::TakeInstances(const DataRecord& record,
                                                               const ValueSet& set,
                                                               MetricState& state,
                                                               bool time_known) {
  const std::vector<std::uint32_t>& words = state.series.words();
  const std::uint32_t count = set.count();
  if (!state.steady || count != words.size() || set.format() != state.good_format) return false;
  if (state.cursor != nullptr) {
    if (!time_known) return false;
    state.cursor->AdvanceTo(record.time);
    if (state.domain_version != state.cursor->version()) return false;
  }
  const bool same = count == 1 ? StoredWord(set.Pair(0), 0) == words[0] : SameInstances(set, words);
  if (!same) return false;
  if (state.epoch != epoch_) {
    state.series.Forget();
    state.epoch = epoch_;
  }
  if (!TakeValues(record, set, state, time_known)) return false;
  values_ += count;
  if (state.descending) [[unlikely]] {
    const archive::Reporter::About about(reporter_, set.pmid());
    ReportDescending(record, set);
  }
  return true;
}

// False if something may be wrong with a value: nothing has been done then.
bool ValueChecker::TakeValues(const DataRecord& record, const ValueSet& set, MetricState& state,
                              bool time_known) {
  const MetricType type = state.type;
  switch (state.kind) {
    case ValueKind::kNumbers:
      return ScanNumbers(set, type);
    case ValueKind::kBytes:
      return HasGoodForm(set, type);
    case ValueKind::kEvents: {
      const archive::Reporter::About about(reporter_, set.pmid());
      CheckValues(record, set, state, time_known);
      return true;
    }
    case ValueKind::kCounters:
      break;
  }
  std::vector<CounterKey>& keys = state.series.keys();
  if (keys.size() == 1) {
    CounterKey key;
    if (!ScanCounter(set, type, keys.data(), &key)) return false;
    keys[0] = key;
    return true;
  }
  fresh_.resize(keys.size());
  if (!ScanCounter(set, type, keys.data(), fresh_.data())) return false;
  keys.swap(fresh_);
  return true;
}

void ValueChecker::CheckSets(const DataRecord& record, bool time_known) {
  record.ForEachSet([&](const ValueSet& set) {
    if (!TakeAsBefore(record, set, time_known)) CheckSet(record, set, time_known);
  });
}

}  // namespace pmproof::validator
