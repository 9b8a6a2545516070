// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/active_profile.h"

#include <algorithm>
#include <tuple>

namespace pmproof::pmda {

void ActiveProfile::Assign(const pdu::Profile& profile) {
  stored_.Assign(profile);
  instances_.clear();
  entries_.clear();
  for (const pdu::ProfileEntry& entry : profile.entries) {
    const std::size_t begin = instances_.size();
    instances_.insert(instances_.end(), entry.instances.begin(), entry.instances.end());
    std::sort(instances_.begin() + static_cast<std::ptrdiff_t>(begin), instances_.end());
    entries_.push_back(
        {entry.indom, entries_.size(), entry.state != pdu::kInclude, begin, instances_.size()});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.indom, a.place) < std::tie(b.indom, b.place);
  });
}

ActiveProfile::Selection ActiveProfile::For(Indom indom) const {
  Selection selection;
  const auto entry = std::lower_bound(
      entries_.begin(), entries_.end(), indom,
      [](const Entry& candidate, Indom wanted) { return candidate.indom < wanted; });
  if (entry == entries_.end() || entry->indom != indom) {
    selection.unlisted_ = profile().state == pdu::kInclude;
    return selection;
  }
  selection.listed_ = entry->excludes;
  selection.unlisted_ = !entry->excludes;
  selection.instances_ = std::span(instances_).subspan(entry->begin, entry->end - entry->begin);
  return selection;
}

bool ActiveProfile::Selection::Includes(std::int32_t instance) const {
  return std::binary_search(instances_.begin(), instances_.end(), instance) ? listed_ : unlisted_;
}

}  // namespace pmproof::pmda
