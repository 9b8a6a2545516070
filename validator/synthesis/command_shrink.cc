#include "validator/synthesis/commands.h"

namespace pmproof::validator {

ExitStatus RunShrink(const ShrinkArguments&, const CommonArguments&,
                     const Environment& environment) {
  environment.err << "pmproof: shrink is in the making\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
