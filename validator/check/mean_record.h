// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_MEAN_RECORD_H_
#define PMPROOF_VALIDATOR_CHECK_MEAN_RECORD_H_

#include <cstdint>
#include <optional>

#include "reference/archive/storage.h"

namespace pmproof::validator {

// How long the records are that follow `position`, where one begins, on the average of 64 kB.
// Nothing where they are so long that few of them say nothing of the others.
std::optional<std::uint64_t> MeanRecord(const archive::StoredFile& file, std::uint64_t position);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_MEAN_RECORD_H_
