#include <fstream>
#include <string>
#include <utility>

#include "validator/cli/command_support.h"
#include "validator/cli/commands/compare.h"
#include "validator/schema/compare_report_schema.h"
#include "validator/schema/tool_output_schema.h"
#include "validator/tool_output/compare/compare.h"
#include "validator/tool_output/compare/report.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator {
namespace {

using tool_output::ParseOptions;
using tool_output::Record;
using tool_output::Tool;

// The bytes of a file or pipe; a status where it can not be read or is too large.
tl::expected<std::string, ExitStatus> ReadAll(const std::string& path, std::uint64_t memory,
                                              const Environment& environment) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char piece[std::size_t{64} << 10];
  while (file.good()) {
    file.read(piece, sizeof piece);
    text.append(piece, static_cast<std::size_t>(file.gcount()));
    if (text.size() > memory) {
      return tl::unexpected(
          Fail(environment, ExitStatus::kBudget, path + ": larger than --memory allows"));
    }
  }
  // A folder opens, and can not be read.
  if (!file.eof()) {
    return tl::unexpected(Fail(environment, ExitStatus::kUnreadable, path + ": can not be read"));
  }
  return text;
}

class CompareCommand {
 public:
  CompareCommand(const CompareArguments& arguments, const CommonArguments& common,
                 const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    if (arguments_.schema) {
      const auto files =
          *arguments_.schema == "report" ? compare_report_schema() : tool_output_schema();
      environment_.out << files.front().content;
      return ExitStatus::kOk;
    }
    const std::optional<Tool> tool = tool_output::ParseTool(arguments_.tool);
    if (!tool) return Usage("--tool is required");
    if (arguments_.actual.empty()) return Usage("no ACTUAL given");
    if (!arguments_.parse && !arguments_.expected)
      return Usage("--expected is required, or --parse");
    ParseOptions options;
    if (arguments_.start) {
      // There is no archive that an offset could count from.
      options.start = ParseTime(*arguments_.start);
      if (!options.start) {
        return Usage("--start: no time: " + *arguments_.start + " (@EPOCH[.FRACTION] or ISO 8601)");
      }
    }
    options.width = arguments_.width;
    if (!arguments_.columns.empty()) options.columns = arguments_.columns;
    options.instances = arguments_.instances;
    const auto text = ReadAll(arguments_.actual, arguments_.memory, environment_);
    if (!text) return text.error();
    return arguments_.parse ? Parse(*tool, *text, options) : Compare(*tool, *text, options);
  }

 private:
  ExitStatus Usage(const std::string& message) const {
    Fail(environment_, ExitStatus::kUsage, message);
    environment_.err << "See pmproof compare --help.\n";
    return ExitStatus::kUsage;
  }

  // OUT-826: that is what it says of a sound archive.
  static bool MayBeEmpty(Tool tool) { return tool == Tool::kPmlogcheck; }

  ExitStatus Refuse(const Status& status) const {
    return Fail(environment_, ExitStatus::kUsage, arguments_.actual + ": " + status.ToText());
  }

  ExitStatus Parse(Tool tool, std::string_view text, const ParseOptions& options) const {
    if (text.empty() && !MayBeEmpty(tool))
      return Usage(arguments_.actual + ": there is nothing in it");
    std::ostream& out = environment_.out;
    out << "{\"schema\": \"pmproof-tool-output/1\", \"tool\": \"" << ToText(tool) << "\"}\n";
    std::uint64_t records = 0;
    std::uint64_t unparsed = 0;
    const auto refused = ParseOutput(tool, text, options, [&](Record&& record) {
      ++records;
      if (record.kind == "unparsed") ++unparsed;
      out << RecordJson(record) << '\n';
    });
    if (refused) return Refuse(*refused);
    out << "{\"footer\": {\"complete\": true, \"records\": " << records
        << ", \"unparsed\": " << unparsed << "}}\n";
    return unparsed > 0 ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  tl::expected<std::vector<Record>, ExitStatus> ReadExpected() const {
    const auto text = ReadAll(*arguments_.expected, arguments_.memory, environment_);
    if (!text) return tl::unexpected(text.error());
    std::vector<Record> records;
    std::size_t number = 0;
    for (std::string_view rest = *text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++number;
      if (line.empty()) continue;
      auto record = tool_output::ReadRecordJson(line);
      if (!record) {
        return tl::unexpected(Fail(
            environment_, ExitStatus::kUnreadable,
            *arguments_.expected + ": line " + std::to_string(number) + ": " + record.error()));
      }
      if (*record) records.push_back(std::move(**record));
    }
    return records;
  }

  ExitStatus Compare(Tool tool, std::string_view text, ParseOptions options) const {
    auto expected = ReadExpected();
    if (!expected) return expected.error();
    if (expected->empty() && !MayBeEmpty(tool))
      return Usage(*arguments_.expected + ": nothing is expected");
    compare::Comparison comparison(tool,
                                   {arguments_.tolerance, arguments_.metrics, arguments_.counters},
                                   *std::move(expected));
    if (!options.start) options.start = comparison.first_time();
    const auto refused =
        ParseOutput(tool, text, options, [&](Record&& record) { comparison.Take(record); });
    if (refused) return Refuse(*refused);
    compare::Report report{.tool = arguments_.tool,
                           .actual = arguments_.actual,
                           .expected = *arguments_.expected,
                           .outcome = comparison.Finish(),
                           .max_findings = arguments_.max_findings,
                           .quiet = common_.quiet};
    const compare::Outcome& outcome = report.outcome;
    if (outcome.differences.empty() && outcome.values + outcome.records == 0 && !MayBeEmpty(tool)) {
      return Usage("there is nothing that could be compared");
    }
    arguments_.json ? WriteJson(report, environment_.out) : WriteText(report, environment_.out);
    return outcome.differences.empty() ? ExitStatus::kOk : ExitStatus::kFindings;
  }

  const CompareArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

}  // namespace

ExitStatus RunCompare(const CompareArguments& arguments, const CommonArguments& common,
                      const Environment& environment) {
  return CompareCommand(arguments, common, environment).Run();
}

}  // namespace pmproof::validator
