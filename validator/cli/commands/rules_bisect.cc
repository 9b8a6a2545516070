// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "validator/cli/command_table.h"
#include "validator/cli/commands/rules_bisect_run.h"
#include "validator/schema/rules_bisect_schema.h"

namespace pmproof::validator {
namespace {

class RulesBisectCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("IMPLEMENTATION", "exec:COMMAND, an adapter that speaks the testee protocol",
                    &arguments_.implementation);
    options.Operands(
        "ARCHIVE", "Archives to ask about, or directories of them; without any they are generated",
        &arguments_.archives);
    options.Text("--name", "NAME", "What the report calls the implementation", &arguments_.name)
        .Default("IMPLEMENTATION");
    options
        .Texts("--metric", "NAME",
               "Of the ARCHIVEs only this metric, or all below this node of the name space",
               &arguments_.metrics)
        .Default("some of each kind");
    options
        .Number("--questions", "N", "Ask at most so many questions, beside those of shrinking", 1,
                100000, &arguments_.questions)
        .Default("200");
    options
        .Decimal("--budget", "SECONDS", "How long witnesses are shrunk, all together", 0, 86400,
                 &arguments_.budget)
        .Default("20");
    options
        .Decimal("--timeout", "SECONDS", "How long the implementation may take for an answer",
                 0.001, 86400, &arguments_.patience)
        .Default("60");
    options.Text("--witnesses", "DIR",
                 "Keep each witness in a folder below this new one: the archive, and the request",
                 &arguments_.witnesses);
    options
        .Text("--scratch", "DIR",
              "Where generated archives are while they are asked about; the implementation has to "
              "see it",
              &arguments_.scratch)
        .Default("that of temporary files");
    arguments_.outputs.Declare(options, "Let --output overwrite a file (never an archive's)");
    arguments_.memory.Declare(options);
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Hypotheses are the profiles of `rules list`, and each version that is emulated with "
            "each subset of its deviations (DEV-nn). The question that separates most of those "
            "that are left is asked first; when none separates any, the others are asked, to see "
            "whether the implementation differs from all. `qa/suite/suite rules bisect` takes the "
            "same arguments and knows pcp:VERSION, pcp:PREFIX, tool:VERSION and tool:PREFIX.")
        .Examples({"pmproof rules bisect 'exec:./adapter'",
                   "pmproof rules bisect 'exec:./adapter' --witnesses witnesses archive",
                   "pmproof rules bisect 'exec:pmproof testee --emulate 6.3.8 --without DEV-07'"})
        .ExitStatuses(
            "0 a hypothesis explains all answers; 1 the implementation differs from each; 2 wrong "
            "usage, or there was nothing to ask; 3 the implementation did not start, died, kept "
            "silent, broke the protocol or answered nothing; 4 an archive is missing or cannot be "
            "read; 5 internal error of pmproof; 6 a memory budget was exceeded");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    return arguments_.implementation.empty() ? "no IMPLEMENTATION given"
                                             : arguments_.outputs.Wrong();
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (!arguments_.print_schema) return RunRulesBisect(arguments_, common, environment);
    for (const EmbeddedFile& file : rules_bisect_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }

 private:
  RulesBisectArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeRulesBisect() { return std::make_unique<RulesBisectCommand>(); }

}  // namespace pmproof::validator
