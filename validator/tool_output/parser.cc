// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/parser.h"

#include <algorithm>
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

constexpr std::array kTools = {
    Entry{Tool::kPmdumplog, "pmdumplog", ParsePmdumplog}, Entry{Tool::kPmval, "pmval", ParsePmval},
    Entry{Tool::kPminfo, "pminfo", ParsePminfo}, Entry{Tool::kPmrep, "pmrep", ParsePmrep},
    Entry{Tool::kPmlogsummary, "pmlogsummary", ParsePmlogsummary},
    Entry{Tool::kPmprobe, "pmprobe", ParsePmprobe},
    Entry{Tool::kPmlogcheck, "pmlogcheck", ParsePmlogcheck},
    // OUT-1101: one program of two names.
    Entry{Tool::kPmevent, "pmevent", ParsePmval},
    Entry{Tool::kPmlogsize, "pmlogsize", ParsePmlogsize},
    Entry{Tool::kPmstat, "pmstat", ParsePmstat}};

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
  const auto entry = std::ranges::find(kTools, tool, &Entry::tool);
  if (entry == kTools.end()) return std::nullopt;
  const Lines lines = SplitLines(text);
  if (!options.offset) return entry->parse(lines, options, sink);
  if (tool == Tool::kPmlogcheck) {
    return Status{.kind = Status::Kind::kUsage,
                  .clause = "OUT-108"_clause,
                  .message = "times of pmlogcheck are read as UTC alone: run it with -Z UTC"};
  }
  ParseOptions local = options;
  if (local.start) local.start = ToLocal(*local.start, options.offset);
  ToUtc to_utc(options.offset, options.zone, sink);
  const Sink converting = [&](Record&& record) { to_utc.Take(std::move(record)); };
  // What is refused first stands first.
  const auto refused = entry->parse(lines, local, converting);
  return to_utc.refused() ? to_utc.refused() : refused;
}

}  // namespace pmproof::validator::tool_output
