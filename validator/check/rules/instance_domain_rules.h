// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_INSTANCE_DOMAIN_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_INSTANCE_DOMAIN_RULES_H_

#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"

namespace pmproof::validator {

// Reports the rules that compare the records of instance domains with each other and with the
// descriptors: ARC-1413..1416, 1422..1426, 1428 and 1430. Time is n log n in the bytes of the
// records.
//
// What a missing record would explain (1413..1416) is reported only where `metadata` is complete.
// Names of tangled records (ARC-1421) are not compared. Of records of one domain with equal times
// (ARC-1422) it is not known what they apply to: nothing else is said of the later ones. ARC-1426
// compares instance domains only and passes over deltas that stand before their full record
// (ARC-1430).
void CheckInstanceDomains(const archive::Metadata& metadata, int version,
                          archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_INSTANCE_DOMAIN_RULES_H_
