// SPDX-License-Identifier: Apache-2.0
#include "generators/story/domain_state.h"

#include <algorithm>

namespace pmproof::generators {

DomainState::DomainState(const DomainSetup& setup)
    : stem_(setup.stem),
      indom_(Indom::Of(setup.agent, setup.serial)),
      instances_(setup.instances) {}

bool DomainState::Has(std::int32_t instance) const {
  return std::ranges::binary_search(instances_, instance);
}

std::int32_t DomainState::NumberOf(std::int32_t instance) const {
  const auto found = numbers_.find(instance);
  return found == numbers_.end() ? instance : found->second;
}

bool DomainState::IsNumberTaken(std::int32_t number) const {
  if (Has(number) && numbers_.count(number) == 0) return true;
  return std::ranges::any_of(numbers_, [&](const auto& instance) {
    return instance.second == number && Has(instance.first);
  });
}

void DomainState::Add(std::int32_t instance) {
  if (written_) changes_.emplace(instance, std::nullopt);
  instances_.insert(std::ranges::lower_bound(instances_, instance), instance);
}

void DomainState::Remove(std::int32_t instance) {
  if (written_) changes_.emplace(instance, NumberOf(instance));
  instances_.erase(std::ranges::lower_bound(instances_, instance));
}

void DomainState::Change(const DomainChange& change) {
  using Kind = DomainChange::Kind;
  const std::int32_t instance = change.instance;
  if (change.kind == Kind::kAppear) {
    if (instance < 0 || Has(instance) || IsNumberTaken(NumberOf(instance))) return;
    Add(instance);
  } else if (change.kind == Kind::kVanish) {
    if (!Has(instance) || instances_.size() == 1) return;
    Remove(instance);
  } else {
    if (!Has(instance) || change.by < 0 || Has(change.by)) return;
    const std::int32_t number = NumberOf(instance);
    Remove(instance);
    Add(change.by);
    if (number == change.by) {
      numbers_.erase(change.by);
    } else {
      numbers_[change.by] = number;
    }
  }
  DropIfUndone(instance);
  if (change.kind == Kind::kReplace) DropIfUndone(change.by);
}

// What is again as the archive says is not a change.
void DomainState::DropIfUndone(std::int32_t instance) {
  const auto found = changes_.find(instance);
  if (found == changes_.end()) return;
  const std::optional<std::int32_t> number = found->second;
  const bool undone = number ? Has(instance) && NumberOf(instance) == *number : !Has(instance);
  if (undone) changes_.erase(found);
}

void DomainState::Forget() {
  written_ = false;
  changes_.clear();
}

archive::IndomModel DomainState::Record(Timestamp time, int version) {
  archive::IndomModel record;
  record.time = time;
  record.indom = indom_;
  const bool renamed = std::ranges::any_of(
      changes_, [this](const auto& entry) { return entry.second && Has(entry.first); });
  record.delta = version == 3 && written_ && !renamed && changes_.size() <= instances_.size();
  if (record.delta) {
    for (const auto& [instance, number] : changes_) {
      record.instances.push_back(
          {instance, number ? std::nullopt : std::optional(NameOf(NumberOf(instance)))});
    }
  } else {
    record.instances.reserve(instances_.size());
    for (const std::int32_t instance : instances_) {
      record.instances.push_back({instance, NameOf(NumberOf(instance))});
    }
  }
  written_ = true;
  changes_.clear();
  return record;
}

}  // namespace pmproof::generators
