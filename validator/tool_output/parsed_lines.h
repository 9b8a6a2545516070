// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSED_LINES_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSED_LINES_H_

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool_output/parser.h"
#include "validator/tool_output/record_json.h"

// For tests: what the lines of an output read as, a JSON line a record. Recordings of real tools
// are read by //validator/tool_output/compare:cli_compare_test.

namespace pmproof::validator::tool_output {

using ParsedLines = std::vector<std::string>;

// A refusal is the last line.
inline ParsedLines Parsed(Tool tool, std::string_view text, const ParseOptions& options = {}) {
  ParsedLines lines;
  const auto refused = ParseOutput(tool, text, options,
                                   [&](Record&& record) { lines.push_back(RecordJson(record)); });
  if (refused) lines.push_back("refused: " + refused->ToText());
  return lines;
}

inline ParseOptions At(std::string_view time) {
  ParseOptions options;
  options.start = ParseTime(time);
  return options;
}

// The value records alone.
inline ParsedLines Values(Tool tool, std::string_view text, const ParseOptions& options = {}) {
  ParsedLines lines = Parsed(tool, text, options);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("{\"kind\""); });
  return lines;
}

// What pmval prints of a singular metric, with these lines after its header.
inline std::string Pmval(std::string_view body) {
  static constexpr char kHeader[] =
      "\nmetric:    m.x\narchive:   /a\nhost:      h\n"
      "start:     Tue Nov 14 22:13:20 2023\nend:       Tue Nov 14 22:14:20 2023\n"
      "semantics: instantaneous value\nunits:     none\nsamples:   7\ninterval:  10.00 sec\n";
  return kHeader + std::string(body);
}

// Value and how exact it is, of a singular metric's line.
inline std::string PmvalValue(std::string_view field) {
  const ParsedLines lines = Values(Tool::kPmval, Pmval("22:13:20.000" + std::string(field) + "\n"));
  if (lines.size() != 1) return "?";
  const std::size_t begin = lines[0].find("\"value\": ");
  return lines[0].substr(begin, lines[0].find("}]") - begin);
}

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PARSED_LINES_H_
