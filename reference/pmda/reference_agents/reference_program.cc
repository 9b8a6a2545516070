// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/reference_program.h"

#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "reference/pmda/names/text_file.h"
#include "reference/pmda/reference_agents/simple.h"
#include "reference/pmda/reference_agents/trivial.h"

namespace pmproof::pmda {
namespace {

constexpr std::string_view kFolderVariable = "PCP_PMDAS_DIR";

std::string FolderOfAgents() {
  const char* folder = std::getenv(kFolderVariable.data());
  if (folder != nullptr && *folder != '\0') return folder;
  const char* named = std::getenv("PCP_CONF");
  const std::string text = ReadTextFile(named != nullptr ? named : "/etc/pcp.conf").value_or("");
  std::string found = "/var/lib/pcp/pmdas";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with(kFolderVariable) && line.substr(kFolderVariable.size()).starts_with('=')) {
      found = line.substr(kFolderVariable.size() + 1);
    }
  }
  return found;
}

std::uint64_t SecondsNow() { return static_cast<std::uint64_t>(std::time(nullptr)); }

}  // namespace

std::string SimpleConfigurationPath() { return FolderOfAgents() + "/simple/simple.conf"; }

Result<Served> RunReferenceAgent(std::string_view agent, const AgentOptions& options,
                                 const std::string& configuration) {
  if (agent == "trivial") {
    const std::unique_ptr<Agent> trivial = MakeTrivial(SecondsNow);
    return RunAgent(*trivial, options);
  }
  if (agent == "simple") {
    Simple simple(
        SimpleWorld::Real(configuration.empty() ? SimpleConfigurationPath() : configuration));
    return RunAgent(simple.agent(), options);
  }
  return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                               .message = "there is no reference agent " + std::string(agent)});
}

int ReferenceAgentMain(std::string_view agent, int argc, char** argv) {
  return AgentMain(argc, argv, [agent](const AgentOptions& options) {
    return RunReferenceAgent(agent, options, "");
  });
}

}  // namespace pmproof::pmda
