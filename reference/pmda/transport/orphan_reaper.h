// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_ORPHAN_REAPER_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_ORPHAN_REAPER_H_

#include <sys/types.h>

#include <set>
#include <utility>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/process_info.h"

namespace pmproof::pmda {

// The last net, for a command's main() and for tests: makes this process the subreaper of all below
// it (PR_SET_CHILD_SUBREAPER, an attribute of the whole process), so that what escapes even a
// guardian, because it killed that, becomes a child of this process and can be ended.
//
// Only for a program whose other children existed before, or are not waited for at the same time.
class OrphanReaper {
 public:
  // The children that exist now are never touched.
  static Result<OrphanReaper> Become();

  // Children that have come since then. While an AgentProcess lives its guardian is one of them.
  std::vector<ProcessInfo> Orphans() const;

  // Kills and reaps all of Orphans() and whatever is below them, over and over until none is left.
  // Call it when no AgentProcess lives. False: some were left at the deadline.
  bool Sweep(Deadline deadline) const;

 private:
  explicit OrphanReaper(std::set<pid_t> older) : older_(std::move(older)) {}

  std::set<pid_t> older_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_ORPHAN_REAPER_H_
