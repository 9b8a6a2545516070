#include "reference/derived/dialect.h"
#include "validator/cli/commands/derive_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "DEFINITIONs are registered in their order, as a configuration file would do it. Positions are "
    "offsets\n"
    "in EXPR, which begins behind the \"=\" and the blanks there. Without --archive the syntax is "
    "checked, and\n"
    "what needs no metric is bound.\n"
    "Exit status: 0 all definitions are right; 1 one is not; 2 wrong usage; 4 an archive or a file "
    "is missing\n"
    "or can not be opened; 6 a memory budget was exceeded.\n";

std::vector<std::string> DialectNames() {
  std::vector<std::string> names;
  for (const derived::Dialect* dialect : derived::kDialects) names.emplace_back(dialect->name);
  return names;
}

}  // namespace

void AddDerive(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               DeriveArguments* arguments) {
  CLI::App* derive = app.add_subcommand("derive", "Parse and bind definitions of derived metrics")
                         ->group("Commands");
  derive
      ->add_option("DEFINITION", arguments->definitions,
                   describe("NAME = EXPR, such as 'disk.size = delta(bytes) / delta(ops)'"))
      ->type_name("");
  derive
      ->add_option("--derived-config", arguments->configurations,
                   describe("Definitions of a configuration file, or of all files in a directory; "
                            "may be repeated. They come before DEFINITIONs"))
      ->type_name("PATH")
      ->allow_extra_args(false);
  derive
      ->add_option("--archive", arguments->archives,
                   describe("Bind to the metrics of this archive; may be repeated, or a list "
                            "A,B,...: they are opened as one"))
      ->type_name("ARCHIVE")
      ->allow_extra_args(false);
  derive
      ->add_option("--dialect", arguments->dialect,
                   describe("The language of 6.0.3, 6.3.8 or 7.2.2 (default), or seed: that of the "
                            "oldest manual"))
      ->check(CLI::IsMember(DialectNames()).description(""))
      ->type_name("DIALECT");
  derive
      ->add_option_function<std::string>(
          "--format",
          [arguments](const std::string& format) { arguments->json = format == "json"; },
          describe("text (default) or json: one object a line"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  derive->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
