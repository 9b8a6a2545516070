// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_OPTIONS_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/pmda/transport/address.h"

namespace pmproof::pmda {

// How an agent is started (PMD-005). A value.
struct AgentOptions {
  std::optional<std::uint32_t> domain{};  // -d; nothing: the agent's own
  std::optional<Address> listen{};        // -i, -6, -u; nothing: pipe (-p)
  std::string log{};                      // -l; empty: standard error as it is
  std::string help{};                     // -h: base name of compiled help; empty: its own texts
  std::string user{};                     // -U; empty: the user it was started as
  std::string debug{};                    // -D: taken, and means nothing here

  friend bool operator==(const AgentOptions&, const AgentOptions&) = default;
};

// The words after the program's name, as getopt reads them ("-d253", "-d 253", "--"). The error is
// what is wrong with them: an unknown option, an argument that is missing or out of range, more
// than one of -i -6 -p -u, a word that is not an option.
tl::expected<AgentOptions, std::string> ParseAgentOptions(std::span<const std::string> words);

// What a person reads of an error in them.
std::string AgentUsage(std::string_view program);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_AGENT_OPTIONS_H_
