// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/stored_profile.h"

namespace pmproof::pdu {

void StoredProfile::Assign(const Profile& profile) {
  std::size_t count = 0;
  for (const ProfileEntry& entry : profile.entries) count += entry.instances.size();
  instances_.clear();
  instances_.reserve(count);  // so that the entries can refer to it while it is filled
  entries_.clear();
  for (const ProfileEntry& entry : profile.entries) {
    const std::size_t first = instances_.size();
    instances_.insert(instances_.end(), entry.instances.begin(), entry.instances.end());
    entries_.push_back({entry.indom, entry.state, std::span(instances_).subspan(first)});
  }
  profile_ = {profile.context, profile.state, entries_};
}

}  // namespace pmproof::pdu
