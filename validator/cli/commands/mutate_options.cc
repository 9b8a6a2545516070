#include "validator/cli/commands/synthesis_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "One --rule breaks that rule and no other, but for those that the rule's page says to be\n"
    "reported with it: check finds nothing else that it does not find in IN. Several, and damage "
    "by\n"
    "chance, break what they break. What was done is told on stderr. The same IN and the same\n"
    "arguments give the same OUT on every machine. Files of OUT are not compressed, unless that "
    "is\n"
    "the edit; some edits give OUT another base name, or other archives beside it.\n"
    "Exit status: 0 done; 1 IN is damaged, or no edit was found that breaks just that rule; 2 "
    "wrong\n"
    "usage, IN lacks what the edit needs, or OUT exists; 4 IN is missing or no PCP archive; 5 OUT\n"
    "could not be written; 6 IN has more than 256 MB, uncompressed. OUT is complete or not there "
    "at\n"
    "all.\n";

constexpr std::uint64_t kMostDamages = 1'000'000;

}  // namespace

void AddMutate(CLI::App& app, Describe describe, const char* hint, MutateArguments* arguments) {
  CLI::App* mutate = app.add_subcommand("mutate", "Break exactly one rule in a copy of an archive")
                         ->group("Commands");
  mutate->add_flag("--list", arguments->list,
                   describe("The edits of each rule with their numbers, on stdout"));
  mutate
      ->add_option("--rule", arguments->rules,
                   describe("The rule to break: ARC-1104. The seed chooses among its edits and "
                            "places; ARC-1104:2 is the second of its edits. May be given several "
                            "times"))
      ->type_name("ID[:EDIT]")
      ->allow_extra_args(false);
  mutate->add_option("--seed", arguments->seed, describe("Another one, another place (default: 1)"))
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("N");
  const auto most = CLI::Range(std::uint64_t{1}, kMostDamages).description("");
  mutate
      ->add_option(
          "--damage", arguments->damages,
          describe("N times something by chance: bits inverted, bytes overwritten, put in, "
                   "removed, a file cut, a record repeated or moved"))
      ->check(most)
      ->type_name("N");
  mutate->add_option("--flip", arguments->flips, describe("N bits inverted by chance, at last"))
      ->check(most)
      ->type_name("N");
  mutate->add_flag("--force", arguments->force, describe("Replace an archive called OUT"));
  mutate
      ->add_option("IN", arguments->in,
                   describe("Base name, any file of an archive, or a directory with one archive; "
                            "never written to"))
      ->type_name("");
  mutate->add_option("OUT", arguments->out, describe("Base name of the new archive"))
      ->type_name("");
  mutate->callback([arguments] {
    const bool work = !arguments->rules.empty() || arguments->damages != 0 || arguments->flips != 0;
    if (arguments->list && (work || !arguments->in.empty()))
      throw CLI::ValidationError("--list", "goes with nothing else");
    if (arguments->list) return;
    if (arguments->out.empty()) throw CLI::RequiredError("IN and OUT, or --list,");
    if (!work) throw CLI::RequiredError("--rule, --damage or --flip");
  });
  mutate->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
