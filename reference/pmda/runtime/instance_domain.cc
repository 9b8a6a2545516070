// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/instance_domain.h"

#include <limits>

namespace pmproof::pmda {
namespace {

std::string_view FirstWord(std::string_view name) { return name.substr(0, name.find(' ')); }

}  // namespace

// A name that begins with a space has an empty first word, as another such name has: PDU-064.
bool InstanceDomain::Enter(std::size_t index) {
  Instance& instance = instances_[index];
  if (instance.active) return true;
  if (!by_first_word_.try_emplace(std::string(FirstWord(instance.name)), index).second) {
    return false;
  }
  instance.active = true;
  ++active_;
  return true;
}

bool InstanceDomain::Add(std::int32_t number, std::string_view name) {
  if (number < 0 || name.empty() || name.find('\0') != std::string_view::npos) return false;
  const auto named = by_name_.find(name);
  if (named != by_name_.end()) {
    return instances_[named->second].number == number && Enter(named->second);
  }
  if (by_number_.contains(number) || by_first_word_.contains(FirstWord(name))) return false;
  const std::size_t index = instances_.size();
  instances_.push_back({number, std::string(name), false});
  by_number_.emplace(number, index);
  by_name_.emplace(std::string(name), index);
  if (number >= next_ && number < std::numeric_limits<std::int32_t>::max()) next_ = number + 1;
  return Enter(index);
}

std::optional<std::int32_t> InstanceDomain::Activate(std::string_view name) {
  const auto named = by_name_.find(name);
  const std::int32_t number = named == by_name_.end() ? next_ : instances_[named->second].number;
  if (!Add(number, name)) return std::nullopt;
  return number;
}

void InstanceDomain::Deactivate(std::int32_t number) {
  const auto found = by_number_.find(number);
  if (found == by_number_.end() || !instances_[found->second].active) return;
  Instance& instance = instances_[found->second];
  by_first_word_.erase(std::string(FirstWord(instance.name)));
  instance.active = false;
  --active_;
}

void InstanceDomain::DeactivateAll() {
  for (Instance& instance : instances_) instance.active = false;
  by_first_word_.clear();
  active_ = 0;
}

const InstanceDomain::Instance* InstanceDomain::FindNumber(std::int32_t number) const {
  const auto found = by_number_.find(number);
  if (found == by_number_.end() || !instances_[found->second].active) return nullptr;
  return &instances_[found->second];
}

const InstanceDomain::Instance* InstanceDomain::FindName(std::string_view name) const {
  const bool one_word = name.find(' ') == std::string_view::npos;
  const TextIndex& index = one_word ? by_first_word_ : by_name_;
  const auto found = index.find(name);
  if (found == index.end() || !instances_[found->second].active) return nullptr;
  return &instances_[found->second];
}

}  // namespace pmproof::pmda
