// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DEFINITION_FILES_H_
#define PMPROOF_VALIDATOR_DERIVED_DEFINITION_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/derived/configuration.h"
#include "validator/derived/definition_outcome.h"

namespace pmproof::validator {

// What configuration files of a command hold, in their order.
class DefinitionFiles final : public derived::ConfigurationListener {
 public:
  // Loads each of `paths` (DER-301). Errors: the first that cannot be opened.
  std::optional<Status> Load(const archive::Storage& storage, const std::vector<std::string>& paths,
                             derived::Configured target);

  // Definitions, and lines that are not taken.
  std::vector<DefinitionOutcome>& outcomes() { return outcomes_; }
  // Of controls, and texts after values: "FILE:LINE: warning: ...", each a line.
  const std::vector<std::string>& warnings() const { return warnings_; }

  void OnDefinition(const derived::Definition& definition, std::string_view file,
                    std::uint64_t line) override;
  void OnProblem(const derived::ConfigurationProblem& problem) override;

 private:
  std::vector<DefinitionOutcome> outcomes_;
  std::vector<std::string> warnings_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DEFINITION_FILES_H_
