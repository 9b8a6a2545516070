#include "validator/agent/commands.h"
#include "validator/agent/host/commands.h"
#include "validator/agent_group/commands.h"
#include "validator/dbpmda/commands.h"
#include "validator/agent_serve/commands.h"

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
