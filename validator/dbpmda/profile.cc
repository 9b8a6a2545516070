// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/profile.h"

#include <algorithm>

namespace pmproof::agent_script {

// An entry that names instances is made by the first of them, whatever it says: as none.
void ScriptProfile::Change(const ChangeProfile& change) {
  using What = ChangeProfile::Change;
  if (change.indom.IsNull()) {  // the whole of it
    excludes_ = change.change == What::kNone;
    entries_.clear();
    return;
  }
  auto found = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& entry) { return entry.indom == change.indom; });
  if (found == entries_.end()) {
    found = entries_.insert(found, {.indom = change.indom, .excludes = true});
  }
  if (change.change == What::kAll || change.change == What::kNone) {
    found->excludes = change.change == What::kNone;
    found->instances.clear();
    return;
  }
  auto& instances = found->instances;
  const auto at = std::find(instances.begin(), instances.end(), change.instance);
  const bool listed = (change.change == What::kAdd) == found->excludes;
  if (listed && at == instances.end()) instances.push_back(change.instance);
  if (!listed && at != instances.end()) instances.erase(at);
}

}  // namespace pmproof::agent_script
