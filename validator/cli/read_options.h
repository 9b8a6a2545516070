// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "validator/cli/options.h"
#include "validator/cli/settings.h"

namespace pmproof::validator {

// Settings, when the options of the command line are stored.
using SettingsSource = std::function<Result<Settings>()>;

struct OptionsRead {
  std::string wrong;                  // what is wrong, or ""
  bool help = false;                  // -h or --help is among the words
  std::vector<std::string> settings;  // taken and to be told, "fail-on = warning (ORIGIN)"
};

// Reads the words after the name of a command: stores the values of the options that `declared`
// names and gives the operands in their order. An option that is not given, and which no option
// that is given excludes, takes its setting; `settings` is asked where an option can take one, and
// may be empty.
OptionsRead ReadOptions(const std::vector<std::string>& words,
                        const std::vector<const Option*>& declared, const SettingsSource& settings);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_READ_OPTIONS_H_
