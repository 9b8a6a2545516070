// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/guardian_link.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/process_info.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

// An agent may stop its guardian; so it is told to go on, over and over.
constexpr auto kWakeInterval = std::chrono::milliseconds(50);

}  // namespace

Result<GuardianLink> GuardianLink::Fork(GuardianTask task) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(SystemError("making a channel to a guardian", errno));
  Descriptor ours(ends[0]);
  const Descriptor its(ends[1]);
  task.control = its.get();

  // None of this program's handlers may run in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t process = fork();
  const int error = errno;
  if (process == 0) RunGuardian(task);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process < 0) return tl::unexpected(SystemError("starting a guardian", error));
  return GuardianLink(process, std::move(ours));
}

GuardianLink::GuardianLink(GuardianLink&& other) noexcept
    : process_(std::exchange(other.process_, -1)), control_(std::move(other.control_)) {}

GuardianLink::~GuardianLink() {
  control_.Reset();
  Reap();
}

void GuardianLink::Send(GuardianOrder order) const {
  if (control_.open()) send(control_.get(), &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::optional<GuardianReport> GuardianLink::Receive(Deadline deadline) {
  while (control_.open()) {
    GuardianReport report = {};
    const ssize_t size = recv(control_.get(), &report, sizeof report, MSG_DONTWAIT);
    if (size == sizeof report) return report;
    if (size >= 0 || (errno != EAGAIN && errno != EINTR)) {
      control_.Reset();
      Reap();
      break;
    }
    pollfd wait = {.fd = control_.get(), .events = POLLIN, .revents = 0};
    const Deadline slice = Deadline::After(kWakeInterval);
    if (Poll({&wait, 1}, Deadline::Sooner(slice, deadline)) != 0) continue;
    if (deadline.passed()) break;
    kill(process_, SIGCONT);
  }
  return std::nullopt;
}

void GuardianLink::KillIfStopped() {
  // It may be awake for a moment, since it is woken over and over.
  const Deadline deadline = Deadline::After(std::chrono::milliseconds(20));
  while (!Stopped()) {
    if (deadline.passed()) return;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  kill(process_, SIGKILL);
  control_.Reset();
  Reap();
}

bool GuardianLink::Stopped() const {
  const auto all = ListProcesses();
  if (!all || process_ < 0) return false;
  for (const ProcessInfo& info : *all) {
    if (info.process == process_) return info.state == 'T';
  }
  return false;
}

// Without its channel it ends as soon as nothing is left below it. One that may not kill what is
// left goes on trying, and is not waited for.
void GuardianLink::Reap() {
  const Deadline deadline = Deadline::After(std::chrono::milliseconds(500));
  const Deadline last = Deadline::After(std::chrono::milliseconds(1000));
  while (process_ > 0) {
    const pid_t reaped = waitpid(process_, nullptr, WNOHANG);
    // ECHILD: somebody else in this program has waited for all children.
    if (reaped == process_ || (reaped < 0 && errno == ECHILD)) process_ = -1;
    if (process_ < 0 || last.passed()) return;
    kill(process_, deadline.passed() && Stopped() ? SIGKILL : SIGCONT);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace pmproof::pmda
