#include "validator/synthesis/commands.h"

namespace pmproof::validator {

ExitStatus RunMutate(const MutateArguments&, const CommonArguments&,
                     const Environment& environment) {
  environment.err << "pmproof: mutate is in the making\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
