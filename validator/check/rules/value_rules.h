// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_VALUE_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_VALUE_RULES_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/instance_domain.h"
#include "reference/archive/reporter.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "validator/check/rules/event_forms.h"
#include "validator/check/rules/event_rules.h"
#include "validator/check/rules/form_table.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/series_state.h"

namespace pmproof::validator {

// How the values of a metric are looked at.
enum class ValueKind : std::uint8_t { kNumbers, kCounters, kBytes, kEvents };

// How the values of a set are stored (rule ARC-1814 compares these).
enum class FormatClass : std::uint8_t { kNone, kInsitu, kBlock };

// What one stretch of records showed of one metric, and what the next stretch has to be compared
// with.
struct MetricState {
  // What each set of the metric is held against comes first: there may be many metrics.
  Pmid pmid;
  std::uint32_t next = 0;  // the metric whose set followed last time
  bool met = false;        // by this stretch: else it is known from another one
  std::uint64_t last_record =
      0;                      // running number of the last record with a set: 0 none yet (ARC-1713)
  std::uint64_t epoch = 0;    // marks seen when the values were last compared (ARC-510)
  KnownForm* form = nullptr;  // where the values before are, if that is followed
  std::int32_t good_format = -1;  // of the last set that CheckFormat found good; -1: none yet
  MetricType type = MetricType::kUnknown;  // that of the descriptor
  ValueKind kind = ValueKind::kNumbers;
  // Nothing but the values of the next set needs to be looked at, if that has the same instances
  // and format, and the domain is as it was.
  bool steady = false;
  bool counter = false;
  bool shape_clean = false;                   // the instances of the last set broke no rule
  bool descending = false;                    // they were not in ascending order (ARC-1729)
  Clause identifier_rule;                     // the rule that the PMID itself breaks, if any
  archive::InstanceCursor* cursor = nullptr;  // of the domain, shared by its metrics
  std::uint64_t domain_version = 0;  // of the domain when the instances were compared with it
  SeriesState series;
  std::uint64_t last_change = 0;  // like last_record, of the last one with other instances

  const Descriptor* descriptor = nullptr;
  const archive::InstanceDomain* domain = nullptr;  // nothing: singular, or no record of the domain
  std::uint64_t last_form = 0;  // like last_record, of the last one that FormOf() looked at
  Timestamp first_use;
  std::optional<Timestamp> first_value;
  archive::Location first_value_at;
  FormatClass first_class = FormatClass::kNone;  // with its place
  archive::Location first_class_at;
  FormatClass last_class = FormatClass::kNone;
  // Of a counter: its first set, if no mark came before it; kUnknownFirst for values that cannot
  // be read. `first_set_at` is that of the pairs.
  std::vector<std::uint32_t> first_words;
  std::vector<CounterKey> first_keys;
  archive::Location first_set_at;
};

// Checks the values of a stretch of data records against the metadata and against each other (rules
// ARC-1713..1715, 1727..1729, 1801..1831). What crosses the beginning of the stretch is compared by
// ValueTotals. Costs a few instructions for each value of records that look like the ones before.
class ValueChecker {
 public:
  // `metrics` and `reporter` must outlive the checker.
  ValueChecker(const MetricTable& metrics, archive::Reporter& reporter);

  // `time_known` is false for a record whose own time is reported (ARC-1718, 1720, 1722): its
  // instances are not compared with their domain then, nor its events with its time.
  void Check(const archive::DataRecord& record, bool time_known);

  // The same of a record that was not decoded and whose own time is not reported, if it has the
  // form of one before; what decoding would have reported is reported. False, and nothing is done,
  // if it has none or breaks a rule about values: it is to be decoded then. The record is at least
  // as long as a mark.
  bool CheckAsBefore(const archive::RecordView& record, int version, Timestamp time);

  // After the last record: states() are complete from here on.
  void Settle();

  // What is known of metrics and of the forms of records, but nothing of what the records had in
  // them: a checker that uses it has less to learn, and finds what it would find without.
  struct Learned;
  // After Settle(), which it may do in its stead.
  Learned TakeLearned();
  // Before the first record. Of a checker for the same metrics and version.
  void Use(Learned learned);

  std::uint64_t values() const { return values_; }
  std::uint64_t not_compared() const {
    return not_compared_;
  }  // sets of records whose time is not known
  bool saw_mark() const { return epoch_ > 1; }
  const std::vector<MetricState>& states() const { return states_; }
  const EventParameters& event_parameters() const { return event_parameters_; }

  // True if the values of the state are still to be compared at the end: no mark came after them.
  bool Continues(const MetricState& state) const { return state.epoch == epoch_; }

 private:
  // The cursor of a domain, shared by its metrics.
  struct Followed {
    Followed(const archive::InstanceDomain& domain, Timestamp time) : cursor(domain, time) {}
    archive::InstanceCursor cursor;
    bool stale = false;  // it is at a time of another stretch
  };

  // Nothing for a metric without descriptor: there may be as many of them as there are value sets.
  MetricState* StateOf(Pmid pmid, const archive::DataRecord& record);
  void Meet(MetricState& state, const archive::DataRecord& record);
  void CheckSets(const archive::DataRecord& record, bool time_known);
  bool TakeAsBefore(const archive::DataRecord& record, const archive::ValueSet& set,
                    bool time_known);
  bool TakeSet(const archive::DataRecord& record, const archive::ValueSet& set, MetricState& state,
               bool time_known);
  bool TakeLoose(const archive::DataRecord& record, const archive::ValueSet& set,
                 MetricState& state);
  bool TakeInstances(const archive::DataRecord& record, const archive::ValueSet& set,
                     MetricState& state, bool time_known);
  bool TakeValues(const archive::DataRecord& record, const archive::ValueSet& set,
                  MetricState& state, bool time_known);
  void CheckSet(const archive::DataRecord& record, const archive::ValueSet& set, bool time_known);
  void ReportIdentifier(const archive::DataRecord& record, const archive::ValueSet& set,
                        Clause rule);
  void CheckCode(const archive::DataRecord& record, const archive::ValueSet& set);
  bool CheckFormat(const archive::DataRecord& record, const archive::ValueSet& set,
                   MetricState& state);
  void CheckShape(const archive::DataRecord& record, const archive::ValueSet& set,
                  MetricState& state, bool time_known);
  bool CheckSingular(const archive::DataRecord& record, const archive::ValueSet& set);
  void ReportDescending(const archive::DataRecord& record, const archive::ValueSet& set);
  bool LooksAsLast(const archive::ValueSet& set, const MetricState& state) const;
  void LookAtShape(const archive::DataRecord& record, const archive::ValueSet& set,
                   MetricState& state, bool follow);
  bool AreDistinct();
  bool ReportInstances(const archive::DataRecord& record, const archive::ValueSet& set);
  bool CheckDomain(const archive::DataRecord& record, const archive::ValueSet& set,
                   const MetricState& state);
  void CheckValues(const archive::DataRecord& record, const archive::ValueSet& set,
                   MetricState& state, bool time_known);
  void CheckEvents(const archive::DataRecord& record, const archive::ValueSet& set, MetricType type,
                   bool time_known);
  void ReportValues(const archive::DataRecord& record, const archive::ValueSet& set,
                    MetricState& state);
  void ReportEachValue(const archive::DataRecord& record, const archive::ValueSet& set,
                       MetricState& state);
  void Learn(const archive::DataRecord& record);
  std::optional<KnownForm> FormOf(const archive::DataRecord& record);
  bool AddTo(KnownForm& known, RecordForm::Builder& builder, const archive::DataRecord& record,
             const archive::ValueSet& set, std::uint32_t n);
  bool IsSteady(const MetricState& state, const archive::ValueSet& set) const;
  bool Rejoin(KnownForm& known, const archive::DataRecord& record);
  bool LoosenFor(KnownForm& known, const archive::DataRecord& record);
  void Renew(FormTable::Slot& slot, const archive::DataRecord& record);
  void MakeForm(FormTable::Slot& slot, const archive::DataRecord& record);
  bool KeepsInstances(KnownForm& known, Bytes record, KnownForm::Domain& domain);
  bool CheckApart(KnownForm& known, const archive::DataRecord& record,
                  const std::vector<std::uint32_t>& bad_sets);
  bool CountStatic(const archive::DataRecord& record, const archive::ValueSet& set);
  void CheckBadSet(KnownForm& known, std::uint32_t n, const archive::DataRecord& record);
  std::uint32_t NoteCalm(KnownForm::Remark* remark, const archive::ValueSet& set) const;
  MetricState& StateIn(const KnownForm& known, std::uint32_t n);
  void Follow(KnownForm& known);
  void Release(KnownForm& known);

  const MetricTable& metrics_;
  archive::Reporter& reporter_;
  std::vector<MetricState> states_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;
  std::unordered_map<Indom, Followed> cursors_;
  EventParameters event_parameters_;
  EventForms event_forms_;
  std::uint32_t previous_ = 0;  // state of the set before
  std::uint64_t records_ = 0;
  std::uint64_t epoch_ = 1;
  std::uint64_t values_ = 0;
  std::uint64_t not_compared_ = 0;
  // What was found of the instances in words_, if no rule was broken: the metrics of a domain
  // mostly have values of the same ones in a record.
  struct {
    const archive::InstanceCursor* cursor = nullptr;
    std::size_t version = 0;
    bool descending = false;
  } last_shape_;
  std::vector<std::uint32_t> words_;        // the instances of the last set that was looked at
  std::vector<std::uint32_t> slots_;        // scratch: a hash table
  std::vector<std::uint32_t> sorted_;       // scratch
  std::vector<CounterKey> fresh_;           // scratch: the keys of a set
  std::vector<CounterKey> nothing_before_;  // zeros
  FormTable forms_;
};

struct ValueChecker::Learned {
  std::vector<MetricState> states;  // none of them met
  std::unordered_map<std::uint32_t, std::uint32_t> index;
  std::unordered_map<Indom, Followed> cursors;  // stale
  FormTable forms;                              // none of them followed
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_VALUE_RULES_H_
