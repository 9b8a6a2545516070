#include "validator/synthesis/commands.h"

namespace pmproof::validator {

ExitStatus RunGenerate(const GenerateArguments&, const CommonArguments&,
                       const Environment& environment) {
  environment.err << "pmproof: generate is in the making\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
