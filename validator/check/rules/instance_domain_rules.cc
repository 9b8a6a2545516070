// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/instance_domain_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/archive/instance_domain.h"
#include "reference/core/identifiers.h"
#include "reference/core/printable.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {
namespace {

using archive::DescRecord;
using archive::Details;
using archive::IndomRecord;
using archive::InstanceCursor;
using archive::InstanceDomain;
using archive::Location;
using archive::Metadata;
using archive::Reporter;

constexpr std::size_t kTime = 8;  // offset of the timestamp (ARC-340)

Location TimeAt(const IndomRecord& record) {
  return record.record.At(kTime, record.identifiers - kTime - 8);
}

// True if entry `i` of a full record has that name, which holds no NUL.
bool HasName(const IndomRecord& record, std::uint32_t i, std::string_view name) {
  const auto begin = static_cast<std::size_t>(record.NameOffset(i));
  const std::string_view stored = record.Strings().substr(begin);
  return stored.starts_with(name) && (stored.size() == name.size() || stored[name.size()] == 0);
}

// The names that instances had, and the instances that had a name, over the time of one domain.
class NameHistory {
 public:
  explicit NameHistory(Reporter& reporter) : reporter_(reporter) {}

  // Entry `i` of `record` gives an instance its name; `now` is the state that the record leads to.
  void Learn(const IndomRecord& record, std::uint32_t i, const InstanceCursor& now, bool report);

 private:
  Reporter& reporter_;
  // Ordered, not hashed: chosen identifiers and names cannot make these slow.
  std::map<std::int32_t, std::string_view> names_;
  std::map<std::string_view, std::int32_t> ids_;
};

void NameHistory::Learn(const IndomRecord& record, std::uint32_t i, const InstanceCursor& now,
                        bool report) {
  const std::int32_t id = record.Id(i);
  const std::string_view name = *record.Name(i);
  const auto [known, new_id] = names_.try_emplace(id, name);
  const std::string_view was = std::exchange(known->second, name);
  if (!new_id && was != name && report) {
    reporter_.Report("ARC-1424"_clause, record.NameOffsetAt(i), [&] {
      return Details{"instance name", Printable(name), Printable(was),
                     "instance " + std::to_string(id) + " of " + ToText(record.indom) +
                         " had another name before"};
    });
  }
  const auto [holder, new_name] = ids_.try_emplace(name, id);
  const std::int32_t held_by = std::exchange(holder->second, id);
  // Two instances that have one name at the same time are a matter of ARC-1409.
  if (!new_name && held_by != id && report && now.Name(held_by) != name) {
    reporter_.Report("ARC-1425"_clause, record.IdAt(i), [&] {
      return Details{"instance identifier", std::to_string(id), std::to_string(held_by),
                     "the name " + Printable(name) + " in " + ToText(record.indom) +
                         " belonged to another instance before"};
    });
  }
}

// Follows one instance domain through time.
class DomainChecker {
 public:
  DomainChecker(const InstanceDomain& domain, bool complete, Reporter& reporter)
      : domain_(domain),
        complete_(complete),
        reporter_(reporter),
        cursor_(domain),
        history_(reporter) {}

  void Check();

  // Deltas that stand before their full record in the file.
  const std::vector<const IndomRecord*>& misplaced() const { return misplaced_; }

 private:
  void CheckStep(std::size_t step);
  void FindNamed(const IndomRecord& record);
  void CheckDelta(std::size_t step);
  void CheckChanges(const IndomRecord& delta);

  const InstanceDomain& domain_;
  bool complete_;
  Reporter& reporter_;
  InstanceCursor cursor_;
  NameHistory history_;
  std::uint64_t first_full_ = std::numeric_limits<std::uint64_t>::max();  // in the file
  bool tangled_ = false;  // the names of the current state are better not read one by one
  std::vector<std::uint32_t> named_;
  std::vector<std::pair<std::int32_t, std::uint32_t>> by_id_;
  std::vector<const IndomRecord*> misplaced_;
};

void DomainChecker::Check() {
  for (const InstanceDomain::Step& step : domain_.steps()) {
    if (!step.record->delta) first_full_ = std::min(first_full_, step.record->record.offset);
  }
  for (std::size_t i = 0; i < domain_.steps().size(); ++i) CheckStep(i);
}

void DomainChecker::CheckStep(std::size_t i) {
  const std::vector<InstanceDomain::Step>& steps = domain_.steps();
  const IndomRecord& record = *steps[i].record;
  const bool same_time = i > 0 && steps[i].time == steps[i - 1].time;
  if (same_time) {
    // Of two full records the last one wins (ARC-346). With a delta among them readers differ, or
    // fail (ARC-374).
    const bool with_delta = record.delta || steps[i - 1].record->delta;
    reporter_.Report(
        "ARC-1422"_clause, TimeAt(record),
        [&] {
          return Details{"timestamp", ToIsoText(record.time), "one record for a time",
                         "another record of " + ToText(record.indom) +
                             " has this time, the one at offset " +
                             std::to_string(steps[i - 1].record->record.offset)};
        },
        with_delta ? archive::Gravity::kAsCatalogued : archive::Gravity::kWarning);
  } else if (record.delta) {
    CheckDelta(i);
  }

  const bool readable = !record.tangled() && !tangled_;
  tangled_ = record.tangled() || (record.delta && tangled_);
  const std::size_t size_before = cursor_.size();
  named_.clear();
  if (readable) FindNamed(record);
  cursor_.AdvanceToStep(i + 1);
  if (i > 0 && !same_time && !record.delta && readable && named_.empty() &&
      cursor_.size() == size_before) {
    reporter_.Report("ARC-1423"_clause, record.record.Whole(), [&] {
      return Details{"INDOM", "", "",
                     "the record repeats the instances that " + ToText(record.indom) + " has"};
    });
  }
  for (const std::uint32_t k : named_) {
    // What a delta adds in vain, and the second of two equal identifiers, name nothing.
    if (cursor_.Name(record.Id(k)) == record.Name(k)) {
      history_.Learn(record, k, cursor_, !same_time);
    }
  }
}

// Fills named_ with the entries that give an instance another name than the one it has now. Records
// mostly repeat the one before in its order: what comes next there is looked at before a search.
void DomainChecker::FindNamed(const IndomRecord& record) {
  constexpr std::uint32_t kSoon = 8;
  const IndomRecord* const before = cursor_.record();
  if (before != nullptr && record.fresh() != nullptr &&
      record.fresh()->before == before->record.offset) {
    for (const std::uint32_t k : record.fresh()->entries) {
      if (cursor_.Name(record.Id(k)) != record.Name(k)) named_.push_back(k);
    }
    return;
  }
  const std::uint32_t listed = before == nullptr ? 0 : before->count;
  std::uint32_t next = 0;
  for (std::uint32_t k = 0; k < record.count; ++k) {
    const std::optional<std::string_view> name = record.Name(k);
    if (!name) continue;
    const std::int32_t id = record.Id(k);
    const std::uint32_t soon = std::min(listed, next + kSoon);
    std::uint32_t at = next;
    while (at < soon && before->Id(at) != id) ++at;
    if (at < soon) next = at + 1;
    const bool same = at < soon ? HasName(*before, at, *name) : cursor_.Name(id) == name;
    if (!same) named_.push_back(k);
  }
}

void DomainChecker::CheckDelta(std::size_t i) {
  const std::vector<InstanceDomain::Step>& steps = domain_.steps();
  const IndomRecord& record = *steps[i].record;
  if (steps[steps[i].full].record->delta) {
    // A full record with the same time is a matter of ARC-1422.
    const auto full = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(i), steps.end(),
                                   [&](const InstanceDomain::Step& step) {
                                     return step.time > steps[i].time || !step.record->delta;
                                   });
    if (!complete_ || (full != steps.end() && full->time == steps[i].time)) return;
    reporter_.Report("ARC-1414"_clause, record.record.Whole(), [&] {
      return Details{
          "INDOM_DELTA", "", "",
          "no full record of " + ToText(record.indom) + " comes before the delta in time"};
    });
    return;
  }
  if (record.record.offset < first_full_) {
    misplaced_.push_back(&record);
    reporter_.Report("ARC-1430"_clause, record.record.Whole(), [&] {
      return Details{"INDOM_DELTA", "offset " + std::to_string(record.record.offset),
                     "after offset " + std::to_string(first_full_),
                     "the delta of " + ToText(record.indom) +
                         " stands before the full record that it applies to"};
    });
  }
  if (complete_) CheckChanges(record);
}

// Holds the changes of a delta against the current state, in their order for each instance.
void DomainChecker::CheckChanges(const IndomRecord& delta) {
  by_id_.clear();
  for (std::uint32_t i = 0; i < delta.count; ++i) by_id_.emplace_back(delta.Id(i), i);
  std::sort(by_id_.begin(), by_id_.end());
  bool present = false;
  for (std::size_t k = 0; k < by_id_.size(); ++k) {
    const auto [id, i] = by_id_[k];
    if (k == 0 || by_id_[k - 1].first != id) present = cursor_.Contains(id);
    const bool deletion = delta.NameOffset(i) < 0;
    if (deletion != present) {
      reporter_.Report(deletion ? "ARC-1416"_clause : "ARC-1415"_clause, delta.IdAt(i), [&] {
        return Details{"instance identifier", std::to_string(by_id_[k].first), "",
                       deletion ? "the delta deletes an instance that is not there"
                                : "the delta adds an instance that is there already"};
      });
    }
    present = !deletion;
  }
}

// ARC-1413 and ARC-1428: the domains held against the descriptors that name them.
void CheckUse(const Metadata& metadata, Reporter& reporter) {
  if (!metadata.Complete()) return;
  std::map<Indom, const DescRecord*> first_use;
  for (const DescRecord& desc : metadata.descs) first_use.try_emplace(desc.descriptor.indom, &desc);
  std::map<Indom, const IndomRecord*> first_record;
  for (const IndomRecord& record : metadata.indoms) {
    if (!record.indom.flag()) first_record.try_emplace(record.indom, &record);
  }
  for (const auto& entry : first_record) {
    const IndomRecord& record = *entry.second;
    const auto use = first_use.find(record.indom);
    if (use == first_use.end()) {
      reporter.Report("ARC-1413"_clause, record.IndomAt(), [&] {
        return Details{"pmInDom", ToText(record.indom), "",
                       "no descriptor names the instance domain"};
      });
      continue;
    }
    const std::uint64_t used_at = use->second->record.offset;
    if (used_at < record.record.offset) continue;
    reporter.Report("ARC-1428"_clause, record.record.Whole(), [&] {
      return Details{"INDOM", "offset " + std::to_string(record.record.offset),
                     "after offset " + std::to_string(used_at),
                     "the instance domain " + ToText(record.indom) +
                         " stands before the first descriptor that names it"};
    });
  }
}

// ARC-1426. `misplaced` is sorted; its deltas are at the wrong place and say nothing of the others.
void CheckOrder(const Metadata& metadata, const std::vector<const IndomRecord*>& misplaced,
                Reporter& reporter) {
  const IndomRecord* previous = nullptr;
  for (const IndomRecord& record : metadata.indoms) {
    if (std::binary_search(misplaced.begin(), misplaced.end(), &record)) continue;
    if (previous != nullptr && record.time.Normalised() < previous->time.Normalised()) {
      reporter.Report("ARC-1426"_clause, TimeAt(record), [&] {
        return Details{"timestamp", ToIsoText(record.time), ">= " + ToIsoText(previous->time),
                       "the instance domain is older than the one before it in the file"};
      });
    }
    previous = &record;
  }
}

}  // namespace

void CheckInstanceDomains(const Metadata& metadata, int /*version*/, Reporter& reporter) {
  CheckUse(metadata, reporter);
  std::vector<const IndomRecord*> misplaced;
  for (const auto& [indom, domain] : archive::CollectDomains(metadata.indoms)) {
    if (indom.flag()) continue;  // ARC-1412
    DomainChecker checker(domain, metadata.Complete(), reporter);
    checker.Check();
    misplaced.insert(misplaced.end(), checker.misplaced().begin(), checker.misplaced().end());
  }
  std::sort(misplaced.begin(), misplaced.end());
  CheckOrder(metadata, misplaced, reporter);
}

}  // namespace pmproof::validator
