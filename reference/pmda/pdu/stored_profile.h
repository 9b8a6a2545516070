// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_STORED_PROFILE_H_
#define PMPROOF_REFERENCE_PMDA_PDU_STORED_PROFILE_H_

#include <cstdint>
#include <vector>

#include "reference/pmda/pdu/session_pdus.h"

namespace pmproof::pdu {

// A profile that stays in force until the next one (PMD-023): PROFILE itself is a view of what its
// decoder will use again. All instances at first (PMD-024). Keeps its memory.
class StoredProfile {
 public:
  StoredProfile() = default;
  StoredProfile(const StoredProfile&) = delete;
  StoredProfile& operator=(const StoredProfile&) = delete;

  void Assign(const Profile& profile);

  // Holds until the next Assign.
  const Profile& profile() const { return profile_; }

 private:
  std::vector<std::int32_t> instances_;
  std::vector<ProfileEntry> entries_;
  Profile profile_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_STORED_PROFILE_H_
