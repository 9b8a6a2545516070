// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_COMMAND_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_COMMAND_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/status.h"

namespace pmproof::pmda {

// Whom a process runs as.
struct Identity {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups{};  // supplementary
};

// Of a user by name or number, with all groups. Error: kNotFound.
Result<Identity> LookUpUser(const std::string& name);

// How an agent is started (PMD-001, PMD-004; CKA-162). A value.
struct AgentCommand {
  enum class Streams : std::uint8_t {
    kPipes,   // standard input and output are the channel (PMD-001)
    kSocket,  // input closed, output goes to the log; the agent listens on a socket (PMD-004)
  };

  // Found by PATH as execvp does (the PATH of `environment`), no shell.
  std::vector<std::string> words{};
  Streams streams = Streams::kPipes;
  std::optional<std::vector<std::string>> environment{};  // NAME=VALUE; nothing: inherited
  std::string directory{};                                // empty: inherited
  std::optional<Identity> user{};                         // needs root; nothing: inherited
  std::size_t log_size = 65536;                           // bytes kept of the end of its log
  bool core_files = false;  // whether a crash may leave a core file (the limit is set to 0 if not)
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_AGENT_COMMAND_H_
