// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/value_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reference/core/error_code.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::Details;
using archive::ValueSet;

// The rule that a PMID breaks by itself (ARC-006, ARC-310).
Clause RuleOnIdentifier(Pmid pmid) {
  if (pmid.flag()) return "ARC-1727"_clause;
  if (pmid.domain() == 511 && (pmid.cluster() < 2048 || pmid.item() == 0)) return "ARC-1728"_clause;
  return {};
}

ValueKind KindOf(MetricType type, bool counter) {
  if (IsEvent(type)) return ValueKind::kEvents;
  if (IsOpaque(type)) return ValueKind::kBytes;
  return counter ? ValueKind::kCounters : ValueKind::kNumbers;
}

}  // namespace

ValueChecker::ValueChecker(const MetricTable& metrics, archive::Reporter& reporter)
    : metrics_(metrics), reporter_(reporter) {}

void ValueChecker::Check(const DataRecord& record, bool time_known) {
  ++records_;
  if (record.IsMark()) {
    ++epoch_;
    return;
  }
  CheckSets(record, time_known);
  if (time_known) Learn(record);
}

// The sets of a record mostly come in the order of the record before, so the next metric is guessed
// before it is looked up.
MetricState* ValueChecker::StateOf(Pmid pmid, const DataRecord& record) {
  if (!states_.empty()) {
    const std::uint32_t guess = states_[previous_].next;
    if (states_[guess].pmid == pmid && states_[guess].met) {
      previous_ = guess;
      return &states_[guess];
    }
  }
  auto found = index_.find(pmid.value);
  if (found == index_.end()) {
    const Descriptor* descriptor = metrics_.Find(pmid);
    if (descriptor == nullptr) return nullptr;
    found = index_.emplace(pmid.value, static_cast<std::uint32_t>(states_.size())).first;
    MetricState& state = states_.emplace_back();
    state.pmid = pmid;
    state.descriptor = descriptor;
    state.type = descriptor->type;
    state.identifier_rule = RuleOnIdentifier(pmid);
    state.counter = descriptor->semantics == Semantics::kCounter && IsNumeric(descriptor->type);
    state.kind = KindOf(descriptor->type, state.counter);
    state.domain = metrics_.FindDomain(descriptor->indom);
  }
  if (!states_[found->second].met) Meet(states_[found->second], record);
  states_[previous_].next = found->second;
  previous_ = found->second;
  return &states_[found->second];
}

// At the first set of a metric.
void ValueChecker::Meet(MetricState& state, const DataRecord& record) {
  state.met = true;
  state.epoch = epoch_;
  state.first_use = record.time;
  const Indom indom = state.descriptor->indom;
  if (state.domain == nullptr || indom.IsNull() || !metrics_.complete()) return;
  Followed& followed = cursors_.try_emplace(indom, *state.domain, record.time).first->second;
  if (std::exchange(followed.stale, false))
    followed.cursor = archive::InstanceCursor(*state.domain, record.time);
  state.cursor = &followed.cursor;
}

void ValueChecker::CheckSet(const DataRecord& record, const ValueSet& set, bool time_known) {
  const archive::Reporter::About about(reporter_, set.pmid());
  MetricState* const known = StateOf(set.pmid(), record);
  if (known == nullptr) {
    Clause rule = RuleOnIdentifier(set.pmid());
    if (rule.empty() && metrics_.complete()) rule = "ARC-1801"_clause;
    if (!rule.empty()) ReportIdentifier(record, set, rule);
    CheckCode(record, set);
    values_ += set.count();
    return;
  }
  MetricState& state = *known;
  if (state.form != nullptr) Release(*state.form);
  if (!state.identifier_rule.empty()) ReportIdentifier(record, set, state.identifier_rule);
  if (state.last_record == records_) {
    reporter_.Report("ARC-1713"_clause, record.record.At(set.offset(), set.size()), [&] {
      return Details{"pmid", ToText(set.pmid()), "", "a metric has two value sets in one record"};
    });
    return;
  }
  state.last_record = records_;

  if (set.numval() <= 0) {
    CheckCode(record, set);
    return;
  }
  values_ += set.count();
  if (!state.first_value) {
    state.first_value = record.time;
    state.first_value_at = record.record.At(set.offset(), set.size());
  }
  state.steady = false;
  if (set.format() != state.good_format) {
    if (!CheckFormat(record, set, state)) return;
    state.good_format = set.format();
  }
  CheckShape(record, set, state, time_known);
  CheckValues(record, set, state, time_known);
  state.steady = state.shape_clean && state.identifier_rule.empty() &&
                 (!state.counter || saw_mark() || !state.first_words.empty());
}

void ValueChecker::CheckCode(const DataRecord& record, const ValueSet& set) {
  const std::int32_t numval = set.numval();
  if (numval >= 0 || IsKnown(static_cast<ErrorCode>(numval))) return;
  reporter_.Report("ARC-1715"_clause, record.record.At(set.offset() + 4, 4), [&] {
    return Details{"numval", std::to_string(numval), "a known error code",
                   "the error code of " + metrics_.Show(set.pmid()) + " is not known"};
  });
}

void ValueChecker::ReportIdentifier(const DataRecord& record, const ValueSet& set, Clause rule) {
  reporter_.Report(rule, record.record.At(set.offset(), 4), [&] {
    if (rule == "ARC-1727"_clause) {
      return Details{"pmid", set.pmid().IsNull() ? "PM_ID_NULL" : std::to_string(set.pmid().value),
                     "bit 31 clear", "the identifier of a value set has its flag bit set"};
    }
    if (rule == "ARC-1728"_clause) {
      return Details{"pmid", ToText(set.pmid()), "",
                     "a value set has the identifier of a metric that is derived on replay"};
    }
    return Details{"pmid", ToText(set.pmid()), "a metric with a descriptor",
                   "a metric with values has no descriptor"};
  });
}

// False if the values cannot be read as values of the metric: nothing more is to be said of them.
bool ValueChecker::CheckFormat(const DataRecord& record, const ValueSet& set, MetricState& state) {
  const MetricType type = state.descriptor->type;
  const archive::Location where = record.record.At(set.offset() + 8, 4);
  const bool insitu = set.format() == archive::kInsitu;
  const auto describe = [&](std::string expected, std::string message) {
    return Details{"valfmt", std::to_string(set.format()), std::move(expected),
                   std::move(message) + metrics_.Show(set.pmid()) + " (" + ToText(type) + ")"};
  };
  if (type == MetricType::kNoSupport) {
    reporter_.Report("ARC-1830"_clause, record.record.At(set.offset(), set.size()), [&] {
      return describe("no values", "there are values of the unsupported metric ");
    });
    return false;
  }
  const bool small = type == MetricType::k32 || type == MetricType::kU32;
  if (insitu && !small && type != MetricType::kFloat && (IsNumeric(type) || IsOpaque(type))) {
    reporter_.Report("ARC-1808"_clause, where,
                     [&] { return describe("1", "insitu values cannot hold those of "); });
    return false;
  }
  if (!insitu && small) {
    for (std::uint32_t i = 0; i < set.count(); ++i)
      ReportBlockOfSmall(record, set, i, type, metrics_, reporter_);
    return false;
  }
  const FormatClass format = insitu ? FormatClass::kInsitu : FormatClass::kBlock;
  if (state.last_class == FormatClass::kNone) {
    state.first_class = format;
    state.first_class_at = where;
  } else if (state.last_class != format) {
    ReportFormatChange(where, set.pmid(), type, metrics_, reporter_);
  }
  state.last_class = format;
  return IsNumeric(type) || IsOpaque(type);
}

void ValueChecker::CheckValues(const DataRecord& record, const ValueSet& set, MetricState& state,
                               bool time_known) {
  const MetricType type = state.descriptor->type;
  if (IsEvent(type)) return CheckEvents(record, set, type, time_known);
  if (IsOpaque(type)) {
    if (type == MetricType::kString && ScanStrings(set)) return;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      CheckOpaqueValue(record, set, i, type, time_known, metrics_, &event_parameters_, reporter_);
    }
    return;
  }
  if (!state.counter) {
    if (!ScanNumbers(set, type)) [[unlikely]] {
      for (std::uint32_t i = 0; i < set.count(); ++i)
        ReadNumber(record, set, i, type, metrics_, reporter_);
    }
    return;
  }
  const bool first = state.first_words.empty() && !saw_mark();
  fresh_.resize(state.series.keys().size());
  if (ScanCounter(set, type, state.series.keys().data(), fresh_.data())) {
    if (first) [[unlikely]]
      state.first_keys = fresh_;
    state.series.keys().swap(fresh_);
  } else {
    ReportValues(record, set, state);
    if (first) [[unlikely]]
      state.first_keys = fresh_;
  }
  if (first) [[unlikely]] {
    state.first_words = state.series.words();
    state.first_set_at = record.record.At(set.PairOffset(0), 8);
  }
}

void ValueChecker::CheckEvents(const DataRecord& record, const ValueSet& set, MetricType type,
                               bool time_known) {
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const archive::ValueBlock block = set.Block(i);
    const std::size_t payload = ValueSet::BlockOffset(set.Word(i)) + archive::kLengthWord;
    const bool typed = block.type == type;
    if (typed && event_forms_.Take(record, block, payload, time_known, reporter_)) continue;
    CheckOpaqueValue(record, set, i, type, time_known, metrics_, &event_parameters_, reporter_);
    if (typed) event_forms_.Learn(record, block, payload, metrics_, &event_parameters_);
  }
}

// The values of a counter, since something is wrong with one of them: mostly that some are less
// than before, and nothing else.
void ValueChecker::ReportValues(const DataRecord& record, const ValueSet& set, MetricState& state) {
  const MetricType type = state.descriptor->type;
  std::vector<CounterKey>& last = state.series.keys();
  if (nothing_before_.size() < last.size()) nothing_before_.resize(last.size(), 0);
  if (!ScanCounter(set, type, nothing_before_.data(), fresh_.data())) {
    ReportEachValue(record, set, state);
    return;
  }
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (fresh_[i] >= last[i]) continue;
    ReportDecrease(record.record.At(set.PairOffset(i), 8), set.pmid(), set.Instance(i), fresh_[i],
                   last[i], type, metrics_, reporter_);
  }
  std::copy_n(fresh_.begin(), set.count(), last.begin());
}

// One by one, since not all can be read. A value that can not be read is not known: the next one is
// not compared with it, nor it, in fresh_, with the one before.
void ValueChecker::ReportEachValue(const DataRecord& record, const ValueSet& set,
                                   MetricState& state) {
  const MetricType type = state.descriptor->type;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    CounterKey& last = state.series.keys()[i];
    const std::optional<CounterKey> key = ReadNumber(record, set, i, type, metrics_, reporter_);
    const archive::Location where = record.record.At(set.PairOffset(i), 8);
    if (key && *key < ZeroKey(type)) {
      reporter_.Report("ARC-1831"_clause, where, [&] {
        return Details{"value", KeyText(*key, type), ">= 0",
                       "the counter " + metrics_.Show(set.pmid()) + " is negative"};
      });
    }
    if (key && *key < last)
      ReportDecrease(where, set.pmid(), set.Instance(i), *key, last, type, metrics_, reporter_);
    last = key.value_or(0);
    fresh_[i] = key.value_or(kUnknownFirst);
  }
}

}  // namespace pmproof::validator
