// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_PROGRAM_H_
#define PMPROOF_VALIDATOR_CLI_PROGRAM_H_

#include "validator/cli/environment.h"

namespace pmproof::validator {

// What main() of pmproof does; the result is the exit status. `profiles` are the interpolation
// profiles that its commands know: a program with rules of its own adds them to NamedProfiles().
int RunProgram(int argc, char** argv, const ProfileList& profiles = replay::NamedProfiles);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_PROGRAM_H_
