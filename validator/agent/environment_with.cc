// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/environment_with.h"

#include <unistd.h>

namespace pmproof::validator::agent {

std::vector<std::string> EnvironmentWith(const pmda::AgentCommand& command, const std::string& name,
                                         const std::string& value) {
  std::vector<std::string> environment;
  if (command.environment) {
    environment = *command.environment;
  } else {
    for (char** variable = environ; *variable != nullptr; ++variable) {
      environment.emplace_back(*variable);
    }
  }
  std::erase_if(environment,
                [&](const std::string& variable) { return variable.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
  return environment;
}

}  // namespace pmproof::validator::agent
