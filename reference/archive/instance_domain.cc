// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/instance_domain.h"

#include <algorithm>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/core/large_pages.h"
#include "reference/core/sort_words.h"
#include "reference/core/stored_words.h"

namespace pmproof::archive {
namespace {

// The number of the first step that `is_before` says a time to come before. So many as are taken
// are known to come first, and most times are soon after those.
template <typename IsBefore>
std::size_t FirstAfter(const std::vector<InstanceDomain::Step>& steps, Timestamp time,
                       std::size_t taken, const IsBefore& is_before) {
  constexpr std::size_t kSoon = 4;
  const std::size_t soon = std::min(steps.size(), taken + kSoon);
  for (std::size_t at = taken; at < soon; ++at)
    if (is_before(time, steps[at])) return at;
  const auto from = static_cast<std::ptrdiff_t>(soon);
  return static_cast<std::size_t>(
      std::upper_bound(steps.begin() + from, steps.end(), time, is_before) - steps.begin());
}

}  // namespace

InstanceDomain::InstanceDomain(std::span<const IndomRecord* const> records) {
  ReserveInLargePages(records.size(), &steps_);
  for (const IndomRecord* record : records) {
    if (record->count > 0) steps_.push_back({record->time.Normalised(), record, 0});
  }
  const auto earlier = [](const Step& a, const Step& b) { return a.time < b.time; };
  if (!std::is_sorted(steps_.begin(), steps_.end(), earlier))
    std::stable_sort(steps_.begin(), steps_.end(), earlier);
  std::size_t full = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].record->delta) full = i;
    steps_[i].full = full;
  }
}

std::size_t InstanceDomain::StepsUntil(Timestamp time, std::size_t taken) const {
  const Timestamp until = time.Normalised();
  return FirstAfter(steps_, until, taken,
                    [](const Timestamp& t, const Step& step) { return t < step.time; });
}

std::map<Indom, InstanceDomain> CollectDomains(std::span<const IndomRecord> records) {
  std::map<Indom, std::vector<const IndomRecord*>> by_domain;
  for (const IndomRecord& record : records) by_domain[record.indom].push_back(&record);
  std::map<Indom, InstanceDomain> domains;
  for (const auto& [indom, own] : by_domain) domains.emplace(indom, InstanceDomain(own));
  return domains;
}

void InstanceCursor::AdvanceToStep(std::size_t count) {
  const std::vector<InstanceDomain::Step>& steps = domain_->steps();
  count = std::min(count, steps.size());
  if (count <= taken_) return;
  // A full record replaces all that was before it.
  for (std::size_t i = std::max(taken_, steps[count - 1].full); i < count; ++i)
    Take(*steps[i].record);
  taken_ = count;
}

std::optional<std::string_view> InstanceCursor::Name(std::int32_t id) const {
  const Entry entry = Find(id);
  if (entry.record == nullptr) return std::nullopt;
  return NameOf(entry);
}

InstanceCursor::Entry InstanceCursor::Find(std::int32_t id) const {
  if (!changes_.empty()) {
    if (const auto change = changes_.find(id); change != changes_.end()) return change->second;
  }
  // Few searches cost less than sorting.
  constexpr int kFewSearches = 32;
  if (!sorted_ && searches_ < kFewSearches) {
    ++searches_;
    std::uint32_t word = 0;
    StoreU32(reinterpret_cast<std::uint8_t*>(&word), static_cast<std::uint32_t>(id));
    const std::size_t at = FindWord(full_->Ids(), full_->count, word);
    return at == full_->count ? Entry() : Entry{full_, static_cast<std::uint32_t>(at)};
  }
  Sort();
  const auto found = std::lower_bound(instances_.begin(), instances_.end(), id, IsBelow);
  return found != instances_.end() && found->id == id ? found->entry : Entry();
}

bool InstanceCursor::HasInOrder(std::span<const std::uint32_t> words) const {
  if (full_ == nullptr || !full_->distinct || !changes_.empty()) return false;
  const std::uint8_t* const ids = full_->Ids();
  std::size_t at = 0;
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t soon = std::min<std::size_t>(kSoon, full_->count - at);
    const std::size_t skipped = FindWord(ids + 4 * at, soon, words[i]);
    if (skipped == soon) return false;
    at += skipped;
    const std::size_t most = std::min(full_->count - at, words.size() - i);
    const std::size_t common = CommonWords(ids + 4 * at, words.data() + i, most);
    at += common;
    i += common;
  }
  return true;
}

void InstanceCursor::Take(const IndomRecord& record) {
  if (record.delta) {
    TakeDelta(record);
  } else {
    TakeFull(record);
  }
}

void InstanceCursor::TakeFull(const IndomRecord& record) {
  changes_.clear();
  full_ = &record;
  sorted_ = false;
  searches_ = 0;
  if (!record.distinct) Sort();
  size_ = sorted_ ? instances_.size() : record.count;
}

void InstanceCursor::Sort() const {
  if (sorted_) return;
  sorted_ = true;
  // Words that sort as the identifiers do, those of the same in the order of the record.
  std::vector<std::uint64_t> order(full_->count);
  for (std::uint32_t i = 0; i < full_->count; ++i) {
    order[i] = std::uint64_t{static_cast<std::uint32_t>(full_->Id(i)) ^ 0x80000000} << 32 | i;
  }
  SortByUpperHalf(order);
  instances_.clear();
  for (const std::uint64_t word : order) {
    const auto id = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32) ^ 0x80000000);
    if (!instances_.empty() && instances_.back().id == id) continue;
    instances_.push_back({id, {full_, static_cast<std::uint32_t>(word)}});
  }
}

void InstanceCursor::TakeDelta(const IndomRecord& record) {
  // A few changes of few instances are made at once: each moves what comes after it.
  constexpr std::size_t kFewInstances = 64;
  if (changes_.empty() && record.count <= kFewInstances &&
      (sorted_ ? instances_.size() : full_->count) <= kFewInstances) {
    Sort();
    full_ = nullptr;
    for (std::uint32_t i = 0; i < record.count; ++i) Change(record, i);
    size_ = instances_.size();
    return;
  }
  for (std::uint32_t i = 0; i < record.count; ++i) {
    const bool deletion = record.NameOffset(i) < 0;
    const std::int32_t id = record.Id(i);
    if (Contains(id) != deletion) continue;
    changes_[id] = deletion ? Entry() : Entry{&record, i};
    size_ = deletion ? size_ - 1 : size_ + 1;
  }
  constexpr std::size_t kFewChanges = 64;
  const std::size_t unchanged = sorted_ ? instances_.size() : full_->count;
  if (changes_.size() > kFewChanges + unchanged / 4) Fold();
}

// Makes one change of a delta in the instances.
void InstanceCursor::Change(const IndomRecord& record, std::uint32_t i) {
  const std::int32_t id = record.Id(i);
  const auto found = std::lower_bound(instances_.begin(), instances_.end(), id, IsBelow);
  const bool present = found != instances_.end() && found->id == id;
  if (record.NameOffset(i) < 0) {
    if (present) instances_.erase(found);
  } else if (!present) {
    instances_.insert(found, {id, {&record, i}});
  }
}

// Makes the changes part of the instances. So many changes came first that this costs each little.
void InstanceCursor::Fold() {
  std::vector<Instance> folded;
  folded.reserve(instances_.size() + changes_.size());
  Merge([&](std::int32_t id, const Entry& entry) { folded.push_back({id, entry}); });
  instances_ = std::move(folded);
  full_ = nullptr;
  changes_.clear();
}

}  // namespace pmproof::archive
