// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_PLAN_TRUTH_H_
#define PMPROOF_GENERATORS_PLAN_TRUTH_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/output_storage.h"
#include "reference/core/status.h"

namespace pmproof::generators {

// Writes the truth about a plan (truth.h): the metadata, then the volumes.
std::optional<Status> WriteTruth(const ArchivePlan& plan,
                                 std::vector<std::pair<std::string, std::string>> recipe,
                                 archive::OutputFile& file);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_PLAN_TRUTH_H_
