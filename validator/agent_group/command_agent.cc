#include "validator/agent/commands.h"
#include "validator/agent_group/commands.h"

namespace pmproof::validator {

ExitStatus RunAgentCommand(const AgentArguments& arguments,
                           const CommonArguments& common, const Environment& environment) {
  if (arguments.chosen == "check") return RunAgentCheck(arguments.check, common, environment);
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
