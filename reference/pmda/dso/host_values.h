// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_HOST_VALUES_H_
#define PMPROOF_REFERENCE_PMDA_DSO_HOST_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "reference/pmda/dso/interface.h"
#include "reference/pmda/pdu/result_pdus.h"
#include "reference/pmda/pdu/session_pdus.h"

// PDUs that a host hands to functions as structures of 11.3, which stay its own.

namespace pmproof::dso {

// A profile as profile() takes it. The agent keeps the pointer: lives until the next profile()
// call has returned (DSO-024). Neither copied nor moved.
class HostProfile {
 public:
  explicit HostProfile(const pdu::Profile& profile);
  HostProfile(const HostProfile&) = delete;
  HostProfile& operator=(const HostProfile&) = delete;

  Profile* get() { return &profile_; }

 private:
  std::vector<std::int32_t> instances_;
  std::vector<ProfileEntry> entries_;
  Profile profile_{};
};

// A store as store() takes it (DSO-029). Of the time there is nothing to hand on (PDU-114).
class HostStore {
 public:
  explicit HostStore(const pdu::Result& request);
  HostStore(const HostStore&) = delete;
  HostStore& operator=(const HostStore&) = delete;

  Result* get() { return result_; }

 private:
  // Memory aligned for any of the structures; holds as long as this.
  void* Allocate(std::size_t size);
  ValueSet* MakeSet(const pdu::ValueSet& set);

  std::vector<std::unique_ptr<std::max_align_t[]>> memory_;
  Result* result_ = nullptr;
};

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_HOST_VALUES_H_
