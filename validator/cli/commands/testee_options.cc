#include "validator/cli/commands/testee_arguments.h"

namespace pmproof::validator {
namespace {

constexpr char kFooter[] =
    "One JSON object a line comes in, one a line goes out, until {\"cmd\": \"bye\"} or the end of\n"
    "the input.\n"
    "Exit status: 0, also where requests made no sense: those are answered by an error; 5 an\n"
    "answer could not be written.\n";

}  // namespace

void AddTestee(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
               TesteeArguments* arguments) {
  CLI::App* testee =
      app.add_subcommand("testee", "Answer requests of the testee protocol on standard input")
          ->group("Commands");
  testee->add_flag("--schema", arguments->print_schema,
                   describe("Print the JSON Schema of the messages"));
  testee->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
