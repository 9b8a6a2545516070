// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_CONFIGURATION_H_
#define PMPROOF_REFERENCE_DERIVED_CONFIGURATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/archive/storage.h"
#include "reference/core/clause.h"
#include "reference/derived/controls.h"
#include "reference/derived/registry.h"

// Configuration files of derived metrics (DER sections 3 and 4).

namespace pmproof::derived {

// A line that is not taken, or not all of it. A value.
struct ConfigurationProblem {
  enum class Severity : std::uint8_t { kError, kWarning };

  Severity severity = Severity::kError;
  std::string file;
  std::uint64_t line =
      0;                // from 1; before 6.2.2 each value over several lines counts one too little
  std::string message;  // "pmLoadDerivedConfig: expression missing"
  std::string shown;    // what PCP prints in further lines, each ended by a newline; may be empty
  Clause clause;
  std::string name;  // of the metric, where the line has come that far
  // DER-325: why the definition is refused; its position is one of `expression`.
  std::optional<RegistrationError> refused;
  std::string expression{};  // without blanks before it
};

// "[FILE:LINE] Error: MESSAGE" and what is shown, as PCP prints it, ended by a newline.
std::string ToText(const ConfigurationProblem& problem);

// Receives what a file has, in its order.
class ConfigurationListener {
 public:
  virtual ~ConfigurationListener() = default;
  virtual void OnDefinition(const Definition& definition, std::string_view file,
                            std::uint64_t line) = 0;
  virtual void OnProblem(const ConfigurationProblem& problem) = 0;
};

// What configuration files change; both outlive the call. A limit that is set holds for the
// registry at once; Controls::option_novalue() is for those who open a context.
struct Configured {
  Registry* registry;
  Controls* controls;
};

// One file, named `file` in problems. Lines that are not taken do not keep the others from it
// (DER-310). How many definitions were registered (DER-302). Time is linear in the text; memory is
// what the definitions take, and the longest line.
std::uint64_t LoadConfiguration(std::string_view text, const std::string& file, Configured target,
                                ConfigurationListener& listener);

// DER-301, 302: files and directories with ":" between, directories with all that is below them, in
// the order of names. Errors: the first component that cannot be opened; what was before it is
// loaded.
Result<std::uint64_t> LoadConfigurationPath(const archive::Storage& storage, std::string_view path,
                                            Configured target, ConfigurationListener& listener);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_CONFIGURATION_H_
