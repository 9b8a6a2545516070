// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_PROCESS_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/transport/agent_command.h"
#include "reference/pmda/transport/agent_log.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/process_info.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// How a process ended. A value.
struct ExitStatus {
  bool by_signal = false;
  int number = 0;  // exit status, or signal

  bool success() const { return !by_signal && number == 0; }
  std::string ToText() const;  // "exit status 1", "signal 11 (SEGV)"
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// How much patience there is with an agent that should end.
struct Patience {
  std::chrono::milliseconds by_itself{2000};   // CKA-009: closed channels are an order to end
  std::chrono::milliseconds terminated{500};   // after SIGTERM and SIGCONT
  std::chrono::milliseconds killed{5000};      // after SIGKILL for it and all it started
  std::chrono::milliseconds descendants{100};  // for what it started to end after it
};

// What became of an agent and of all that it started.
struct Ending {
  enum class By : std::uint8_t { kItself, kTerminate, kKill };

  std::optional<ExitStatus> exit{};        // nothing: not known
  By by = By::kItself;                     // what it took
  std::vector<ProcessInfo> left_behind{};  // outlived the agent, and were killed then (CKA-014)
  bool all_gone = false;                   // no process of it is left, not even a zombie
  bool guardian_lost = false;              // the guardian was killed, most likely by the agent
};

// An agent that runs as a process. A resource, moved, not copied; its destructor ends the agent
// and everything it started at once.
//
// Between this process and the agent stands a guardian, a small process of ours that has but one
// thread, no handlers and no open files but its own. It is the agent's parent and the subreaper of
// everything below it, so nothing escapes by forking or daemonising; it reads the agent's log all
// the time, so that the agent never blocks on that; and when this process dies, however suddenly,
// it kills all that is left, and ends. If an agent kills its guardian, it dies with it (it may
// outlive it only by being set-user-ID); what it started before is found by its session, or, if it
// left that too, by an OrphanReaper (orphan_reaper.h).
//
// One thread at a time; several agents may run, and threads each have their own. No signal handler
// is installed, no disposition changed, no attribute of this process set. For this process the
// guardian is one child: waiting for all children elsewhere takes its status away, which does not
// matter. Not seen by anybody: agents whose user the guardian may not kill.
class AgentProcess {
 public:
  // Returns when the command has been executed, or could not be. Errors: kUsage without words,
  // kNotFound and kUnreadable with the negated errno number (which of chdir, setuid, exec failed is
  // in the message), kBudget at the deadline.
  static Result<AgentProcess> Start(const AgentCommand& command, Deadline deadline);

  AgentProcess(AgentProcess&&) noexcept;
  AgentProcess& operator=(AgentProcess&&) noexcept;
  ~AgentProcess();

  // The agent's process; its CREDS should name it (CKA-003). Also the number of its session.
  pid_t process() const;

  // kPipes: requests are written to it, replies are read; null for kSocket (see Connect), once it
  // has been taken, and after End.
  Transport* transport() const;
  std::unique_ptr<Transport> TakeTransport();

  // How it ended; nothing while it runs, or if that is not known (guardian lost).
  std::optional<ExitStatus> WaitForExit(Deadline deadline);
  bool running() { return !WaitForExit(Deadline::Passed()) && !guardian_lost(); }

  // To the agent alone; false if it has ended.
  bool Signal(int signal);

  // Complete once WaitForExit has told the end, but for what descendants still write.
  AgentLog log() const;

  // Errors: it has ended.
  Result<ProcessResources> resources() const;

  // All that it started and that has not been waited for, zombies too.
  std::vector<ProcessInfo> descendants() const;

  bool guardian_lost() const;

  // Ends it: closes the transport, unless that was taken, waits, then SIGTERM, then SIGKILL for all
  // that is left. May be called again; then it tells the same.
  Ending End(const Patience& patience = {});

 private:
  class Impl;
  explicit AgentProcess(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_PROCESS_H_
