// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_LABEL_SET_RULES_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_LABEL_SET_RULES_H_

#include "reference/archive/archive_label.h"
#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "validator/check/rules/usage.h"

namespace pmproof::validator {

// Reports the rules that compare label records with each other and with the rest of the archive:
// ARC-1502, 1516, 1520, 1524, 1525 and 1527. Time is n log n in the bytes of the records.
//
// `label` is that of the archive. What a missing record would explain (1502, 1516, 1524) is
// reported only where `metadata` is complete. Records whose class is none that there is (ARC-1501)
// are left out.
void CheckLabelSets(const archive::Metadata& metadata, const archive::ArchiveLabel& label,
                    const Usage& usage, archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_LABEL_SET_RULES_H_
