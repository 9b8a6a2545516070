// SPDX-License-Identifier: Apache-2.0
// ValueChecker on records that are as one before them, all but their values.
//
// A form is learned from a record that was checked value by value. While it is followed, its
// counters' values before are kept in it. A set with a number that breaks a rule, and one that is
// loose because its instances come and go, is checked by itself. The form is released when one of
// its metrics is in a record of another form, or in one that differs otherwise: such a record is
// checked value by value again.

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
  std::vector<std::uint32_t> bad_sets;
  if (!known.form.NumbersAreGood(record.bytes.data())) [[unlikely]] {
    bad_sets = known.form.BadSets(record.bytes.data());
    for (const std::uint32_t n : bad_sets)
      std::ranges::copy(known.form.Keys(n), StateIn(known, n).series.keys().begin());
  }
  known.form.Commit();
  forms_.OnUse(*slot);
  ++known.uses;
  ++records_;
  values_ += known.form.values();
  if (known.remarks.empty() && bad_sets.empty()) return true;

  const auto set_count = static_cast<std::uint32_t>(known.form.set_count());
  const DataRecord decoded{record, time, set_count, static_cast<std::uint32_t>(sets),
                           known.form.sets_end()};
  if (!CheckApart(known, decoded, bad_sets)) Renew(*slot, decoded);
  return true;
}

// Checks the sets of a record that there is more to say of, in their order. False if a loose one
// has been calm for so long that it need not be loose.
bool ValueChecker::CheckApart(KnownForm& known, const DataRecord& record,
                              const std::vector<std::uint32_t>& bad_sets) {
  constexpr std::uint32_t kCalm = 64;
  for (const KnownForm::Remark& remark : known.remarks) {
    if (!remark.unusual) continue;
    const ValueSet set(record.record.bytes, known.form.OffsetOf(remark.set));
    if (!remark.padded || !CountStatic(record, set)) archive::ReportForm(record, set, reporter_);
  }
  bool restless = true;
  auto bad = bad_sets.begin();
  for (KnownForm::Remark& remark : known.remarks) {
    for (; bad != bad_sets.end() && *bad < remark.set; ++bad) CheckBadSet(known, *bad, record);
    const ValueSet set(record.record.bytes, known.form.OffsetOf(remark.set));
    if (remark.whole) {
      if (!remark.loose || !TakeLoose(record, set, states_[remark.state]))
        CheckSet(record, set, true);
      if (remark.loose && NoteCalm(&remark, set) >= kCalm) restless = false;
      continue;
    }
    // What else there is to say of a set with a number that is not good is said with it.
    if (bad != bad_sets.end() && *bad == remark.set) continue;
    const archive::Reporter::About about(reporter_, set.pmid());
    if (remark.descending) ReportDescending(record, set);
    if (remark.events) CheckEvents(record, set, states_[remark.state].type, true);
  }
  for (; bad != bad_sets.end(); ++bad) CheckBadSet(known, *bad, record);
  return restless;
}

// Counts that the format of a set is unusual (ARC-1725). False, and nothing is done, if more than
// that is to be reported.
bool ValueChecker::CountStatic(const DataRecord& record, const ValueSet& set) {
  const archive::Location where = record.record.At(set.offset() + 8, 4);
  const archive::Reporter::About about(reporter_, set.pmid());
  return reporter_.CountOnly("ARC-1725"_clause, 1, where, where);
}

// Checks a set with a number that breaks a rule by itself. The values before are with its metric.
void ValueChecker::CheckBadSet(KnownForm& known, std::uint32_t n, const DataRecord& record) {
  const ValueSet set(record.record.bytes, known.form.OffsetOf(n));
  MetricState& state = StateIn(known, n);
  state.form = nullptr;
  values_ -= set.count();  // counted again
  CheckSet(record, set, true);
  state.form = &known;
  const std::span<CounterKey> keys = known.form.Keys(n);
  std::copy_n(state.series.keys().begin(), keys.size(), keys.begin());
}

// For how many records a loose set has had the same instances. It has just been checked.
std::uint32_t ValueChecker::NoteCalm(KnownForm::Remark* remark, const ValueSet& set) const {
  const bool same =
      set.numval() == remark->numval && states_[remark->state].last_change != records_;
  remark->numval = set.numval();
  remark->calm = same ? remark->calm + 1 : 0;
  return remark->calm;
}

// The metric of a set of a form that is neither loose nor checked as a whole.
MetricState& ValueChecker::StateIn(const KnownForm& known, std::uint32_t n) {
  const auto metric =
      std::ranges::lower_bound(known.metrics, n, {}, [](const auto& each) { return each.set; });
  return states_[metric->state];
}

// True if the domain, which has changed, still has all instances of its metrics.
bool ValueChecker::KeepsInstances(KnownForm& known, Bytes record, KnownForm::Domain& domain) {
  bool keeps = true;
  for (const KnownForm::Metric& metric : domain.metrics) {
    const ValueSet set(record, known.form.OffsetOf(metric.set));
    domain.cursor->ForEachLacking(
        set.count(), [&](std::uint32_t i) { return set.Instance(i); },
        [&](std::uint32_t) { keeps = false; });
    if (!keeps) return false;
    states_[metric.state].domain_version = domain.cursor->version();
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
  if (slot->known == nullptr) return MakeForm(*slot, record);
  KnownForm& known = *slot->known;
  if (!known.followed && (Rejoin(known, record) || LoosenFor(known, record))) return;
  Renew(*slot, record);
}

void ValueChecker::Renew(FormTable::Slot& slot, const DataRecord& record) {
  Release(*slot.known);
  MakeForm(slot, record);
}

void ValueChecker::MakeForm(FormTable::Slot& slot, const DataRecord& record) {
  std::optional<KnownForm> known = FormOf(record);
  if (!known) return forms_.Drop(slot);
  forms_.Keep(slot, std::move(*known));
  if (slot.known != nullptr) Follow(*slot.known);
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
  KnownForm::Remark remark;
  remark.set = n;
  remark.unusual =
      builder.has_odd_padding() || (set.numval() > 0 && set.format() == archive::kStatic);
  remark.padded = !builder.has_odd_padding();
  remark.whole = !steady;
  if (!steady) {
    known.remarks.push_back(remark);
    return true;
  }
  remark.state = static_cast<std::uint32_t>(state - states_.data());
  remark.descending = state->descending;
  remark.events = IsEvent(type);
  if (remark.unusual || remark.descending || remark.events) known.remarks.push_back(remark);
  known.metrics.push_back({remark.state, n});
  archive::InstanceCursor* const cursor = state->cursor;
  if (cursor == nullptr) return true;
  auto domain = std::ranges::find(known.domains, cursor, &KnownForm::Domain::cursor);
  if (domain == known.domains.end())
    domain = known.domains.insert(domain, {cursor, cursor->version(), {}});
  domain->metrics.push_back(known.metrics.back());
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
        !IsSteady(state, ValueSet(record.record.bytes, known.form.OffsetOf(metric.set)))) {
      return false;
    }
  }
  for (KnownForm::Domain& domain : known.domains) domain.version = domain.cursor->version();
  Follow(known);
  return true;
}

// Loosens the sets by which the record that has just been checked differs from the form, if that
// was of little use, and follows it again. False if there are none, or too many, or other things
// differ.
bool ValueChecker::LoosenFor(KnownForm& known, const DataRecord& record) {
  constexpr std::uint32_t kOfUse = 32;
  if (known.uses >= kOfUse || record.set_count != known.form.set_count()) return false;
  std::vector<RecordForm::Loosened> sets;
  std::vector<KnownForm::Remark> remarks;
  bool suits = true;
  std::uint32_t n = 0;
  record.ForEachSet([&](const ValueSet& set) {
    const std::uint32_t number = n++;
    suits = suits && known.form.MetricOf(number) == set.pmid();
    if (!suits || !known.form.HasOther(number, set, record.record.bytes)) return;
    const MetricState* const state = StateOf(set.pmid(), record);
    suits = state != nullptr;
    if (!suits) return;
    sets.push_back({number, state->type});
    KnownForm::Remark& remark = remarks.emplace_back();
    remark.set = number;
    remark.state = static_cast<std::uint32_t>(state - states_.data());
    remark.whole = remark.loose = true;
    remark.numval = set.numval();
  });
  if (!suits || sets.empty() || !known.form.Loosen(sets)) return false;
  const auto is_loose = [&](const auto& each) {
    return std::ranges::binary_search(sets, each.set, {}, &RecordForm::Loosened::set);
  };
  std::erase_if(known.metrics, is_loose);
  for (KnownForm::Domain& domain : known.domains) std::erase_if(domain.metrics, is_loose);
  std::erase_if(known.domains,
                [](const KnownForm::Domain& domain) { return domain.metrics.empty(); });
  std::erase_if(known.remarks, is_loose);
  known.remarks.insert(known.remarks.end(), remarks.begin(), remarks.end());
  std::ranges::sort(known.remarks, {}, &KnownForm::Remark::set);
  return Rejoin(known, record);
}

void ValueChecker::Follow(KnownForm& known) {
  known.uses = 0;
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
