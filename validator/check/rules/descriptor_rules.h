// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_DESCRIPTOR_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_DESCRIPTOR_RULES_H_

#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "validator/check/rules/usage.h"

namespace pmproof::validator {

// Reports the rules that compare descriptors with each other and with their use: ARC-1308..1315,
// ARC-1333 (only where `usage` is complete) and ARC-1336. Time is n log n in the bytes of the
// descriptors, whatever identifiers and names they hold.
void CheckDescriptors(const archive::Metadata& metadata, const Usage& usage,
                      archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_DESCRIPTOR_RULES_H_
