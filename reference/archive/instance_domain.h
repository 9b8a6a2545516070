// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_INSTANCE_DOMAIN_H_
#define PMPROOF_REFERENCE_ARCHIVE_INSTANCE_DOMAIN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/archive/indom_record.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// One instance domain over the time of an archive: its records, full and delta, in the order of
// time (ARC-346, ARC-347, ARC-371). A value; the records and their bytes must outlive it.
class InstanceDomain {
 public:
  struct Step {
    Timestamp time;  // normalised
    const IndomRecord* record = nullptr;
    std::size_t full = 0;  // the last step up to this one with a full record, else the first step

    friend bool operator==(const Step&, const Step&) = default;
  };

  InstanceDomain() = default;

  // `records` are those of one domain in file order. Records without instances are left out, as
  // readers do (ARC-345); of records with equal times the later one in the file comes later.
  explicit InstanceDomain(std::span<const IndomRecord* const> records);

  const std::vector<Step>& steps() const { return steps_; }

  // How many steps are at `time` or before. `taken` of them are known to be: a few more cost no
  // search.
  std::size_t StepsUntil(Timestamp time, std::size_t taken = 0) const;

 private:
  std::vector<Step> steps_;
};

// The domains of an archive. `records` (Metadata::indoms) must outlive the result.
std::map<Indom, InstanceDomain> CollectDomains(std::span<const IndomRecord> records);

// The instances of a domain at one time after the other. Moving forward over all steps is linear in
// the bytes of their records (times a logarithm); memory is that of one state of the domain. Names
// are views into the records. The domain must outlive the cursor.
//
// Where a delta is at odds with what it applies to: an instance that is added again keeps its name,
// one that is deleted and not there is ignored, and within a delta the changes apply in order
// (ARC-372, ARC-373). Of an identifier that occurs twice in a full record the first occurrence
// counts (ARC-1408).
//
// One thread at a time, also of its const functions: the instances of a record are sorted when that
// is of use.
class InstanceCursor {
 public:
  // Before the first record.
  explicit InstanceCursor(const InstanceDomain& domain) : domain_(&domain) {}
  InstanceCursor(const InstanceDomain& domain, Timestamp time) : domain_(&domain) {
    AdvanceTo(time);
  }

  // Moves on to `time`; a time before the current one changes nothing.
  void AdvanceTo(Timestamp time) {
    const std::vector<InstanceDomain::Step>& steps = domain_->steps();
    if (taken_ == steps.size() || (time.IsNormalised() && time < steps[taken_].time)) return;
    AdvanceToStep(domain_->StepsUntil(time, taken_));
  }

  // Moves on until `count` steps of the domain have been taken; never back.
  void AdvanceToStep(std::size_t count);

  // False before the first record (PM_ERR_INDOM_LOG, ARC-346).
  bool exists() const { return taken_ > 0; }

  // The number of steps taken: equal numbers of one domain mean equal instances, for every cursor.
  std::size_t version() const { return taken_; }

  // How many instances there are.
  std::size_t size() const { return size_; }

  // The record that all instances are from, each of its entries being one; null if there is none.
  const IndomRecord* record() const {
    return full_ != nullptr && changes_.empty() && size_ == full_->count ? full_ : nullptr;
  }

  bool Contains(std::int32_t id) const { return Find(id).record != nullptr; }

  // True if it is known at little cost that the words, identifiers as stored, are distinct ones of
  // the domain: those of its last record in their order, but for a few. False says nothing.
  bool HasInOrder(std::span<const std::uint32_t> words) const;

  // Calls lacking(i) for each i below `count` whose id(i) is not in the domain. Identifiers in the
  // order of the last record, which is that of most value sets, cost a step each and no search;
  // ascending ones likewise where a delta has changed few.
  template <typename Id, typename Lacking>
  void ForEachLacking(std::uint32_t count, const Id& id, const Lacking& lacking) const {
    const bool changed = full_ == nullptr;
    const std::size_t known = changed ? instances_.size() : full_->count;
    const auto listed = static_cast<std::uint32_t>(changes_.empty() ? known : 0);
    const auto listed_id = [&](std::uint32_t k) {
      return changed ? instances_[k].id : full_->Id(k);
    };
    std::uint32_t next = 0;  // after the last one that was found
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::int32_t wanted = id(i);
      const std::uint32_t soon = std::min(listed, next + kSoon);
      std::uint32_t at = next;
      while (at < soon && listed_id(at) != wanted) ++at;
      if (at < soon) {
        next = at + 1;
      } else if (const Entry entry = Find(wanted); entry.record == nullptr) {
        lacking(i);
      } else if (!changed) {
        next = entry.index + 1;
      }
    }
  }

  // Nothing if the instance is not in the domain.
  std::optional<std::string_view> Name(std::int32_t id) const;

  // Calls visit(std::int32_t id, std::string_view name) in ascending order of identifiers.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    Merge([&](std::int32_t id, const Entry& entry) { visit(id, NameOf(entry)); });
  }

 private:
  // So far ahead an identifier is looked for before a search.
  static constexpr std::uint32_t kSoon = 8;

  // Where an instance's name stands; no record: the instance is deleted, or never was.
  struct Entry {
    const IndomRecord* record = nullptr;
    std::uint32_t index = 0;
  };
  struct Instance {
    std::int32_t id = 0;
    Entry entry;
  };

  static bool IsBelow(const Instance& a, std::int32_t b) { return a.id < b; }
  static std::string_view NameOf(const Entry& entry) {
    return entry.record->Name(entry.index).value();
  }
  Entry Find(std::int32_t id) const;
  void Sort() const;
  void Take(const IndomRecord& record);
  void TakeFull(const IndomRecord& record);
  void TakeDelta(const IndomRecord& record);
  void Change(const IndomRecord& record, std::uint32_t i);
  void Fold();

  // Calls take(id, const Entry&) for each present instance in ascending order.
  template <typename Take>
  void Merge(Take&& take) const {
    Sort();
    auto change = changes_.begin();
    const auto take_change = [&] {
      if (change->second.record != nullptr) take(change->first, change->second);
      ++change;
    };
    for (const Instance& instance : instances_) {
      while (change != changes_.end() && change->first < instance.id) take_change();
      if (change != changes_.end() && change->first == instance.id) {
        take_change();
      } else {
        take(instance.id, instance.entry);
      }
    }
    while (change != changes_.end()) take_change();
  }

  const InstanceDomain* domain_;
  std::size_t taken_ = 0;
  std::size_t size_ = 0;
  const IndomRecord* full_ = nullptr;        // what instances_ are made of, if of one record alone
  mutable std::vector<Instance> instances_;  // ascending, distinct
  mutable bool sorted_ = true;  // false: instances_ are not yet those of full_, which are distinct
  mutable int searches_ = 0;    // of full_ since then
  std::map<std::int32_t, Entry> changes_;  // of the deltas since; few compared with instances_
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_INSTANCE_DOMAIN_H_
