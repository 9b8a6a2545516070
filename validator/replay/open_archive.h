// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_OPEN_ARCHIVE_H_
#define PMPROOF_VALIDATOR_REPLAY_OPEN_ARCHIVE_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/pcp_version.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::validator {

// Opens what users name as one context (ARC-550): each argument is an archive, a directory, or a
// list of these with commas between. A set is opened as `version` opens it (ARC-554).
Result<std::unique_ptr<replay::ReplayArchive>> OpenForReplay(
    const archive::Storage& storage, const std::vector<std::string>& arguments,
    const archive::MemoryBudget& budget = archive::MemoryBudget(),
    PcpVersion version = PcpVersion::k7_2);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_OPEN_ARCHIVE_H_
