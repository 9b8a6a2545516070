// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_LINK_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_LINK_H_

#include <sys/types.h>

#include <optional>

#include "reference/core/status.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/descriptor.h"
#include "reference/pmda/transport/guardian.h"

namespace pmproof::pmda {

// This process's side of a guardian: a child to be reaped and a channel to it. A resource.
class GuardianLink {
 public:
  // Forks. `task` has all but the guardian's end of the channel, and need not outlive the call.
  static Result<GuardianLink> Fork(GuardianTask task);

  GuardianLink(GuardianLink&& other) noexcept;
  GuardianLink& operator=(GuardianLink&&) = delete;

  // Lets go: the guardian kills what is left and ends. It is reaped if that is soon.
  ~GuardianLink();

  pid_t process() const { return process_; }

  void Send(GuardianOrder order) const;

  // The next report; nothing at the deadline, and nothing at once if the guardian is gone.
  std::optional<GuardianReport> Receive(Deadline deadline);

  // No report will come any more.
  bool gone() const { return !control_.open(); }

  // Kills a guardian that somebody keeps stopped; its agent dies with it.
  void KillIfStopped();

 private:
  GuardianLink(pid_t process, Descriptor control)
      : process_(process), control_(std::move(control)) {}
  bool Stopped() const;
  void Reap();

  pid_t process_;  // -1 once it has been waited for
  Descriptor control_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_LINK_H_
