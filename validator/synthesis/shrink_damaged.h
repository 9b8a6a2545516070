// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DAMAGED_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DAMAGED_H_

#include "reference/archive/encode.h"
#include "validator/synthesis/shrink_record.h"

namespace pmproof::validator {

// Leaves value sets, values and parts of value blocks out of a framed data record that cannot be
// decoded, as far as its structure can be made out: counts, lengths and the indices of blocks
// follow (ARC-200, ARC-207, ARC-230), and what is wrong stays as wrong as it was. Returns what is
// left.
archive::Buffer ShrinkDamagedRecord(archive::Buffer record, int version, const Attempt& attempt);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DAMAGED_H_
