// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_HELP_TEXT_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_HELP_TEXT_RULES_H_

#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"

namespace pmproof::validator {

// Reports the rules that compare help texts with each other and with what they describe: ARC-1605
// (only where all metadata could be decoded) and ARC-1607.
void CheckHelpTexts(const archive::Metadata& metadata, archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_HELP_TEXT_RULES_H_
