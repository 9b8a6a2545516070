// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>
#include <utility>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/replay/when.h"
#include "validator/schema/compare_report_schema.h"
#include "validator/schema/tool_output_schema.h"
#include "validator/tool_output/compare/compare.h"
#include "validator/tool_output/compare/machine_zone.h"
#include "validator/tool_output/compare/report.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator {
namespace {

struct CompareArguments {
  std::string actual;
  std::optional<std::string> expected;
  std::string tool;
  double tolerance = 0;
  std::vector<std::string> metrics;
  std::vector<std::string> counters;
  std::optional<std::string> start;
  std::optional<std::uint64_t> width;
  std::vector<std::string> columns;
  bool instances = false;
  std::optional<std::string> zone;
  std::optional<std::string> delimiter;
  std::optional<std::string> time_format;
  std::optional<std::string> interval;
  bool parse = false;  // show what the output says, compare nothing
  bool json = false;
  std::uint64_t max_findings = 20;
  MemoryOption memory;
  std::optional<std::string> schema;  // "report" or "output": print it
};

using tool_output::ParseOptions;
using tool_output::Record;
using tool_output::Tool;

// The bytes of a file or pipe; a status where it cannot be read or is too large.
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
  // A folder opens, and cannot be read.
  if (!file.eof()) {
    return tl::unexpected(Fail(environment, ExitStatus::kUnreadable, path + ": cannot be read"));
  }
  return text;
}

class CompareRun {
 public:
  CompareRun(const CompareArguments& arguments, const CommonArguments& common,
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
    options.delimiter = arguments_.delimiter;
    options.time_format = arguments_.time_format;
    if (arguments_.delimiter == "") return Usage("--delimiter: it is empty");
    if (arguments_.interval) {
      options.interval = ParseDuration(*arguments_.interval);
      if (!options.interval || *options.interval <= 0) {
        return Usage("--interval: no length of time: " + *arguments_.interval);
      }
    }
    std::optional<compare::MachineZone> zone;
    if (arguments_.zone) {
      options.zone = *arguments_.zone;
      if (!tool_output::IsUtc(options.zone)) {
        if (const auto why = compare::MachineZone::Unknown(options.zone)) {
          return Usage("--zone " + options.zone + ": " + *why);
        }
        zone.emplace(options.zone);
        options.offset = [&](std::int64_t seconds) { return zone->OffsetAt(seconds); };
      }
    }
    const auto text = ReadAll(arguments_.actual, arguments_.memory.budget().bytes(), environment_);
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
    const auto text =
        ReadAll(*arguments_.expected, arguments_.memory.budget().bytes(), environment_);
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
    if (outcome.differences.empty() && outcome.values + outcome.absences + outcome.records == 0 &&
        !MayBeEmpty(tool)) {
      return Usage("there is nothing that could be compared");
    }
    arguments_.json ? WriteJson(report, environment_.out) : WriteText(report, environment_.out);
    return outcome.differences.empty() ? ExitStatus::kOk : ExitStatus::kFindings;
  }

  const CompareArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

class CompareCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("ACTUAL", "A file with what the tool printed", &arguments_.actual);
    options.Choice("--tool", "TOOL", "Which",
                   {"pmdumplog", "pmval", "pminfo", "pmrep", "pmprobe", "pmlogsummary",
                    "pmlogcheck", "pmevent", "pmlogsize", "pmstat"},
                   &arguments_.tool);
    options.Text("--expected", "EXPECTED", "What is expected, as JSON lines", &arguments_.expected);
    options
        .Decimal("--tolerance", "T",
                 "Numbers may differ by this part of the greater, such as 1e-6, beside what the "
                 "tool rounds",
                 0, 1, &arguments_.tolerance)
        .Default("0");
    options.Texts("--metric", "NAME", "Compare this metric alone", &arguments_.metrics);
    options.Texts(
        "--counter", "NAME",
        "pmrep shows this metric as a rate: that of the expected values is compared (pmval says so "
        "itself)",
        &arguments_.counters);
    DeclareLayout(options);
    options
        .Flag("--parse",
              "Compare nothing: print what the output says as JSON lines (--schema output)",
              &arguments_.parse)
        .Excludes({"--expected"});
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    options
        .Number("--max-findings", "N", "Differences shown of one metric", 0, kMostNumber,
                &arguments_.max_findings)
        .Default("20");
    arguments_.memory.Declare(options);
    options.Add({.names = {"--schema"},
                 .value_name = "report|output",
                 .help = "Print the JSON Schema of the report, or of a line of --parse's output",
                 .choices = {"report", "output"},
                 .take = [this](std::string_view name) {
                   arguments_.schema = name;
                   return std::string();
                 }});
    options
        .Notes(
            "EXPECTED is what pmproof replay --format jsonl prints of the same metrics and times, "
            "or what "
            "--parse prints of another version's output. Tools are to be run with TZ=UTC, LC_ALL=C "
            "and an "
            "empty PCP_DERIVED_CONFIG, or --zone says their zone; pmdumplog best with -x. A pipe "
            "is "
            "/dev/stdin. Order and layout make no difference, nor do digits that the tool cut off.")
        .Examples({"pmproof compare --tool pmval --expected expected.jsonl actual.txt",
                   "pmproof compare --tool pmprobe --parse /dev/stdin"})
        .ExitStatuses(
            "0 no difference, and something was compared; 1 differences, or lines that fit no rule "
            "of the "
            "specification; 2 wrong usage, or nothing to compare; 4 a file cannot be read; 6 a "
            "memory budget was exceeded");
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return CompareRun(arguments_, common, environment).Run();
  }

 private:
  void DeclareLayout(Options& options) {
    options
        .Text("--start", "TIME",
              "A time at or shortly before the first one of the output, where that has no dates",
              &arguments_.start)
        .Default("the first one expected");
    options.Number("--width", "N", "Columns' width, as given to pmval -w, where it cannot be seen",
                   1, 4096, &arguments_.width);
    options
        .Texts("--columns", "NAME,...",
               "pmlogsummary without -H: its columns before the units, by their names there; pmrep "
               "with -H: METRIC or METRIC[INSTANCE] of each",
               &arguments_.columns)
        .Delimiter(',')
        .Default("time_average");
    options.Flag("--instances", "pmprobe was run with -I: what it quotes are names of instances",
                 &arguments_.instances);
    options
        .Text("--zone", "ZONE",
              "The zone that the tool ran in, as given to -Z: Europe/Berlin, EST+5",
              &arguments_.zone)
        .Default("UTC");
    options.Text("--delimiter", "TEXT", "As given to pmrep -l", &arguments_.delimiter);
    options.Text("--time-format", "FORMAT", "As given to pmrep -f", &arguments_.time_format);
    options.Text("--interval", "DURATION",
                 "pmrep without -p: the time between its rows, the first of which is of --start",
                 &arguments_.interval);
  }

  CompareArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCompare() { return std::make_unique<CompareCommand>(); }

}  // namespace pmproof::validator
