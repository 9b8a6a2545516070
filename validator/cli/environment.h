// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_
#define PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_

#include <functional>
#include <ostream>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/replay/profiles.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/text/terminal.h"

// What every command is given.

namespace pmproof::validator {

class MemoryLimit;

// The interpolation profiles that are known by name.
using ProfileList = std::function<std::vector<replay::Profile>(replay::CounterWrap wrap)>;

// The options that every command takes.
struct CommonArguments {
  When colour = When::kAuto;
  When progress = When::kAuto;
  unsigned jobs = 1;  // --jobs, else the number of processors
  bool quiet = false;
  bool no_config = false;
};

// Where a command reads and writes. All of it outlives the command.
struct Environment {
  const archive::Storage& storage;
  const Catalogue& catalogue;
  std::ostream& out;
  std::ostream& err;
  Screen out_screen;
  Screen err_screen;
  ProfileList profiles = replay::NamedProfiles;
  const MemoryLimit* memory = nullptr;  // what the command may take; nothing: that is not limited
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_
