#include "validator/tool_output/parser.h"

#include <array>
#include <utility>

#include "validator/tool_output/emit.h"

namespace pmproof::validator::tool_output {
namespace {

using Parse = std::optional<Status> (*)(const Lines&, const ParseOptions&, const Sink&);

struct Entry {
  Tool tool;
  std::string_view name;
  Parse parse;
};

constexpr std::array kTools = {Entry{Tool::kPmdumplog, "pmdumplog", ParsePmdumplog},
                               Entry{Tool::kPmval, "pmval", ParsePmval},
                               Entry{Tool::kPminfo, "pminfo", ParsePminfo},
                               Entry{Tool::kPmrep, "pmrep", ParsePmrep},
                               Entry{Tool::kPmlogsummary, "pmlogsummary", ParsePmlogsummary},
                               Entry{Tool::kPmprobe, "pmprobe", ParsePmprobe},
                               Entry{Tool::kPmlogcheck, "pmlogcheck", ParsePmlogcheck}};

}  // namespace

std::string_view ToText(Tool tool) {
  for (const Entry& entry : kTools) {
    if (entry.tool == tool) return entry.name;
  }
  return "";
}

std::optional<Tool> ParseTool(std::string_view name) {
  for (const Entry& entry : kTools) {
    if (entry.name == name) return entry.tool;
  }
  return std::nullopt;
}

std::optional<Status> ParseOutput(Tool tool, std::string_view text, const ParseOptions& options,
                                  const Sink& sink) {
  for (const Entry& entry : kTools) {
    if (entry.tool == tool) return entry.parse(SplitLines(text), options, sink);
  }
  return std::nullopt;
}

}  // namespace pmproof::validator::tool_output
