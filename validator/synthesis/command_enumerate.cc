#include "validator/synthesis/commands.h"

namespace pmproof::validator {

ExitStatus RunEnumerate(const EnumerateArguments&, const CommonArguments&,
                        const Environment& environment) {
  environment.err << "pmproof: enumerate is in the making\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
