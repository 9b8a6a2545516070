#include "validator/cli/commands/agent.h"
#include "validator/cli/commands/agent_check.h"
#include "validator/cli/commands/agent_host.h"
#include "validator/cli/commands/agent_run.h"
#include "validator/cli/commands/agent_serve.h"

namespace pmproof::validator {

ExitStatus RunAgentCommand(const AgentArguments& arguments, const CommonArguments& common,
                           const Environment& environment) {
  if (arguments.chosen == "check") return RunAgentCheck(arguments.check, common, environment);
  if (arguments.chosen == "serve") return RunAgentServe(arguments.serve, environment);
  if (arguments.chosen == "run") return RunAgentScript(arguments.run, environment);
  if (arguments.chosen == "host") return RunAgentHost(arguments.host, environment);
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
