// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LABELS_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LABELS_H_

#include <functional>

#include "reference/archive/model.h"
#include "validator/synthesis/shrink_list.h"

namespace pmproof::validator {

// Leaves labels of a set out, where its JSON is made of just these: JSON and entries stay in step
// (ARC-391). Of any other set single entries, and bytes of the JSON. `attempt` says whether the
// smaller set is taken.
void ShrinkLabelSet(archive::LabelSetModel set,
                    const std::function<bool(archive::LabelSetModel)>& attempt, const Over& over);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_LABELS_H_
