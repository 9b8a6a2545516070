// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/replay_run.h"
#include "validator/cli/dialect_choice.h"
#include "validator/replay/emulated_version.h"

namespace pmproof::validator {
namespace {

class ReplayCommand final : public Command {
 public:
  void Declare(Options& options) override {
    DeclareMetrics(options);
    DeclareTimes(options);
    options
        .Text("--rule", "PROFILE", "Interpolation profile; pmproof rules list shows them",
              &arguments_.rule)
        .Default("pcp-6.3.2");
    options
        .Choice(
            "--emulate", "VERSION",
            "Answer what that version of PCP would, deviations included. Of one archive: lists are "
            "refused (INT-1408)",
            EmulatedVersions(), &arguments_.emulate)
        .Excludes({"--rule"});
    options.Flag("--counter-wrap", "As with PCP_COUNTER_WRAP in the environment",
                 &arguments_.counter_wrap);
    options
        .Flag("--raw",
              "Without interpolation: each record from --start to --finish that has one of the "
              "metrics, or "
              "an operand of one",
              &arguments_.raw)
        .Excludes({"--interval", "--at", "--backward", "--rule", "--emulate", "--counter-wrap"});
    options.Flag("--reason",
                 "With each value the clause and the two records it came from; of a derived one "
                 "the operands, "
                 "whose own reasons --metric shows",
                 &arguments_.reason);
    options
        .Flag("--assume-sound",
              "Take the archive to be sound, as a check without errors has shown it to be: go by "
              "its index and read only what is needed (INT-311). Much faster where few records are "
              "needed; of an archive that is not sound, answers may be wrong",
              &arguments_.assume_sound)
        .Excludes({"--raw", "--emulate"});
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<ReplayFormat>>{{"text", ReplayFormat::kText},
                                                      {"csv", ReplayFormat::kCsv},
                                                      {"jsonl", ReplayFormat::kJsonLines}},
                &arguments_.format)
        .Default("text");
    options
        .Choice("--formulas", "HOW",
                "csv: put an apostrophe before texts that a spreadsheet would calculate (= + - @), "
                "or keep them",
                std::vector<NamedValue<Formulas>>{{"quote", Formulas::kQuote},
                                                  {"keep", Formulas::kKeep}},
                &arguments_.formulas)
        .Default("quote");
    arguments_.memory.Declare(options, "With less there may be more passes over the archive");
    options
        .Number("--limit", "N",
                "Refuse a run of more times than this: one damaged time of a record makes millions "
                "of millions",
                1, kMostNumber, &arguments_.limit)
        .Default("10000000");
    options
        .Notes(
            "Times: @EPOCH[.FRACTION], ISO 8601 (UTC), or an offset from the start such as +10s or "
            "+1.5min. "
            "Several ARCHIVEs are opened as one, as PCP opens a list. Operands of derived metrics "
            "are interpolated, not they themselves. A definition of "
            "--derive that is wrong ends the command (status 2).")
        .Examples({"pmproof replay --metric disk.dev.read --interval 10s archive",
                   "pmproof replay --metric m.c --at +5s,+15s --reason archive"})
        .ExitStatuses(
            "0 all metrics were answered; 1 one of them was not (unknown, opaque counter, damaged "
            "record), "
            "the others were; 2 wrong usage, or no metric is known; 4 an archive or a file is "
            "missing or "
            "cannot be opened; 6 a memory budget was exceeded");
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunReplay(arguments_, common, environment);
  }

 private:
  void DeclareMetrics(Options& options) {
    options
        .Operands("ARCHIVE", "Base name, any file of an archive, or a list A,B,...",
                  &arguments_.archives)
        .Required();
    options.Texts(
        "--metric", "NAME",
        "A metric of the archive, or a derived one. Without it those of --derive are shown",
        &arguments_.metrics);
    options.Texts("--derive", "'NAME = EXPR'",
                  "Define a derived metric, such as 'disk.size = delta(bytes) / delta(ops)'",
                  &arguments_.derive);
    options.Texts(
        "--derived-config", "PATH",
        "Define what a configuration file has, or all files in a directory. Lines that PCP passes "
        "over are told and passed over",
        &arguments_.derived_configurations);
    options
        .Choice("--dialect", "DIALECT",
                "The language of derived metrics: of a version, or seed, that of the oldest manual "
                "(DER-1501)",
                DialectChoice(), &arguments_.dialect)
        .Default("7.2.2, or that of --emulate");
    options.Texts("--instance", "NAME", "Only instances of this name", &arguments_.instances);
  }

  void DeclareTimes(Options& options) {
    options.Text("--start", "TIME", "First time", &arguments_.start)
        .Default("start of the archive");
    options.Text("--finish", "TIME", "Last time", &arguments_.finish).Default("end of the archive");
    options
        .Text("--interval", "DURATION", "Time between two fetches, such as 10s, 500ms, 1.5min",
              &arguments_.interval)
        .Default("1s");
    options.Texts("--at", "TIME,...", "Fetch at these times, in any order", &arguments_.at)
        .Delimiter(',')
        .Excludes({"--start", "--finish", "--interval"});
    options.Flag("--backward", "From the last time to the first", &arguments_.backward);
  }

  ReplayArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeReplay() { return std::make_unique<ReplayCommand>(); }

}  // namespace pmproof::validator
