// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "reference/pmda/transport/close_descriptors.h"
#include "reference/pmda/transport/guardian.h"

namespace pmproof::pmda {
namespace {

using Step = GuardianReport::Step;

// Standard descriptors in place, all others closed by exec (PMD-001).
bool ArrangeStreams(const GuardianTask& task, int& failure) {
  // The ones needed may have the numbers of the standard ones: out of the way first.
  failure = fcntl(failure, F_DUPFD_CLOEXEC, 3);
  int moved[3];
  for (int i = 0; i < 3; ++i) {
    moved[i] = task.standard[i] < 0 ? -1 : fcntl(task.standard[i], F_DUPFD_CLOEXEC, 3);
    if (task.standard[i] >= 0 && moved[i] < 0) return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (moved[i] < 0)
      close(i);
    else if (dup2(moved[i], i) < 0)
      return false;
  }
  CloseDescriptorsOnExec(3);
  return true;
}

bool BecomeUser(const GuardianTask& task) {
  return setgroups(task.group_count, task.groups) == 0 &&
         setresgid(task.group, task.group, task.group) == 0 &&
         setresuid(task.user, task.user, task.user) == 0;
}

// exec resets handlers by itself, but not what is ignored or blocked. By the kernel's own call: the
// C library keeps two signals to itself, which whoever started us may ignore all the same.
void DefaultSignals() {
  constexpr unsigned long kKernelAction[8] = {};  // SIG_DFL, no flags, no mask; larger than it is
  constexpr unsigned long kKernelMask = 0;
  for (int signal = 1; signal < NSIG; ++signal)
    syscall(SYS_rt_sigaction, signal, kKernelAction, nullptr, sizeof kKernelMask);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &kKernelMask, nullptr, sizeof kKernelMask);
}

}  // namespace

void RunAgent(const GuardianTask& task, pid_t guardian, int failure) {
  Step step = Step::kStreams;
  bool done = ArrangeStreams(task, failure);
  setsid();
  if (done && task.directory != nullptr) {
    step = Step::kDirectory;
    done = chdir(task.directory) == 0;
  }
  if (!task.core_files) {
    const rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &none);
  }
  if (done && task.change_user) {
    step = Step::kUser;
    done = BecomeUser(task);
  }
  if (done) {
    // After the change of user, which would undo it. A guardian that died before cannot tell.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardian) _exit(127);
    step = Step::kExecute;
    DefaultSignals();
    environ = const_cast<char**>(task.environment);
    execvp(task.words[0], task.words);
  }
  const GuardianReport report = {GuardianReport::Kind::kNotStarted, step, false, errno, 0};
  [[maybe_unused]] const ssize_t written = write(failure, &report, sizeof report);
  _exit(127);
}

}  // namespace pmproof::pmda
