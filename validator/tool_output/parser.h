// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/tool_output/record.h"
#include "validator/tool_output/zone.h"

// Reads the output of PCP's tools, of any version, into records (specification: tool-output.md).

namespace pmproof::validator::tool_output {

enum class Tool : std::uint8_t {
  kPmdumplog,
  kPmval,
  kPminfo,
  kPmrep,
  kPmlogsummary,
  kPmprobe,
  kPmlogcheck,
  kPmevent,
  kPmlogsize,
  kPmstat
};

std::string_view ToText(Tool tool);
std::optional<Tool> ParseTool(std::string_view name);

// What the output does not say by itself.
struct ParseOptions {
  std::optional<Timestamp> start;    // a time at or shortly before the first stamp
  std::optional<std::size_t> width;  // pmval -w
  // pmlogsummary without -H: its columns but the last one, by their names in OUT-503; empty: its
  // time average. pmrep with -H: what its columns are of, as OUT-731 names them.
  std::vector<std::string> columns;
  bool instances = false;  // pmprobe was run with -I: quoted words are names of instances
  std::optional<std::string> delimiter;    // pmrep -l; not empty
  std::optional<std::string> time_format;  // pmrep -f
  // pmrep without -p: nanoseconds between its rows, the first of which is of `start`.
  std::optional<std::int64_t> interval;
  // The zone that the tool ran in, as given to -Z; empty: UTC. `offset` says what its clock shows,
  // and is not there for UTC.
  std::string zone;
  ZoneOffset offset;
};

// Hands each record to `sink`, in the order of the output; a line that matches no rule becomes a
// record "unparsed", which names the clause. Linear in the size of `text`, whatever it holds. Gives
// an error, which names the option that helps, for what it would have to guess: times of an unknown
// zone (OUT-102, OUT-108), columns without names and rows without times. Records may have come
// before.
std::optional<Status> ParseOutput(Tool tool, std::string_view text, const ParseOptions& options,
                                  const Sink& sink);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSER_H_
