// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_ERROR_TEXT_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_ERROR_TEXT_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace pmproof::validator::tool_output {

// The code of an error by the text that PCP's tools print for it, in the words of any version
// (OUT-105, MET-1101); nothing for other texts. Of errno the texts of Linux.
std::optional<std::int32_t> CodeOfText(std::string_view text);

// "PM_ERR_VALUE"; "errno 22".
std::string_view NameOfCode(std::int32_t code);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_ERROR_TEXT_H_
