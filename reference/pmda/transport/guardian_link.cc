#include "reference/pmda/transport/guardian_link.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/process_info.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {

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
  Reap(Deadline::After(std::chrono::milliseconds(500)));
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
      Reap(Deadline::After(std::chrono::milliseconds(500)));
      break;
    }
    pollfd wait = {.fd = control_.get(), .events = POLLIN, .revents = 0};
    if (Poll({&wait, 1}, deadline) == 0) break;
  }
  return std::nullopt;
}

void GuardianLink::Wake() const {
  if (process_ > 0) kill(process_, SIGCONT);
}

bool GuardianLink::Stopped() const {
  const auto all = ListProcesses();
  if (!all) return false;
  for (const ProcessInfo& info : *all) {
    if (info.process == process_) return info.state == 'T';
  }
  return false;
}

void GuardianLink::Kill() {
  if (process_ > 0) kill(process_, SIGKILL);
  control_.Reset();
  Reap(Deadline::After(std::chrono::milliseconds(500)));
}

// Its end of the channel closes only when it ends, so this does not wait long.
void GuardianLink::Reap(Deadline deadline) {
  while (process_ > 0) {
    const pid_t reaped = waitpid(process_, nullptr, WNOHANG);
    // ECHILD: somebody else in this program has waited for all children.
    if (reaped == process_ || (reaped < 0 && errno == ECHILD)) process_ = -1;
    if (process_ < 0 || deadline.passed()) return;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace pmproof::pmda
