#include "validator/cli/commands/synthesis_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "Leaves out files, records, value sets, values, instances, labels and letters as long as "
    "check\n"
    "still has a finding of the rule. Other findings, but for those of severity info, stay or go;\n"
    "no new ones come up. Works on damaged and on compressed archives.\n"
    "Exit status: 0 done, also where the budget ran out: OUT has the finding, and could perhaps "
    "be\n"
    "smaller; 2 wrong usage, IN has no such finding, or OUT exists; 4 IN is missing or no PCP\n"
    "archive; 5 OUT could not be written; 6 IN is too large. OUT is complete or not there at "
    "all.\n";

}  // namespace

void AddShrink(CLI::App& app, Describe describe, const char* hint, ShrinkArguments* arguments) {
  CLI::App* shrink = app.add_subcommand("shrink", "Find the smallest archive that keeps a finding")
                         ->group("Commands");
  shrink->add_option("--rule", arguments->rule, describe("The rule whose finding stays: ARC-1102"))
      ->type_name("ID")
      ->required();
  shrink
      ->add_option("--budget", arguments->budget,
                   describe("After this time the smallest archive so far is taken (default: 60)"))
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->type_name("SECONDS");
  shrink->add_flag("--force", arguments->force, describe("Replace an archive called OUT"));
  shrink
      ->add_option(
          "IN", arguments->in,
          describe("Base name, any file of an archive, or a directory with one archive; for "
                   "a rule on sets (ARC-2101 to 2109) a list A,B,... or a directory; "
                   "never written to"))
      ->type_name("")
      ->required();
  shrink
      ->add_option(
          "OUT", arguments->out,
          describe("Base name of the new archive; further ones of a set: OUT-2, OUT-3, ..."))
      ->type_name("")
      ->required();
  shrink->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
