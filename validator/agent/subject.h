// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_SUBJECT_H_
#define PMPROOF_VALIDATOR_AGENT_SUBJECT_H_

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/agent_command.h"
#include "reference/pmda/transport/agent_process.h"
#include "reference/pmda/transport/transport.h"
#include "validator/agent/limits.h"
#include "validator/agent/wait_limits.h"

namespace pmproof::validator::agent {

// An agent in this process, at the other end of a MemoryTransport, which works when it is waited
// for: what the checks are tested with, by the hundred and without a clock.
class AgentInMemory {
 public:
  AgentInMemory() = default;
  AgentInMemory(const AgentInMemory&) = delete;
  AgentInMemory& operator=(const AgentInMemory&) = delete;
  virtual ~AgentInMemory() = default;

  // The collector's end of the channel; once.
  virtual std::unique_ptr<pmda::Transport> TakeTransport() = 0;
  // How it has ended, now that it was given every occasion to; nothing: it goes on.
  virtual std::optional<pmda::ExitStatus> Exit() = 0;
  // The number that stands for its process (PDU-130).
  virtual pid_t process() const = 0;
};

// The agent that is checked: how it is started, and how much patience there is. A value.
struct Subject {
  pmda::AgentCommand command{};
  std::optional<pmda::Address> address{};  // where it listens; nothing: a pipe (PMD-001)
  // Of a shared object (--dso), whose host is the command: where its hosts report (HostReport).
  std::optional<std::string> host_report{};
  Limits limits{};
  // What has become of those in this run; copies share it.
  std::shared_ptr<WaitLimits> waits = std::make_shared<WaitLimits>();
  // Called in place of starting `command`, which it is given; nothing: that is started.
  std::function<std::unique_ptr<AgentInMemory>(const pmda::AgentCommand&)> in_memory{};
  // Its entry in pmcd.conf has the keyword `notready`: it says when it is ready (PMD-049).
  bool says_ready = false;

  bool pipe() const { return !address.has_value(); }
};

// The command of `subject` with more words after it.
inline Subject With(Subject subject, const std::vector<std::string>& words) {
  subject.command.words.insert(subject.command.words.end(), words.begin(), words.end());
  return subject;
}

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_SUBJECT_H_
