#include <map>

#include "validator/cli/commands/replay_arguments.h"
#include "validator/replay/emulated_version.h"

namespace pmproof::validator {
namespace {

const std::map<std::string, ReplayFormat> kFormats = {{"text", ReplayFormat::kText},
                                                      {"csv", ReplayFormat::kCsv},
                                                      {"jsonl", ReplayFormat::kJsonLines}};

constexpr char kFooter[] =
    "Times: @EPOCH[.FRACTION], ISO 8601 (UTC), or an offset from the start such as +10s or "
    "+1.5min.\n"
    "Several ARCHIVEs are opened as one, as PCP opens a list.\n"
    "Derived metrics are those of 7.2.2, or of the version emulated; their operands are "
    "interpolated, not\n"
    "they themselves. A definition of --derive that is wrong ends the command (status 2).\n"
    "Exit status: 0 all metrics were answered; 1 one of them was not (unknown, opaque counter, "
    "damaged\n"
    "record), the others were; 2 wrong usage, or no metric is known; 4 an archive or a file is "
    "missing "
    "or can\n"
    "not be opened; 6 a memory budget was exceeded.\n";

}  // namespace

void AddReplay(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               ReplayArguments* arguments) {
  CLI::App* replay =
      app.add_subcommand("replay", "Show the values of metrics at chosen times")->group("Commands");
  replay
      ->add_option("ARCHIVE", arguments->archives,
                   describe("Base name, any file of an archive, or a list A,B,..."))
      ->type_name("")
      ->required();
  replay
      ->add_option("--metric", arguments->metrics,
                   describe("A metric of the archive, or a derived one; may be repeated. Without "
                            "it those of --derive are shown"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  replay
      ->add_option("--derive", arguments->derive,
                   describe("Define a derived metric, such as 'disk.size = delta(bytes) / "
                            "delta(ops)'; may be repeated"))
      ->type_name("'NAME = EXPR'")
      ->allow_extra_args(false);
  replay
      ->add_option("--derived-config", arguments->derived_configurations,
                   describe("Define what a configuration file has, or all files in a directory; "
                            "may be repeated. Lines that PCP passes over are told and passed over"))
      ->type_name("PATH")
      ->allow_extra_args(false);
  replay
      ->add_option("--instance", arguments->instances,
                   describe("Only instances of this name; may be repeated"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  auto* start = replay->add_option("--start", arguments->start,
                                   describe("First time (default: start of the archive)"));
  start->type_name("TIME");
  auto* finish = replay->add_option("--finish", arguments->finish,
                                    describe("Last time (default: end of the archive)"));
  finish->type_name("TIME");
  auto* interval = replay->add_option(
      "--interval", arguments->interval,
      describe("Time between two fetches, such as 10s, 500ms, 1.5min (default: 1s)"));
  interval->type_name("DURATION");
  auto* at =
      replay->add_option("--at", arguments->at, describe("Fetch at these times, in any order"));
  at->delimiter(',')
      ->type_name("TIME,...")
      ->allow_extra_args(false)
      ->excludes(start, finish, interval);
  auto* backward = replay->add_flag("--backward", arguments->backward,
                                    describe("From the last time to the first"));
  auto* rule = replay->add_option(
      "--rule", arguments->rule,
      describe("Interpolation profile (default: pcp-6.3.2); pmproof rules list shows them"));
  rule->type_name("PROFILE");
  auto* emulate =
      replay
          ->add_option(
              "--emulate", arguments->emulate,
              describe("Answer what that version of PCP would, deviations included: 6.0.3, "
                       "6.3.8 or 7.2.2"))
          ->transform(CLI::CheckedTransformer(EmulatedVersions()).description(""))
          ->type_name("VERSION")
          ->excludes(rule);
  auto* wrap = replay->add_flag("--counter-wrap", arguments->counter_wrap,
                                describe("As with PCP_COUNTER_WRAP in the environment"));
  replay
      ->add_flag("--raw", arguments->raw,
                 describe("Without interpolation: each record from --start to --finish that has "
                          "one of the metrics, or an operand of one"))
      ->excludes(interval, at, backward, rule, emulate, wrap);
  replay->add_flag(
      "--reason", arguments->reason,
      describe("With each value the clause and the two records it came from; of a derived "
               "one the operands, whose own reasons --metric shows"));
  replay->add_option("--format", arguments->format, describe("text (default), csv or jsonl"))
      ->transform(CLI::CheckedTransformer(kFormats).description(""))
      ->type_name("FORMAT");
  replay
      ->add_option("--memory", arguments->memory,
                   describe("What the answers of one pass over the archive may take (default: "
                            "512M); with less there are more passes"))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
  replay
      ->add_option("--limit", arguments->limit,
                   describe("Refuse a run of more times than this (default: 10000000): one damaged "
                            "time of a record makes millions of millions"))
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  replay->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
