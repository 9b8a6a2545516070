// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "reference/pmda/transport/close_descriptors.h"
#include "reference/pmda/transport/kill_children.h"

namespace pmproof::pmda {
namespace {

using Report = GuardianReport;

// Closes all but these, which are sorted here. Nothing of the program that forked stays open: its
// own channels must end when it ends.
void CloseAllBut(int* kept, int count) {
  for (int i = 1; i < count; ++i) {
    for (int j = i; j > 0 && kept[j - 1] > kept[j]; --j) {
      const int swapped = kept[j];
      kept[j] = kept[j - 1];
      kept[j - 1] = swapped;
    }
  }
  unsigned first = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned number = static_cast<unsigned>(kept[i]);
    if (kept[i] < 0) continue;
    if (first < number) CloseDescriptors(first, number - 1);
    first = number + 1;
  }
  CloseDescriptors(first, ~0u);
}

class Guardian {
 public:
  explicit Guardian(const GuardianTask& task) : task_(task), proc_(OpenProc()) {}

  [[noreturn]] void Run() {
    prctl(PR_SET_NAME, "pmproof-guard");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    // An agent may have stopped its guardian: it goes on when the process that it works for ends.
    prctl(PR_SET_PDEATHSIG, SIGCONT);
    setsid();
    Start();
    for (;;) {
      Wait();
      if (reaping_) Reap();
      if (!ending_) continue;
      reaping_ = true;
      if (!KillChildren(proc_)) {
        Reap();
        DrainLog();
        Send({Report::Kind::kAllGone, {}, false, 0, 0});
        _exit(0);
      }
    }
  }

 private:
  void Start() {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, nullptr);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    child_events_ = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);

    int failure[2] = {-1, -1};
    const pid_t guardian = getpid();
    if (pipe2(failure, O_CLOEXEC) == 0) agent_ = _Fork();
    const int error = errno;
    if (agent_ == 0) RunAgent(task_, guardian, failure[1]);
    start_ = failure[0];
    int kept[] = {task_.control, task_.log, child_events_, start_, proc_};
    CloseAllBut(kept, 5);
    [[maybe_unused]] const int changed = chdir("/");
    if (agent_ < 0) {
      close(start_);
      start_ = -1;
      Send({Report::Kind::kNotStarted, Report::Step::kFork, false, error, 0});
      ending_ = true;
    }
  }

  // What came of the start: a report, or the end-of-file that exec makes.
  void ReadStart() {
    Report report = {Report::Kind::kStarted, {}, false, 0, agent_};
    ssize_t size = 0;
    do size = read(start_, &report, sizeof report);
    while (size < 0 && errno == EINTR);
    close(start_);
    start_ = -1;
    if (size != 0) ending_ = true;
    Send(report);
  }

  void Wait() {
    pollfd waits[] = {{.fd = task_.control, .events = POLLIN, .revents = 0},
                      {.fd = child_events_, .events = POLLIN, .revents = 0},
                      {.fd = start_, .events = POLLIN, .revents = 0},
                      {.fd = task_.log, .events = POLLIN, .revents = 0}};
    // Children that could not be killed, or have just been born, are looked for again.
    const int wait = ending_ ? (idle_rounds_ < 50 ? 1 : 50) : -1;
    if (ending_ && idle_rounds_ < 1000) ++idle_rounds_;
    if (poll(waits, 4, wait) <= 0) return;
    if (waits[2].revents != 0) ReadStart();
    if (waits[3].revents != 0) ReadLog();
    if (waits[1].revents != 0) {
      signalfd_siginfo drained[4];
      while (read(child_events_, drained, sizeof drained) > 0) {
      }
    }
    if (waits[0].revents != 0) Obey();
  }

  bool ReadLog() {
    const long size = task_.ring->FillFrom(task_.log);
    if (size > 0) return true;
    if (size == 0) {
      close(task_.log);
      task_.log = -1;
    }
    return false;
  }

  // Up to what a pipe holds, so that a flood by descendants does not keep the guardian from its
  // work.
  void DrainLog() {
    for (int i = 0; i < 64 && task_.log >= 0 && ReadLog(); ++i) {
    }
  }

  void Obey() {
    GuardianOrder order = {};
    const ssize_t size = recv(task_.control, &order, sizeof order, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size != sizeof order) {  // the process that we work for is gone
      close(task_.control);
      task_.control = -1;
      ending_ = true;
    } else if (order.kind == GuardianOrder::Kind::kWatch) {
      reaping_ = true;
    } else if (order.kind == GuardianOrder::Kind::kEnd) {
      ending_ = true;
    } else if (agent_ > 0) {
      kill(agent_, order.signal);
    }
  }

  void Reap() {
    for (;;) {
      siginfo_t child = {};
      if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 || child.si_pid == 0) return;
      // Before its number is free: those of its group may have no other trace.
      if (ending_) KillGroupOf(child.si_pid);
      if (child.si_pid == agent_) {
        DrainLog();
        agent_ = -1;
        Send({Report::Kind::kExited,
              {},
              child.si_code != CLD_EXITED,
              child.si_status,
              child.si_pid});
      }
      waitid(P_PID, static_cast<id_t>(child.si_pid), &child, WEXITED | WNOHANG);
    }
  }

  void Send(const Report& report) const {
    if (task_.control >= 0) send(task_.control, &report, sizeof report, MSG_NOSIGNAL);
  }

  GuardianTask task_;
  int proc_;
  int child_events_ = -1;
  int start_ = -1;
  pid_t agent_ = -1;
  bool reaping_ = false;
  bool ending_ = false;
  int idle_rounds_ = 0;
};

}  // namespace

void RunGuardian(const GuardianTask& task) { Guardian(task).Run(); }

}  // namespace pmproof::pmda
