// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_AGENT_OUTPUT_H_
#define PMPROOF_VALIDATOR_AGENT_AGENT_OUTPUT_H_

#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "reference/pmda/transport/agent_command.h"
#include "reference/pmda/transport/descriptor.h"
#include "validator/protocol_check/exchange_log.h"

// What an agent says that is no PDU: on standard error, and in the log that most agents send their
// standard error to (PMD-005, -l).

namespace pmproof::validator::agent {

// The end of such a text: its last lines, each cut where it is long.
AgentOutput OutputOf(std::string_view text, bool cut);

// The log of one agent, which is looked for while the agent lives: a file may be replaced by the
// next one's. Moved, not copied.
class AgentLogFile {
 public:
  // What the process has as its standard error, if that is a file. `process` is the agent's.
  void FindBy(pid_t process);
  // Where that found none: the file of -l, --log or --logfile in the command, or one called
  // NAME.log that standard error names, if it was written to since then.
  void FindBy(const pmda::AgentCommand& command, std::string_view standard_error,
              std::time_t since);

  bool found() const { return file_.open(); }
  // The end of it, as it is now; nothing where it is empty or cannot be read.
  std::optional<AgentOutput> Read() const;

 private:
  void Open(const std::string& path, std::string name);

  pmda::Descriptor file_{};
  std::string name_{};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_AGENT_OUTPUT_H_
