// SPDX-License-Identifier: Apache-2.0
#include "validator/derived/definition_files.h"

#include <utility>

namespace pmproof::validator {

std::optional<Status> DefinitionFiles::Load(const archive::Storage& storage,
                                            const std::vector<std::string>& paths,
                                            derived::Configured target) {
  for (const std::string& path : paths) {
    const auto loaded = derived::LoadConfigurationPath(storage, path, target, *this);
    if (!loaded) return loaded.error();
  }
  return std::nullopt;
}

void DefinitionFiles::OnDefinition(const derived::Definition& definition, std::string_view file,
                                   std::uint64_t line) {
  DefinitionOutcome& outcome = outcomes_.emplace_back();
  outcome.name = definition.name;
  outcome.expression = definition.expression->source();
  outcome.file = file;
  outcome.line = line;
}

void DefinitionFiles::OnProblem(const derived::ConfigurationProblem& problem) {
  if (problem.severity == derived::ConfigurationProblem::Severity::kError) {
    outcomes_.push_back(OutcomeOf(problem));
    return;
  }
  warnings_.push_back(problem.file + ":" + std::to_string(problem.line) +
                      ": warning: " + problem.message + " [" + problem.clause.ToString() + "]");
}

}  // namespace pmproof::validator
