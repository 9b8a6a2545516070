// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_PROFILE_H_
#define PMPROOF_VALIDATOR_DBPMDA_PROFILE_H_

#include <cstdint>
#include <vector>

#include "validator/dbpmda/command.h"

namespace pmproof::agent_script {

// The profile that a script keeps (PMD-406). A value.
class ScriptProfile {
 public:
  struct Entry {
    Indom indom{};
    bool excludes = false;
    std::vector<std::int32_t> instances{};
  };

  void Change(const ChangeProfile& change);
  const std::vector<Entry>& entries() const { return entries_; }
  bool excludes() const { return excludes_; }

 private:
  bool excludes_ = false;
  std::vector<Entry> entries_;
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_PROFILE_H_
