#include "validator/synthesis/arguments.h"

namespace pmproof::validator {

void AddMutate(CLI::App& app, Describe describe, const char* hint, MutateArguments* arguments) {
  CLI::App* mutate = app.add_subcommand("mutate", "Break exactly one rule in a copy of an archive")
                         ->group("Commands");
  static_cast<void>(describe);
  static_cast<void>(arguments);
  mutate->footer(hint);
}

}  // namespace pmproof::validator
