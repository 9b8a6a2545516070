#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/tool_output/record.h"

// Reads the output of PCP's tools, of any version, into records (specification: tool-output.md).

namespace pmproof::validator::tool_output {

enum class Tool : std::uint8_t {
  kPmdumplog,
  kPmval,
  kPminfo,
  kPmrep,
  kPmlogsummary,
  kPmprobe,
  kPmlogcheck
};

std::string_view ToText(Tool tool);
std::optional<Tool> ParseTool(std::string_view name);

// What the output does not say by itself.
struct ParseOptions {
  std::optional<Timestamp> start;    // a time at or shortly before the first stamp
  std::optional<std::size_t> width;  // pmval -w
  // pmlogsummary without -H: its columns but the last one, by their names in OUT-503.
  std::vector<std::string> columns{"time_average"};
  bool instances = false;  // pmprobe was run with -I: quoted words are names of instances
};

// Hands each record to `sink`, in the order of the output; a line that matches no rule becomes a
// record "unparsed", which names the clause. Linear in the size of `text`, whatever it holds. Gives
// an error where times stand in another zone than UTC (OUT-102); records may have come before.
std::optional<Status> ParseOutput(Tool tool, std::string_view text, const ParseOptions& options,
                                  const Sink& sink);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_
