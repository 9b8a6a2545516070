// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_ENVIRONMENT_WITH_H_
#define PMPROOF_VALIDATOR_AGENT_ENVIRONMENT_WITH_H_

#include <string>
#include <vector>

#include "reference/pmda/transport/agent_process.h"

namespace pmproof::validator::agent {

// Returns the environment in which the command starts, that of this process if it names none, as
// NAME=VALUE texts; the variable `name` has that value in it.
std::vector<std::string> EnvironmentWith(const pmda::AgentCommand& command, const std::string& name,
                                         const std::string& value);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_ENVIRONMENT_WITH_H_
