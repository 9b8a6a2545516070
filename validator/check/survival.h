// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_SURVIVAL_H_
#define PMPROOF_VALIDATOR_CHECK_SURVIVAL_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/timestamp.h"
#include "validator/check/open_volume.h"
#include "validator/check/report/report.h"
#include "validator/check/report/survival.h"

namespace pmproof::validator {

// A data volume to look through once more.
struct VolumeToSearch {
  archive::Part part = 0;
  std::string name;
  int version = 0;
  std::function<OpenVolume()> open;  // one volume is open at a time
};

struct DamagedArchive {
  std::string name;                     // as it was called
  std::vector<VolumeToSearch> volumes;  // in their order
  bool all_volumes = true;              // none is missing
  const std::vector<Finding>& findings;
  std::uint64_t refused_records = 0;  // whole records that readers refuse, as far as was counted
  std::optional<Timestamp> last_index_entry;
};

// What of a damaged archive can still be read: its volumes are framed a second time, and held
// against the fatal findings in them. Takes as long as reading them.
Survival FindSurvival(DamagedArchive archive);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_SURVIVAL_H_
