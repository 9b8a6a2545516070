// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_ACTIVE_PROFILE_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_ACTIVE_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/pmda/pdu/stored_profile.h"

namespace pmproof::pmda {

// The profile in force: the last well-formed one, whoever's context it names (PMD-023); all
// instances at first (PMD-024). It answers what pdu::Profile::Includes answers, but for a domain at
// a time and not by a walk over all of the profile. Keeps its memory.
class ActiveProfile {
 public:
  void Assign(const pdu::Profile& profile);

  // As it came. Holds until the next Assign.
  const pdu::Profile& profile() const { return stored_.profile(); }

  // Which instances of one domain are wanted (PMD-025). Holds until the next Assign.
  class Selection {
   public:
    bool Includes(std::int32_t instance) const;

   private:
    friend class ActiveProfile;
    bool unlisted_ = true;                       // whether those that are not listed are wanted
    bool listed_ = true;                         // and those that are
    std::span<const std::int32_t> instances_{};  // ascending
  };
  Selection For(Indom indom) const;

 private:
  struct Entry {
    Indom indom{};
    std::size_t place = 0;  // among the entries of the profile: the first of a domain counts
    bool excludes = false;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  pdu::StoredProfile stored_;
  std::vector<std::int32_t> instances_;
  std::vector<Entry> entries_;  // ascending by domain, then by place
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_ACTIVE_PROFILE_H_
