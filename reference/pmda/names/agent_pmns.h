// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_AGENT_PMNS_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_AGENT_PMNS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/names/pmns_source.h"

// PMNS source as it lies in an agent's folder (PMD-330): `pmns`, a part of a name space whose PMIDs
// have SYMDOM in place of the agent's domain, and `root`, which includes it.

namespace pmproof::pmda {

struct AgentPmnsReading {
  std::optional<std::uint32_t> domain{};  // stands for SYMDOM; nothing: the one of domain.h
  std::vector<std::string> folders{};     // where #include looks after the file's own folder
};

struct AgentPmns {
  NameTree names{};
  // What stands for a domain and is defined nowhere: its PMIDs are of domain 0. Empty: none.
  std::string symbol{};
  std::vector<Diagnosis> warnings{};
};

// SYMDOM is a macro of the file `domain.h` beside `path`, or, without that file, the one word that
// stands for a domain and is no macro. An #include of stdpmid, PCP's list of domains, that is not
// found is passed over with a warning. Errors are those of ReadPmns; several words that stand for
// domains are PMD-332.
tl::expected<AgentPmns, Diagnosis> ReadAgentPmns(const std::string& path,
                                                 const AgentPmnsReading& reading);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_AGENT_PMNS_H_
