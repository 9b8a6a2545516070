#include "validator/synthesis/arguments.h"

namespace pmproof::validator {

void AddGenerate(CLI::App& app, Describe describe, const char* hint, GenerateArguments* arguments) {
  CLI::App* generate = app.add_subcommand("generate", "Synthesise an archive and say what is in it")
                           ->group("Commands");
  static_cast<void>(describe);
  static_cast<void>(arguments);
  generate->footer(hint);
}

}  // namespace pmproof::validator
