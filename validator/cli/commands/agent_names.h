// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_NAMES_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_NAMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/names/name_tree.h"
#include "validator/agent/knowledge.h"
#include "validator/cli/environment.h"
#include "validator/cli/options.h"

// How `agent check` and `agent bench` find the metrics of an agent.

namespace pmproof::validator {

struct AgentNames {
  std::optional<std::uint32_t> domain;
  std::optional<std::string> pmns;
  std::vector<std::string> includes;  // folders
  std::vector<std::string> roots;

  // --domain, --pmns, --include, --root.
  void Declare(Options& options);

  // Reads --pmns into `names`, which outlives the discovery, and warns of what it overlooks there.
  // The error says why not.
  tl::expected<agent::Discovery, std::string> Read(const Environment& environment,
                                                   pmda::NameTree* names) const;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_AGENT_NAMES_H_
