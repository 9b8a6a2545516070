#include "validator/synthesis/arguments.h"

namespace pmproof::validator {

void AddEnumerate(CLI::App& app, Describe describe, const char* hint,
                  EnumerateArguments* arguments) {
  CLI::App* enumerate =
      app.add_subcommand("enumerate", "Write all archives of a few records over a small alphabet")
          ->group("Commands");
  static_cast<void>(describe);
  static_cast<void>(arguments);
  enumerate->footer(hint);
}

}  // namespace pmproof::validator
