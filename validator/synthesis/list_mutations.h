// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_LIST_MUTATIONS_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_LIST_MUTATIONS_H_

#include "validator/cli/environment.h"

namespace pmproof::validator {

// `mutate --list`: a line for each edit, with what --rule takes for it.
ExitStatus ListMutations(const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_LIST_MUTATIONS_H_
