// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/orphan_reaper.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {

Result<OrphanReaper> OrphanReaper::Become() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    return tl::unexpected(SystemError("becoming the reaper of orphans", errno));
  const auto all = ListProcesses();
  if (!all) return tl::unexpected(all.error());
  std::set<pid_t> older;
  for (const ProcessInfo& info : *all) {
    if (info.parent == getpid()) older.insert(info.process);
  }
  return OrphanReaper(std::move(older));
}

std::vector<ProcessInfo> OrphanReaper::Orphans() const {
  std::vector<ProcessInfo> orphans;
  const auto all = ListProcesses();
  if (!all) return orphans;
  for (const ProcessInfo& info : *all) {
    if (info.parent == getpid() && !older_.contains(info.process)) orphans.push_back(info);
  }
  return orphans;
}

bool OrphanReaper::Sweep(Deadline deadline) const {
  for (;;) {
    const auto orphans = Orphans();
    if (orphans.empty()) return true;
    const auto all = ListProcesses();
    for (const ProcessInfo& orphan : orphans) {
      for (const ProcessInfo& below :
           all ? DescendantsOf(orphan.process, *all) : std::vector<ProcessInfo>{})
        kill(below.process, SIGKILL);
      kill(orphan.process, SIGKILL);
      waitpid(orphan.process, nullptr, WNOHANG);
    }
    if (deadline.passed()) return Orphans().empty();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace pmproof::pmda
