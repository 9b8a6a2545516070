#include "generators/enumerate.h"
#include "validator/cli/commands/synthesis_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "A name says what is in the archive, v3-VMIB-1011 for example. Its letters are the records:\n"
    "  V  values\n"
    "  M  a mark\n"
    "  I  a change of the instance domain, then values\n"
    "  D  the descriptor of one metric more, then values\n"
    "  B  both, then values\n"
    "Its digits say whether the index has an entry for the record. With zeros only, .index is no\n"
    "more than a label and the archive can not be read; 'none': there is no .index.\n"
    "Exit status: 0 done; 2 wrong usage, or OUTDIR is not empty; 5 OUTDIR could not be written,\n"
    "which leaves nothing in it.\n";

}  // namespace

void AddEnumerate(CLI::App& app, Describe describe, const char* hint,
                  EnumerateArguments* arguments) {
  CLI::App* enumerate =
      app.add_subcommand("enumerate", "Write all archives of a few records over a small alphabet")
          ->group("Commands");
  std::string records = "Archives of 1 to N data records:";
  for (std::size_t n = 1; n <= generators::kMostEnumeratedRecords; ++n) {
    records += (n == 1 ? " " : ", ") + std::to_string(generators::EnumeratedArchives(n)) +
               (n == 1 ? " archives for 1" : " for " + std::to_string(n));
  }
  enumerate->add_option("--records", arguments->records, describe(records.c_str()))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{generators::kMostEnumeratedRecords})
                  .description(""))
      ->type_name("N")
      ->required();
  enumerate->add_option("OUTDIR", arguments->directory, describe("A new or an empty directory"))
      ->type_name("")
      ->required();
  enumerate->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
