// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_INSTANCE_PROFILE_H_
#define PMPROOF_REFERENCE_REPLAY_INSTANCE_PROFILE_H_

#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "reference/core/identifiers.h"

namespace pmproof::replay {

// Which instances are asked for: what pmAddProfile and pmDelProfile make of a context (INT-402). A
// value; at first all instances of all domains.
class InstanceProfile {
 public:
  // `indom` null with no instances: all instances of all domains; forgets what was said of single
  // domains. With a domain and no instances: all of that domain.
  void Add(Indom indom, std::span<const std::int32_t> instances) {
    if (indom.IsNull()) return Reset(true);
    Entry& entry = EntryOf(indom);
    if (instances.empty()) entry = {true, {}};
    for (const std::int32_t id : instances) {
      entry.include_all ? entry.others.erase(id) : InsertInto(&entry, id);
    }
  }

  void Delete(Indom indom, std::span<const std::int32_t> instances) {
    if (indom.IsNull()) return Reset(false);
    Entry& entry = EntryOf(indom);
    if (instances.empty()) entry = {false, {}};
    for (const std::int32_t id : instances) {
      entry.include_all ? InsertInto(&entry, id) : entry.others.erase(id);
    }
  }

  bool Includes(Indom indom, std::int32_t instance) const {
    const auto entry = entries_.find(indom);
    if (entry == entries_.end()) return include_all_;
    return entry->second.include_all != entry->second.others.contains(instance);
  }

 private:
  struct Entry {
    bool include_all = false;
    std::set<std::int32_t> others;  // those to which the opposite applies
  };

  static std::size_t InsertInto(Entry* entry, std::int32_t id) {
    return entry->others.insert(id).second ? 1 : 0;
  }

  // The first mention of a domain excludes all of its instances (INT-402).
  Entry& EntryOf(Indom indom) { return entries_.try_emplace(indom).first->second; }

  void Reset(bool include_all) {
    entries_.clear();
    include_all_ = include_all;
  }

  bool include_all_ = true;
  std::map<Indom, Entry> entries_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_INSTANCE_PROFILE_H_
