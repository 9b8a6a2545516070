#include "validator/cli/commands/compare_arguments.h"

namespace pmproof::validator {
namespace {

const std::vector<std::string> kTools = {"pmdumplog", "pmval",        "pminfo",    "pmrep",
                                         "pmprobe",   "pmlogsummary", "pmlogcheck"};

constexpr char kFooter[] =
    "EXPECTED is what pmproof replay --format jsonl prints of the same metrics and times, or what\n"
    "--parse prints of another version's output. Tools are to be run with TZ=UTC, LC_ALL=C and an\n"
    "empty PCP_DERIVED_CONFIG; pmrep with -p, -o csv or both, pmdumplog best with -x. A pipe is\n"
    "/dev/stdin. Order and layout make no difference, nor do digits that the tool cut off.\n"
    "Exit status: 0 no difference, and something was compared; 1 differences, or lines that fit "
    "no\n"
    "rule of the specification; 2 wrong usage, or nothing to compare; 4 a file can not be read; 6 "
    "a\n"
    "file is larger than --memory.\n";

}  // namespace

void AddCompare(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                CompareArguments* arguments) {
  CLI::App* compare =
      app.add_subcommand("compare", "Compare what a tool of PCP printed with what it should print")
          ->group("Commands");
  compare->add_option("ACTUAL", arguments->actual, describe("A file with what the tool printed"))
      ->type_name("");
  compare
      ->add_option("--tool", arguments->tool,
                   describe("Which: pmdumplog, pmval, pminfo, pmrep, pmlogsummary, pmprobe or "
                            "pmlogcheck"))
      ->check(CLI::IsMember(kTools).description(""))
      ->type_name("TOOL");
  auto* expected = compare->add_option("--expected", arguments->expected,
                                       describe("What is expected, as JSON lines"));
  expected->type_name("EXPECTED");
  compare
      ->add_option(
          "--tolerance", arguments->tolerance,
          describe("Numbers may differ by this part of the greater, such as 1e-6 (default: "
                   "0), beside what the tool rounds"))
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("T");
  compare
      ->add_option("--metric", arguments->metrics,
                   describe("Compare this metric alone; may be repeated"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  compare
      ->add_option("--counter", arguments->counters,
                   describe("pmrep shows this metric as a rate: that of the expected values is "
                            "compared; may be repeated (pmval says so itself)"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  compare
      ->add_option("--start", arguments->start,
                   describe("A time at or shortly before the first one of the output, where that "
                            "has no dates (default: the first one expected)"))
      ->type_name("TIME");
  compare
      ->add_option("--width", arguments->width,
                   describe("Columns' width, as given to pmval -w, where it can not be seen"))
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
  compare
      ->add_option("--columns", arguments->columns,
                   describe("pmlogsummary without -H: its columns before the units, by their names "
                            "there (default: time_average)"))
      ->delimiter(',')
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  compare->add_flag("--instances", arguments->instances,
                    describe("pmprobe was run with -I: what it quotes are names of instances"));
  auto* parse = compare->add_flag(
      "--parse", arguments->parse,
      describe("Compare nothing: print what the output says as JSON lines (--schema output)"));
  parse->excludes(expected);
  compare
      ->add_option_function<std::string>(
          "--format",
          [arguments](const std::string& format) { arguments->json = format == "json"; },
          describe("text (default) or json"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  compare
      ->add_option("--max-findings", arguments->max_findings,
                   describe("Differences shown of one metric (default: 20)"))
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("N");
  compare
      ->add_option("--memory", arguments->memory,
                   describe("How large each of the two files may be (default: 1G)"))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
  compare
      ->add_option(
          "--schema", arguments->schema,
          describe("Print the JSON Schema of the report, or of a line of --parse's output"))
      ->check(CLI::IsMember(std::vector<std::string>{"report", "output"}).description(""))
      ->type_name("report|output");
  compare->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
