// SPDX-License-Identifier: Apache-2.0
// ValueChecker on records that are as one before them, all but their values.
//
// A form is learned from a record that was checked value by value. While it is followed, its
// counters' values before are kept in it. It is released when one of its metrics is in a record of
// another form, or in one that breaks a rule: such a record is checked value by value again.

#include <algorithm>
#include <utility>

#include "reference/core/error_code.h"
#include "validator/check/rules/value_rules.h"
#include "validator/check/rules/value_scan.h"

namespace pmproof::validator {

using archive::DataRecord;
using archive::RecordView;
using archive::ValueSet;

bool ValueChecker::CheckAsBefore(const RecordView& record, int version, Timestamp time) {
  const std::size_t sets = archive::LayoutOf(version).timestamp + 2 * archive::kLengthWord;
  std::uint64_t key;
  FormTable::Slot* const slot = forms_.Find(record.bytes, sets, &key);
  if (slot == nullptr || slot->key != key || slot->known == nullptr) return false;
  KnownForm& known = *slot->known;
  if (!known.followed || !known.form.Matches(record.bytes)) return false;
  for (KnownForm::Domain& domain : known.domains) {
    domain.cursor->AdvanceTo(time);
    if (domain.cursor->version() != domain.version && !KeepsInstances(known, record.bytes, domain))
      return false;
  }
  if (known.epoch != epoch_) {
    known.form.ForgetKeys();
    known.epoch = epoch_;
    for (const KnownForm::Metric& metric : known.metrics) states_[metric.state].epoch = epoch_;
  }
  if (!known.form.NumbersAreGood(record.bytes.data())) return false;
  known.form.Commit();
  forms_.OnUse(*slot);
  ++records_;
  values_ += known.form.values();
  if (known.remarks.empty()) return true;

  const DataRecord decoded{record, time, known.set_count, static_cast<std::uint32_t>(sets),
                           known.sets_end};
  for (const KnownForm::Remark& remark : known.remarks) {
    if (remark.unusual)
      archive::ReportForm(decoded, ValueSet(record.bytes, remark.offset), reporter_);
  }
  for (const KnownForm::Remark& remark : known.remarks) {
    const ValueSet set(record.bytes, remark.offset);
    if (remark.whole) {
      CheckSet(decoded, set, true);
      continue;
    }
    const archive::Reporter::About about(reporter_, set.pmid());
    if (remark.descending) ReportDescending(decoded, set);
    if (remark.events) CheckValues(decoded, set, *StateOf(set.pmid(), decoded), true);
  }
  return true;
}

// True if the domain, which has changed, still has all instances of its metrics.
bool ValueChecker::KeepsInstances(KnownForm& known, Bytes record, KnownForm::Domain& domain) {
  bool keeps = true;
  for (const KnownForm::Metric& metric : known.metrics) {
    MetricState& state = states_[metric.state];
    if (state.cursor != domain.cursor) continue;
    const ValueSet set(record, metric.offset);
    domain.cursor->ForEachLacking(
        set.count(), [&](std::uint32_t i) { return set.Instance(i); },
        [&](std::uint32_t) { keeps = false; });
    if (!keeps) return false;
    state.domain_version = domain.cursor->version();
  }
  domain.version = domain.cursor->version();
  return true;
}

// After a record that was checked value by value. A form costs a few times as much as such a check,
// so it is made of a record that is like an earlier one, and if the last ones were of no use the
// later.
void ValueChecker::Learn(const DataRecord& record) {
  std::uint64_t key;
  FormTable::Slot* const slot = forms_.Find(record.record.bytes, record.sets, &key);
  if (slot == nullptr) return;
  if (slot->key != key) {
    if (slot->known != nullptr) Release(*slot->known);
    forms_.Start(*slot, key);
    return;
  }
  if (!forms_.IsDue(*slot)) return;
  if (slot->known != nullptr) {
    if (!slot->known->followed && Rejoin(*slot->known, record)) return;
    Release(*slot->known);
  }
  std::optional<KnownForm> known = FormOf(record);
  if (known) {
    forms_.Keep(*slot, std::move(*known));
    if (slot->known != nullptr) Follow(*slot->known);
  } else {
    forms_.Drop(*slot);
  }
}

// Nothing if the record is not canonical (ARC-601), has two sets of a metric (ARC-1713), or has too
// many sets that have to be checked value by value each time.
std::optional<KnownForm> ValueChecker::FormOf(const DataRecord& record) {
  KnownForm known;
  RecordForm::Builder builder(record);
  bool suits = true;
  std::uint32_t n = 0;
  record.ForEachSet([&](const ValueSet& set) {
    if (!suits) return;
    suits = AddTo(known, builder, record, set, n++);
  });
  const auto whole = [](const KnownForm::Remark& remark) { return remark.whole; };
  const auto checked_whole = std::count_if(known.remarks.begin(), known.remarks.end(), whole);
  if (!suits || 4 * checked_whole > record.set_count) return std::nullopt;
  std::optional<RecordForm> form = builder.Finish();
  if (!form) return std::nullopt;
  known.form = std::move(*form);
  known.set_count = record.set_count;
  known.sets_end = record.sets_end;
  return known;
}

bool ValueChecker::AddTo(KnownForm& known, RecordForm::Builder& builder, const DataRecord& record,
                         const ValueSet& set, std::uint32_t n) {
  MetricState* const state = StateOf(set.pmid(), record);
  if (state != nullptr) {
    if (state->last_form == records_) return false;  // ARC-1713
    state->last_form = records_;
  }
  const bool steady = state != nullptr && IsSteady(*state, set);
  const MetricType type = steady ? state->descriptor->type : MetricType::kUnknown;
  if (!builder.Add(set, type, steady && state->counter)) return false;
  if (steady && set.numval() <= 0) return true;
  KnownForm::Remark remark{set.offset(), builder.has_odd_padding(), false, false, !steady};
  remark.unusual |= set.numval() > 0 && set.format() == archive::kStatic;
  if (!steady) {
    known.remarks.push_back(remark);
    return true;
  }
  remark.descending = state->descending;
  remark.events = IsEvent(type);
  if (remark.unusual || remark.descending || remark.events) known.remarks.push_back(remark);
  known.metrics.push_back({static_cast<std::uint32_t>(state - states_.data()), n, set.offset()});
  archive::InstanceCursor* const cursor = state->cursor;
  if (cursor == nullptr) return true;
  const auto same = [&](const KnownForm::Domain& domain) { return domain.cursor == cursor; };
  if (std::none_of(known.domains.begin(), known.domains.end(), same))
    known.domains.push_back({cursor, cursor->version()});
  return true;
}

// True if nothing but the numbers has to be looked at in the next set of a metric, if that is as
// this one, which has just been checked.
bool ValueChecker::IsSteady(const MetricState& state, const ValueSet& set) const {
  if (!state.identifier_rule.empty()) return false;
  if (set.numval() <= 0) {
    return set.numval() == 0 || IsKnown(static_cast<ErrorCode>(set.numval()));
  }
  return set.format() == state.good_format && state.shape_clean &&
         (!state.counter || saw_mark() || !state.first_words.empty()) &&
         (state.cursor == nullptr || state.domain_version == state.cursor->version()) &&
         HasGoodForm(set, state.descriptor->type);
}

// Follows a form again, if the record that has just been checked has it. False if something about
// its metrics has changed.
bool ValueChecker::Rejoin(KnownForm& known, const DataRecord& record) {
  if (!known.form.Matches(record.record.bytes)) return false;
  for (const KnownForm::Metric& metric : known.metrics) {
    const MetricState& state = states_[metric.state];
    if (state.form != nullptr || state.last_record != records_ ||
        !IsSteady(state, ValueSet(record.record.bytes, metric.offset))) {
      return false;
    }
  }
  for (KnownForm::Domain& domain : known.domains) domain.version = domain.cursor->version();
  Follow(known);
  return true;
}

void ValueChecker::Follow(KnownForm& known) {
  for (const KnownForm::Metric& metric : known.metrics) {
    MetricState& state = states_[metric.state];
    state.form = &known;
    const std::span<CounterKey> keys = known.form.Keys(metric.set);
    std::copy_n(state.series.keys().begin(), keys.size(), keys.begin());
  }
  known.epoch = epoch_;
  known.followed = true;
}

void ValueChecker::Release(KnownForm& known) {
  if (!known.followed) return;
  for (const KnownForm::Metric& metric : known.metrics) {
    MetricState& state = states_[metric.state];
    state.form = nullptr;
    const std::span<CounterKey> keys = known.form.Keys(metric.set);
    std::copy(keys.begin(), keys.end(), state.series.keys().begin());
  }
  known.followed = false;
}

void ValueChecker::Settle() {
  forms_.ForEach([&](KnownForm& known) { Release(known); });
  forms_ = {};
}

ValueChecker::Learned ValueChecker::TakeLearned() {
  forms_.StartAgain();
  forms_.ForEach([&](KnownForm& known) { Release(known); });
  Learned learned;
  learned.states.reserve(states_.size());
  for (const MetricState& state : states_) {
    MetricState& known = learned.states.emplace_back();
    known.pmid = state.pmid;
    known.next = state.next;
    known.type = state.type;
    known.kind = state.kind;
    known.counter = state.counter;
    known.identifier_rule = state.identifier_rule;
    known.descriptor = state.descriptor;
    known.domain = state.domain;
  }
  for (auto& [indom, followed] : cursors_) followed.stale = true;
  learned.index = std::move(index_);
  learned.cursors = std::move(cursors_);  // forms point to them: they stay where they are
  learned.forms = std::exchange(forms_, {});
  return learned;
}

void ValueChecker::Use(Learned learned) {
  states_ = std::move(learned.states);
  index_ = std::move(learned.index);
  cursors_ = std::move(learned.cursors);
  forms_ = std::move(learned.forms);
}

}  // namespace pmproof::validator
