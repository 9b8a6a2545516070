// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_START_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_START_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "validator/agent/host/host_report.h"
#include "validator/agent/subject.h"
#include "validator/cli/options.h"

// How `agent check` and `agent files` start an agent.

namespace pmproof::validator {

struct AgentStart {
  std::vector<std::string> command;
  std::optional<std::string> dso;  // FILE[:INIT]: instead of a command
  bool pipe = false;
  std::optional<std::string> unix_path;
  std::optional<std::uint16_t> inet_port;
  std::optional<std::uint16_t> ipv6_port;
  bool notready = false;
  std::vector<std::string> timeouts;  // "10", "creds=10"

  // --dso, --pipe, --unix, --inet, --ipv6.
  void DeclareTransport(Options& options);
  // --notready, --timeout.
  void DeclarePatience(Options& options);

  // COMMAND or --dso is given.
  bool any() const { return !command.empty() || dso.has_value(); }
  // What cannot stand together; empty: nothing.
  std::string Wrong() const;
};

// The agent that these arguments describe, and, of a shared object, the report of its hosts, which
// lives as long as the subject is used.
struct StartedSubject {
  agent::Subject subject{};
  std::optional<HostReportFile> host_report{};
};

struct StartError {
  bool usage = false;  // else the machine's
  std::string message{};
};

tl::expected<StartedSubject, StartError> SubjectOf(const AgentStart& start,
                                                   std::optional<std::uint32_t> domain);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_START_H_
