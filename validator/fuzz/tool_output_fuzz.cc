// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "validator/tool_output/compare/compare.h"
#include "validator/tool_output/record_json.h"

// Any bytes as the output of any tool: each record reads back as it was written, and the output
// does not differ from itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace compare = pmproof::validator::compare;
  namespace tool_output = pmproof::validator::tool_output;
  using tool_output::Record;
  using tool_output::Tool;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tool_output::ParseOptions options;
  options.start = pmproof::Timestamp{1'700'000'000, 0};
  for (const Tool tool :
       {Tool::kPmdumplog, Tool::kPmval, Tool::kPminfo, Tool::kPmrep, Tool::kPmlogsummary,
        Tool::kPmprobe, Tool::kPmlogcheck, Tool::kPmlogsize, Tool::kPmstat}) {
    std::vector<Record> records;
    tool_output::ParseOutput(tool, text, options, [&](Record&& record) {
      const auto read = tool_output::ReadRecordJson(tool_output::RecordJson(record));
      if (!read || !*read || (*read)->line != record.line) std::abort();
      if (record.kind != "unparsed") records.push_back(std::move(record));
    });
    compare::Comparison comparison(tool, {}, records);
    for (const Record& record : records) comparison.Take(record);
    comparison.Finish();
    const auto read = tool_output::ReadRecordJson(text.substr(0, text.find('\n')));
    if (read && *read) tool_output::RecordJson(**read);
  }
  return 0;
}
