// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "validator/cli/command_table.h"
#include "validator/cli/commands/rules_diff_run.h"
#include "validator/replay/emulated_version.h"
#include "validator/schema/rules_diff_schema.h"

namespace pmproof::validator {
namespace {

class RulesDiffCommand final : public Command {
 public:
  void Declare(Options& options) override {
    DeclareWhat(options);
    arguments_.outputs.Declare(options, "Let --output overwrite a file (never an archive's)");
    options
        .Number("--examples", "N", "First differences shown of each archive", 0, 10000,
                &arguments_.examples)
        .Default("10");
    options
        .Number("--most", "N",
                "Metric-instances that differ most, shown of each archive and drawn in html", 0,
                1000, &arguments_.most)
        .Default("12");
    arguments_.memory.Declare(options, "With less there are more passes over an archive");
    options
        .Number("--limit", "N", "Refuse to compare at more times than this", 1, kMostNumber,
                &arguments_.limit)
        .Default("10000000");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Times: @EPOCH[.FRACTION], ISO 8601 (UTC), or an offset from the start such as +10s or "
            "+1.5min. "
            "Each ARCHIVE is compared by itself; the archives of a list A,B,... are opened as one. "
            "An adapter speaks the testee protocol (docs/commands/testee.md); `qa/suite/suite "
            "rules diff` takes the same arguments and knows more sides: pcp:VERSION, pcp:PREFIX, "
            "tool:VERSION, tool:PREFIX. Each batch of an implementation or emulation is a context "
            "of its own, on both sides.")
        .Examples(
            {"pmproof rules diff --baseline pcp-legacy --candidate pcp-6.3.2 archive",
             "pmproof rules diff --baseline pcp-legacy --candidate documented --output "
             "html:diff.html archive",
             "pmproof rules diff --baseline pcp-6.3.2 --candidate 'exec:./rule.py' archive",
             "pmproof rules diff --baseline pcp-6.3.2 --candidate emulate:7.2.2 --explain 7.2.2 "
             "archive"})
        .ExitStatuses(
            "0 no answer differs (but as --explain says); 1 one does; 2 wrong usage, or there was "
            "nothing to compare; 3 an "
            "implementation did not start, died, kept silent or broke the protocol, all else was "
            "compared; 4 an archive is missing or cannot be read, the others were compared; 5 "
            "internal error of pmproof; 6 a memory budget was exceeded. Of several the first of 5, "
            "4, 6, 3, 1");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.baseline.empty()) return "--baseline is required";
    if (arguments_.candidate.empty()) return "--candidate is required";
    return arguments_.archives.empty() ? "no ARCHIVE given" : arguments_.outputs.Wrong();
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (!arguments_.print_schema) return RunRulesDiff(arguments_, common, environment);
    for (const EmbeddedFile& file : rules_diff_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }

 private:
  void DeclareWhat(Options& options) {
    options.Operands(
        "ARCHIVE",
        "Base name, any file of an archive, a list A,B,..., or a directory: each archive below it",
        &arguments_.archives);
    options.Text("--baseline", "SIDE",
                 "What to compare with: a profile of `rules list`, emulate:VERSION (PCP as it is "
                 "emulated), or exec:COMMAND (an adapter of an implementation)",
                 &arguments_.baseline);
    options.Text("--candidate", "SIDE", "What is compared, likewise", &arguments_.candidate);
    options.Text("--baseline-name", "NAME", "What the report calls it", &arguments_.baseline_name)
        .Default("SIDE");
    options.Text("--candidate-name", "NAME", "Likewise", &arguments_.candidate_name)
        .Default("SIDE");
    options
        .Texts("--metric", "NAME", "Only this metric, or all below this node of the name space",
               &arguments_.metrics)
        .Default("all metrics");
    options.Text("--start", "TIME", "First time", &arguments_.start)
        .Default("start of the archive");
    options.Text("--finish", "TIME", "Last time", &arguments_.finish).Default("end of the archive");
    options
        .Text("--interval", "DURATION", "Time between two fetches, such as 10s, 500ms",
              &arguments_.interval)
        .Default("about a thousandth of the span");
    options
        .Decimal("--timeout", "SECONDS", "How long an implementation may take for a batch", 0.001,
                 86400, &arguments_.patience)
        .Default("60");
    options.Flag("--counter-wrap", "As with PCP_COUNTER_WRAP in the environment",
                 &arguments_.counter_wrap);
    options.Choice("--explain", "VERSION",
                   "Count apart what differs because that version of PCP deviates from the "
                   "specification, by deviation (DEV-nn); only what else differs is shown, and "
                   "counts for the exit status",
                   EmulatedVersions(), &arguments_.explain);
  }

  RulesDiffArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeRulesDiff() { return std::make_unique<RulesDiffCommand>(); }

}  // namespace pmproof::validator
