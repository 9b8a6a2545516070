// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_TABLES_H_
#define PMPROOF_VALIDATOR_DBPMDA_TABLES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/pmda/pdu/session_pdus.h"

// Words that dbpmda prints or takes. Where versions of PCP differ, those of 7.2 count.

namespace pmproof::agent_script {

// What a code means, in PCP's words; the system's for a negated errno number.
std::string ErrorText(ErrorCode code);

// How a command is written, a line for each form, with line feeds; empty for none.
std::string_view Usage(std::string_view command);
// A line of explanation, in our words; empty where the usage says all.
std::string_view Explanation(std::string_view command);
// The commands that `help` lists, in its order.
std::vector<std::string_view> HelpedCommands();

// Attributes that an agent may be sent (4.11): their names, "userid".
std::optional<pdu::Attribute> AttributeOf(std::string_view name);
std::optional<std::string_view> NameOf(pdu::Attribute attribute);

// Debug options, in PCP's order; names in any case.
std::optional<std::size_t> DebugOption(std::string_view name);
std::string_view DebugOptionName(std::size_t number);
std::size_t DebugOptionCount();

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_TABLES_H_
