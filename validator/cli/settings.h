// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_SETTINGS_H_
#define PMPROOF_VALIDATOR_CLI_SETTINGS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/status.h"

// Values of options that hold for a folder (pmproof.toml) or a shell (PMPROOF_*).

namespace pmproof::validator {

// What can be set.
struct SettingName {
  const char* key;       // "fail-on", in pmproof.toml
  const char* option;    // "--fail-on"
  const char* variable;  // "PMPROOF_FAIL_ON"
  enum class Takes : std::uint8_t { kText, kNumber, kTexts, kPath } takes;
  bool changes_results = true;  // and so is told by commands that take it
};

// In the order in which they are shown.
std::span<const SettingName> SettingNames();

// What an option is given where the command line does not give it.
struct Setting {
  const SettingName* name = nullptr;
  std::vector<std::string> values;  // as on the command line, more than one of a kTexts alone
  std::uint64_t line = 0;           // of the file; 0: by the variable
};

struct Settings {
  std::optional<std::string> file;  // the pmproof.toml that was read, with its folder
  std::string shown;                // as messages name it: without its folder where that is asked
  std::vector<Setting> all;         // in the order of SettingNames(), none twice

  // "/srv/pmproof.toml, line 3", or "PMPROOF_FAIL_ON".
  std::string OriginOf(const Setting& setting) const;
};

// Null for a variable that is not set, as getenv().
using Variable = std::function<const char*(const char* name)>;

// Reads the first pmproof.toml of `folder` and those above it, and the variables, which win over
// it. A path in the file is relative to its folder. What stands in the environment and is empty is
// not set. Error: kUsage, with file and line, for a file that is not TOML, has unknown members or
// values of other kinds; kUnreadable where it cannot be read. Whether an option takes the value is
// not looked at.
Result<Settings> FindSettings(const std::filesystem::path& folder, const archive::Storage& storage,
                              const Variable& variable);

// Of the folder in which this program runs, and its environment.
Result<Settings> SettingsHere(const archive::Storage& storage);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_SETTINGS_H_
