// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DEFINITION_OUTCOME_H_
#define PMPROOF_VALIDATOR_DERIVED_DEFINITION_OUTCOME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/metric.h"
#include "reference/derived/configuration.h"
#include "reference/derived/derived_context.h"

namespace pmproof::validator {

// What became of one definition, as people are told of it.
struct DefinitionOutcome {
  std::string name{};
  std::string expression{};
  std::string file{};                      // of a configuration file; else empty
  std::uint64_t line = 0;                  // there
  std::optional<Descriptor> descriptor{};  // nothing: refused, or not bound
  std::string stage{};                     // "syntax", "bind"; empty: taken
  std::optional<std::int64_t> position{};  // in `expression`
  std::string message{};
  std::string where{};
  Clause clause{};
  bool budget = false;  // refused for what it would take
};

// Registers what a user has written, "NAME = EXPR".
DefinitionOutcome TakeDefinition(const std::string& text, derived::Registry* registry);

// Registers a definition whose name is given apart, and need not be one that a configuration file
// takes (DER-342).
DefinitionOutcome TakeNamed(const std::string& name, const std::string& expression,
                            derived::Registry* registry);

// Of a line that is not taken.
DefinitionOutcome OutcomeOf(const derived::ConfigurationProblem& problem);

// Binds one that was taken.
void BindDefinition(derived::DerivedContext* context, DefinitionOutcome* outcome);

// Several lines: the error with a caret below its place, of one that is not taken.
std::string ErrorText(const DefinitionOutcome& outcome);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DEFINITION_OUTCOME_H_
