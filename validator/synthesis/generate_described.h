// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_GENERATE_DESCRIBED_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_GENERATE_DESCRIBED_H_

#include <string>

#include "validator/cli/environment.h"

namespace pmproof::validator {

struct DescribedArguments {
  std::string description;  // the file
  std::string out;
  bool force = false;
};

// `generate --description FILE OUT`: writes the archive that the file describes, or OUT-1, OUT-2,
// ... where it describes several. All of their files, or after an error none.
ExitStatus GenerateDescribed(const DescribedArguments& arguments, const CommonArguments& common,
                             const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_GENERATE_DESCRIBED_H_
