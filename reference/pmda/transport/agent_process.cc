// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/agent_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/guardian_link.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using Order = GuardianOrder::Kind;
using Report = GuardianReport;

struct Pipe {
  Descriptor read{};
  Descriptor write{};
};

// 0 or an errno.
int MakePipe(Pipe& pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  pipe = {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
  return 0;
}

void SetNonBlocking(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

// An array as exec wants it, of views on `texts`.
std::vector<char*> Pointers(std::vector<std::string>&& texts) = delete;
std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

bool HasNul(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return text.find('\0') != std::string::npos; });
}

Status NotStarted(const AgentCommand& command, const Report& report) {
  std::string doing = "starting " + command.words.front();
  if (report.step == Report::Step::kStreams) doing += ": arranging its descriptors";
  if (report.step == Report::Step::kDirectory) doing += ": changing to " + command.directory;
  if (report.step == Report::Step::kUser) doing += ": changing the user";
  return SystemError(std::move(doing), report.number);
}

}  // namespace

std::string ExitStatus::ToText() const {
  if (!by_signal) return "exit status " + std::to_string(number);
  const char* const name = sigabbrev_np(number);
  return "signal " + std::to_string(number) +
         (name == nullptr ? "" : " (" + std::string(name) + ")");
}

class AgentProcess::Impl {
 public:
  Impl(GuardianLink link, LogRing ring, std::unique_ptr<Transport> transport)
      : transport_(std::move(transport)), ring_(std::move(ring)), link_(std::move(link)) {}

  // The first report, which decides.
  Result<void> Started(const AgentCommand& command, Deadline deadline) {
    const auto report = link_.Receive(deadline);
    if (!report)
      return tl::unexpected(
          SystemError("starting " + command.words.front(), link_.gone() ? ECHILD : ETIMEDOUT));
    if (report->kind != Report::Kind::kStarted) return tl::unexpected(NotStarted(command, *report));
    process_ = report->process;
    if (auto handle = ProcessHandle::Open(process_)) handle_ = std::move(*handle);
    link_.Send({Order::kWatch, 0});
    return {};
  }

  std::optional<ExitStatus> WaitForExit(Deadline deadline) {
    while (!exit_ && !link_.gone() && Note(link_.Receive(deadline))) {
    }
    return exit_;
  }

  bool Signal(int signal) {
    if (WaitForExit(Deadline::Passed()) || link_.gone()) return false;
    link_.Send({Order::kSignal, signal});
    return true;
  }

  std::vector<ProcessInfo> Descendants() const {
    const auto all = ListProcesses();
    if (!all || link_.gone()) return {};
    auto found = DescendantsOf(link_.process(), *all);
    std::erase_if(found, [this](const ProcessInfo& info) { return info.process == process_; });
    return found;
  }

  const Ending& End(const Patience& patience) {
    if (ending_) return *ending_;
    transport_.reset();
    Ending ending;
    ending.by = EndAgent(patience);
    ending.left_behind = LeftBehind(Deadline::After(patience.descendants));
    EndDescendants(Deadline::After(patience.killed));
    if (guardian_lost()) all_gone_ = SweepSession(Deadline::After(patience.killed));
    ending.exit = exit_;
    ending.all_gone = all_gone_;
    ending.guardian_lost = guardian_lost();
    ending_ = std::move(ending);
    return *ending_;
  }

  // It said that nothing is left before it went, or it did not go by itself.
  bool guardian_lost() const { return link_.gone() && !said_all_gone_; }

  pid_t process_ = -1;
  std::unique_ptr<Transport> transport_;
  LogRing ring_;
  ProcessHandle handle_{};

 private:
  bool Note(const std::optional<Report>& report) {
    if (!report) return false;
    if (report->kind == Report::Kind::kExited)
      exit_ = ExitStatus{.by_signal = report->by_signal, .number = report->number};
    if (report->kind == Report::Kind::kAllGone) said_all_gone_ = all_gone_ = true;
    return true;
  }

  Ending::By EndAgent(const Patience& patience) {
    if (WaitForExit(Deadline::After(patience.by_itself)) || link_.gone())
      return Ending::By::kItself;
    if (patience.terminated > milliseconds(0)) {
      Signal(SIGTERM);
      Signal(SIGCONT);
      if (WaitForExit(Deadline::After(patience.terminated)) || link_.gone())
        return Ending::By::kTerminate;
    }
    Signal(SIGKILL);
    WaitForExit(Deadline::After(patience.killed));
    return Ending::By::kKill;
  }

  std::vector<ProcessInfo> LeftBehind(Deadline deadline) const {
    for (;;) {
      auto left = Descendants();
      if (left.empty() || deadline.passed()) return left;
      std::this_thread::sleep_for(
          std::min<Deadline::Clock::duration>(milliseconds(2), deadline.remaining()));
    }
  }

  void EndDescendants(Deadline deadline) {
    link_.Send({Order::kEnd, 0});
    while (Note(link_.Receive(deadline))) {
    }
    if (!link_.gone()) link_.KillIfStopped();
  }

  // Without a guardian: the agent died with it; what is left of its session is known by that.
  bool SweepSession(Deadline deadline) {
    for (;;) {
      bool found = false;
      const auto all = ListProcesses();
      if (!all) return false;
      for (const ProcessInfo& info : *all) {
        if (info.session != process_) continue;
        kill(info.process, SIGKILL);
        // A child of this process only where that is a subreaper. One with threads is a zombie
        // before they have ended, and cannot be waited for until then.
        const pid_t waited = waitpid(info.process, nullptr, WNOHANG);
        if (waited == 0 || (waited == -1 && !info.zombie())) found = true;
      }
      if (!found) return true;
      if (deadline.passed()) return false;
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  std::optional<ExitStatus> exit_{};
  bool said_all_gone_ = false;
  bool all_gone_ = false;
  std::optional<Ending> ending_{};
  GuardianLink link_;  // the last: let go first
};

Result<AgentProcess> AgentProcess::Start(const AgentCommand& command, Deadline deadline) {
  const std::vector<std::string> variables =
      command.environment.value_or(std::vector<std::string>{});
  if (command.words.empty() || command.words.front().empty() || HasNul(command.words) ||
      HasNul(variables)) {
    return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                                 .message = "an agent's command needs a word, and no NUL bytes"});
  }
  Pipe requests;
  Pipe replies;
  Pipe log;
  const bool pipes = command.streams == AgentCommand::Streams::kPipes;
  int error = MakePipe(log);
  if (error == 0 && pipes) error = MakePipe(requests);
  if (error == 0 && pipes) error = MakePipe(replies);
  if (error != 0) return tl::unexpected(SystemError("making an agent's pipes", error));
  auto ring = LogRing::Make(command.log_size);
  if (!ring) return tl::unexpected(ring.error());
  SetNonBlocking(log.read);
  if (pipes) {
    SetNonBlocking(requests.write);
    SetNonBlocking(replies.read);
  }

  const std::vector<char*> words = Pointers(command.words);
  const std::vector<char*> environment = Pointers(variables);
  GuardianTask task;
  task.log = log.read.get();
  task.ring = &*ring;
  task.standard[0] = requests.read.get();
  task.standard[1] = pipes ? replies.write.get() : log.write.get();
  task.standard[2] = log.write.get();
  task.words = words.data();
  task.environment = command.environment ? environment.data() : environ;
  task.directory = command.directory.empty() ? nullptr : command.directory.c_str();
  task.core_files = command.core_files;
  if (command.user) {
    task.change_user = true;
    task.user = command.user->user;
    task.group = command.user->group;
    task.groups = command.user->groups.data();
    task.group_count = command.user->groups.size();
  }
  auto link = GuardianLink::Fork(task);
  if (!link) return tl::unexpected(link.error());

  std::unique_ptr<Transport> transport;
  if (pipes) transport = MakePipeTransport(std::move(replies.read), std::move(requests.write));
  auto impl = std::make_unique<Impl>(std::move(*link), std::move(*ring), std::move(transport));
  if (auto started = impl->Started(command, deadline); !started)
    return tl::unexpected(started.error());
  return AgentProcess(std::move(impl));
}

AgentProcess::AgentProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AgentProcess::AgentProcess(AgentProcess&&) noexcept = default;

AgentProcess& AgentProcess::operator=(AgentProcess&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

AgentProcess::~AgentProcess() {
  if (!impl_) return;
  Patience none;
  none.by_itself = none.terminated = none.descendants = milliseconds(0);
  impl_->End(none);
}

pid_t AgentProcess::process() const { return impl_->process_; }
Transport* AgentProcess::transport() const { return impl_->transport_.get(); }
std::unique_ptr<Transport> AgentProcess::TakeTransport() { return std::move(impl_->transport_); }

std::optional<ExitStatus> AgentProcess::WaitForExit(Deadline deadline) {
  return impl_->WaitForExit(deadline);
}

bool AgentProcess::Signal(int signal) { return impl_->Signal(signal); }
AgentLog AgentProcess::log() const { return impl_->ring_.Snapshot(); }
Result<ProcessResources> AgentProcess::resources() const { return impl_->handle_.Resources(); }
std::vector<ProcessInfo> AgentProcess::descendants() const { return impl_->Descendants(); }
bool AgentProcess::guardian_lost() const { return impl_->guardian_lost(); }
Ending AgentProcess::End(const Patience& patience) { return impl_->End(patience); }

}  // namespace pmproof::pmda
