#include "validator/synthesis/arguments.h"

namespace pmproof::validator {

void AddShrink(CLI::App& app, Describe describe, const char* hint, ShrinkArguments* arguments) {
  CLI::App* shrink = app.add_subcommand("shrink", "Find the smallest archive that keeps a finding")
                         ->group("Commands");
  static_cast<void>(describe);
  static_cast<void>(arguments);
  shrink->footer(hint);
}

}  // namespace pmproof::validator
