// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_JSON_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_JSON_H_

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "validator/tool_output/record.h"

// Records as JSON lines (validator/schema/tool_output.schema.json).

namespace pmproof::validator::tool_output {

// One object, without a newline.
std::string RecordJson(const Record& record);

// What RecordJson() writes, or a line of `replay --format jsonl`. Nothing for the lines before and
// after the records; an error, in words, for all else.
tl::expected<std::optional<Record>, std::string> ReadRecordJson(std::string_view line);

// A string without its quotes and escapes; other JSON as it is.
std::string TextOf(const Attribute& attribute);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_JSON_H_
