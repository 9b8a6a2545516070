// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/agent_names.h"

#include <utility>

#include "reference/pmda/names/agent_pmns.h"
#include "validator/text/display.h"

namespace pmproof::validator {

void AgentNames::Declare(Options& options) {
  options.Number("--domain", "N", "The agent's domain number", 0, 510, &domain)
      .Default("that of its metrics");
  options.Text("--pmns", "FILE",
               "The agent's name space, as PMNS source: its file pmns or root. What stands for "
               "the domain there is --domain, or what domain.h beside FILE says, or the domain "
               "by which the agent answers",
               &pmns);
  options.Texts("--include", "FOLDER",
                "Where #include of FILE looks after FILE's own folder, for stdpmid for example",
                &includes);
  options.Texts("--root", "NAME", "Ask the agent for its names below this one", &roots)
      .Default("names taken from COMMAND");
}

tl::expected<agent::Discovery, std::string> AgentNames::Read(const Environment& environment,
                                                             pmda::NameTree* names) const {
  agent::Discovery discovery{.domain = domain, .roots = roots};
  if (!pmns) return discovery;
  auto source = pmda::ReadAgentPmns(*pmns, {.domain = domain, .folders = includes});
  if (!source) return tl::unexpected(source.error().ToText());
  for (const pmda::Diagnosis& warning : source->warnings) {
    environment.err << "pmproof: " << Displayable(warning.ToText()) << '\n';
  }
  *names = std::move(source->names);
  discovery.names = names;
  discovery.names_of_domain_0 = !source->symbol.empty();
  return discovery;
}

}  // namespace pmproof::validator
