// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_METADATA_SUBJECT_H_
#define PMPROOF_VALIDATOR_SALVAGE_METADATA_SUBJECT_H_

#include <optional>
#include <string>

#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"
#include "validator/salvage/loss_times.h"

namespace pmproof::validator {

// What a framed metadata record is about, as far as it says so, whether it can be decoded or not:
// "descriptor of kernel.all.load (60.2.0)", "instances of 60.1", "labels", "help text of 60.2.0".
// `entries`: some of its instances only.
std::string SubjectOfMetadata(Bytes record, int version, bool entries);

// Notes what answers of replay lose with a framed metadata record, or entries of it.
void NoteLost(Bytes record, int version, MetadataDoubt& doubt);

// The time of an instance domain or label record that has one.
std::optional<Timestamp> TimeOfMetadata(Bytes record, int version);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_METADATA_SUBJECT_H_
