// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_WRITE_CONFIGURATION_H_
#define PMPROOF_VALIDATOR_COLLECTOR_WRITE_CONFIGURATION_H_

#include <string>

#include "reference/core/status.h"
#include "validator/collector/configuration.h"

namespace pmproof::validator::collector {

// As the user names them.
struct Places {
  std::string folder;   // is made if it does not exist
  std::string pmproof;  // empty: the program that runs
};

// Writes the files of `configuration`, whose layout and pmproof are filled in: paths that hold
// wherever the collector is started. Errors: kUsage for a folder that is not empty, or a path that
// no file of this kind can have; kUnreadable for what the system refuses: then nothing is left.
Result<Configuration> WriteConfiguration(const Places& places, Configuration configuration);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_WRITE_CONFIGURATION_H_
