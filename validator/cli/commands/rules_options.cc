#include <map>

#include "validator/cli/commands/rules_arguments.h"

namespace pmproof::validator {
namespace {

const std::map<std::string, ComparisonFormat> kFormats = {{"text", ComparisonFormat::kText},
                                                          {"json", ComparisonFormat::kJson},
                                                          {"html", ComparisonFormat::kHtml}};

constexpr char kFooter[] =
    "Times: @EPOCH[.FRACTION], ISO 8601 (UTC), or an offset from the start such as +10s or "
    "+1.5min.\n"
    "Each ARCHIVE is compared by itself; the archives of a list A,B,... are opened as one.\n"
    "Exit status: 0 no answer differs; 1 one does; 2 wrong usage, or there was nothing to compare; "
    "4 an\n"
    "archive is missing or can not be read, the others were compared; 5 internal error of pmproof; "
    "6 a\n"
    "memory budget was exceeded. Of several the first of 5, 4, 6, 1.\n";

void AddList(CLI::App& rules, std::string (*describe)(const char* text), const char* hint,
             RulesArguments* arguments) {
  CLI::App* list = rules.add_subcommand("list", "List the interpolation profiles");
  list->add_option_function<std::string>(
          "--format",
          [arguments](const std::string& format) { arguments->list.json = format == "json"; },
          describe("text (default) or json"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  list->callback([arguments] { arguments->lists = true; });
  list->footer(hint);
}

void AddWhat(CLI::App& diff, std::string (*describe)(const char* text),
             RulesDiffArguments* arguments) {
  diff.add_option("ARCHIVE", arguments->archives,
                  describe("Base name, any file of an archive, a list A,B,..., or a directory: "
                           "each archive below it"))
      ->type_name("");
  diff.add_option("--baseline", arguments->baseline, describe("The profile to compare with"))
      ->type_name("PROFILE");
  diff.add_option("--candidate", arguments->candidate, describe("The profile that is compared"))
      ->type_name("PROFILE");
  diff.add_option("--metric", arguments->metrics,
                  describe("Only this metric, or all below this node of the name space; may be "
                           "repeated (default: all metrics)"))
      ->type_name("NAME")
      ->allow_extra_args(false);
  diff.add_option("--start", arguments->start,
                  describe("First time (default: start of the archive)"))
      ->type_name("TIME");
  diff.add_option("--finish", arguments->finish,
                  describe("Last time (default: end of the archive)"))
      ->type_name("TIME");
  diff.add_option("--interval", arguments->interval,
                  describe("Time between two fetches, such as 10s, 500ms (default: about a "
                           "thousandth of the span)"))
      ->type_name("DURATION");
  diff.add_flag("--counter-wrap", arguments->counter_wrap,
                describe("As with PCP_COUNTER_WRAP in the environment"));
}

void AddOutput(CLI::App& diff, std::string (*describe)(const char* text),
               RulesDiffArguments* arguments) {
  diff.add_option("--format", arguments->format, describe("text (default), json or html"))
      ->transform(CLI::CheckedTransformer(kFormats).description(""))
      ->type_name("FORMAT");
  diff.add_option("--output", arguments->output,
                  describe("Write to a file that does not exist yet"))
      ->type_name("FILE");
  diff.add_flag("--force", arguments->force,
                describe("Let --output overwrite a file (never an archive's)"));
  diff.add_option("--examples", arguments->examples,
                  describe("First differences shown of each archive (default: 10)"))
      ->check(CLI::Range(0U, 10000U).description(""))
      ->type_name("N");
  diff.add_option("--most", arguments->most,
                  describe("Metric-instances that differ most, shown of each archive and drawn in "
                           "html (default: 12)"))
      ->check(CLI::Range(0U, 1000U).description(""))
      ->type_name("N");
  diff.add_option("--memory", arguments->memory,
                  describe("What answers may take (default: 512M); with less there are more passes "
                           "over an archive"))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
  diff.add_option("--limit", arguments->limit,
                  describe("Refuse to compare at more times than this (default: 10000000)"))
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  diff.add_flag("--schema", arguments->print_schema,
                describe("Print the JSON Schema of --format json"));
}

}  // namespace

void AddRules(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              RulesArguments* arguments) {
  CLI::App* rules =
      app.add_subcommand("rules", "Interpolation profiles: list them, show where two differ")
          ->group("Commands");
  rules->require_subcommand(1);
  AddList(*rules, describe, hint, arguments);
  CLI::App* diff = rules->add_subcommand(
      "diff", "Replay archives under two interpolation profiles, and show what differs");
  AddWhat(*diff, describe, &arguments->diff);
  AddOutput(*diff, describe, &arguments->diff);
  diff->footer(std::string(kFooter) + hint);
  rules->footer(hint);
}

std::string MissingArgument(const RulesDiffArguments& arguments) {
  if (arguments.print_schema) return "";
  if (arguments.baseline.empty()) return "--baseline is required";
  if (arguments.candidate.empty()) return "--candidate is required";
  return arguments.archives.empty() ? "no ARCHIVE given" : "";
}

}  // namespace pmproof::validator
