// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/agent_files.h"

#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/reference_agents/files.h"

namespace pmproof::pmda {

std::vector<std::string_view> AgentFileNames(std::string_view agent) {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : files()) {
    if (file.path.starts_with(agent) && file.path.substr(agent.size()).starts_with('/')) {
      names.push_back(file.path.substr(agent.size() + 1));
    }
  }
  return names;
}

std::optional<std::string_view> AgentFile(std::string_view agent, std::string_view file) {
  const std::string path = std::string(agent) + "/" + std::string(file);
  for (const EmbeddedFile& embedded : files()) {
    if (embedded.path == path) return embedded.content;
  }
  return std::nullopt;
}

NameTree AgentNames(std::string_view agent) {
  const auto include = [agent](const std::string& name) -> tl::expected<std::string, std::string> {
    const auto text = AgentFile(agent, name);
    if (!text) return tl::unexpected(std::string("no such file"));
    return std::string(*text);
  };
  auto source = ReadPmns(AgentFile(agent, "root").value_or(""), "root", include);
  return source ? std::move(source->names) : NameTree();
}

HelpTable AgentHelp(std::string_view agent, std::string_view symbol, std::uint32_t domain) {
  std::string text(AgentFile(agent, "help").value_or(""));
  const std::string written = "\n@ " + std::string(symbol) + ".";
  const std::string number = "\n@ " + std::to_string(domain) + ".";
  for (std::size_t at = 0; (at = text.find(written, at)) != std::string::npos;) {
    text.replace(at, written.size(), number);
  }
  return HelpTable(ReadHelpSource(text, "help", AgentNames(agent)).entries);
}

}  // namespace pmproof::pmda
