// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_ACCESS_RULES_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_ACCESS_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/names/conf_lexer.h"
#include "reference/pmda/names/diagnosis.h"

// The access section of pmcd.conf (PMD-323), as data.

namespace pmproof::pmda {

// One statement.
struct AccessRule {
  enum class Subject : std::uint8_t { kHost, kUser, kGroup };

  Subject subject = Subject::kHost;
  // Hosts: names, addresses, "127.*", "*", ".*", ":*", "local:*" (unix sockets).
  std::vector<std::string> names{};
  // Whether they may; none: the statement does not say. "allow X : all except store" says that X
  // may not store, and the same with disallow that X may.
  std::optional<bool> fetch{};
  std::optional<bool> store{};
  std::optional<std::uint32_t> connections{};  // at most that many
  std::size_t line = 0;

  friend bool operator==(const AccessRule&, const AccessRule&) = default;
};

// The statements after "[access]". Those with an error are left out; reading goes on after their
// semicolon. Agent lines are errors there; no statement at all is one.
std::vector<AccessRule> ReadAccessRules(ConfLexer& lexer, const std::string& file,
                                        std::vector<Diagnosis>& problems);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_ACCESS_RULES_H_
