// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_AGENT_FILES_H_
#define PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_AGENT_FILES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/name_tree.h"

// The files of the reference agents as they stand in an agent's folder (PMD-330): domain.h, pmns,
// root, help, and simple.conf of simple.

namespace pmproof::pmda {

// The names of an agent's files; none for an agent that is not one of these.
std::vector<std::string_view> AgentFileNames(std::string_view agent);

// Nothing: there is no such file.
std::optional<std::string_view> AgentFile(std::string_view agent, std::string_view file);

// What its file `root` says.
NameTree AgentNames(std::string_view agent);

// What its file `help` says, with `symbol` standing for its default domain (PMD-313).
HelpTable AgentHelp(std::string_view agent, std::string_view symbol, std::uint32_t domain);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_AGENT_FILES_H_
