// SPDX-License-Identifier: Apache-2.0
#include "validator/against/in_force.h"

namespace pmproof::validator::against {

std::optional<Mismatch> Compare(std::optional<std::string_view> was,
                                std::optional<std::string_view> is) {
  if (was == is) return std::nullopt;
  if (!is) return Mismatch{Change::kLost, *was, {}};
  if (!was) return Mismatch{Change::kAdded, {}, *is};
  return Mismatch{Change::kChanged, *was, *is};
}

void InForce::Set(std::int32_t item, const std::optional<Mismatch>& mismatch) {
  const auto found = open_.find(item);
  if (found != open_.end()) {
    if (mismatch && found->second.mismatch == *mismatch) return;
    Close(item, found->second);
    open_.erase(found);
  }
  if (!mismatch) return;
  open_.emplace(item, Open{*mismatch, std::nullopt});
  fresh_.push_back(item);
}

void InForce::Date(Timestamp time) {
  for (const std::int32_t item : fresh_) {
    const auto found = open_.find(item);
    if (found != open_.end() && !found->second.first) found->second.first = time;
  }
  fresh_.clear();
}

void InForce::Close(std::int32_t item, const Open& open) {
  if (!open.first) return;
  told_.insert(item);
  tell_(item, open.mismatch, *open.first, *looked_);
}

void InForce::End() {
  for (const auto& [item, open] : open_) Close(item, open);
  open_.clear();
}

}  // namespace pmproof::validator::against
