// SPDX-License-Identifier: Apache-2.0
#include "validator/derived/definition_outcome.h"

#include "validator/derived/definition_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using derived::RegistrationError;

void Refuse(const RegistrationError& error, DefinitionOutcome* outcome) {
  outcome->stage = "syntax";
  outcome->position = error.position;
  outcome->message = error.message;
  outcome->clause = error.clause;
  outcome->budget = error.stage == RegistrationError::Stage::kBudget;
}

}  // namespace

DefinitionOutcome TakeDefinition(const std::string& text, derived::Registry* registry) {
  const DefinitionText definition = SplitDefinition(text);
  DefinitionOutcome outcome;
  outcome.name = definition.name;
  outcome.expression = definition.expression;
  if (!definition.problem.empty()) {
    outcome.stage = "syntax";
    outcome.message = definition.problem;
    outcome.clause = definition.clause;
    return outcome;
  }
  const auto taken = registry->Register(definition.name, definition.expression);
  if (!taken) Refuse(taken.error(), &outcome);
  return outcome;
}

DefinitionOutcome TakeNamed(const std::string& name, const std::string& expression,
                            derived::Registry* registry) {
  DefinitionOutcome outcome;
  outcome.name = name;
  outcome.expression = expression;
  const auto taken = registry->Register(name, expression);
  if (!taken) Refuse(taken.error(), &outcome);
  return outcome;
}

DefinitionOutcome OutcomeOf(const derived::ConfigurationProblem& problem) {
  DefinitionOutcome outcome;
  outcome.name = problem.name;
  outcome.expression = problem.expression;
  outcome.file = problem.file;
  outcome.line = problem.line;
  if (problem.refused) {
    Refuse(*problem.refused, &outcome);
    return outcome;
  }
  outcome.stage = "syntax";
  outcome.message = problem.message;
  outcome.clause = problem.clause;
  constexpr std::string_view kCall = "pmLoadDerivedConfig: ";
  if (outcome.message.starts_with(kCall)) outcome.message.erase(0, kCall.size());
  return outcome;
}

void BindDefinition(derived::DerivedContext* context, DefinitionOutcome* outcome) {
  const derived::DerivedContext::BoundMetric* bound = context->Bind(outcome->name);
  if (bound == nullptr) {
    outcome->stage = "bind";
    outcome->message = "the archive has a metric of that name, which hides it";
    outcome->clause = "DER-204"_clause;
  } else if (*bound) {
    outcome->descriptor = (*bound)->descriptor();
  } else {
    const derived::BindError& error = bound->error();
    outcome->stage = "bind";
    outcome->message = error.message;
    outcome->where = error.where;
    outcome->clause = error.clause;
  }
}

std::string ErrorText(const DefinitionOutcome& outcome) {
  std::string text;
  if (!outcome.file.empty()) {
    text = Displayable(outcome.file) + ":" + std::to_string(outcome.line) + ": ";
  }
  if (!outcome.name.empty() || outcome.file.empty()) text += Displayable(outcome.name) + ": ";
  text += outcome.stage == "bind" ? "semantic error\n" : "syntax error\n";
  if (outcome.position) {
    text += WithCaret(outcome.expression, *outcome.position);
  } else if (!outcome.expression.empty()) {
    text += Displayable(outcome.expression) + "\n";
  }
  if (!outcome.where.empty()) text += Displayable(outcome.where) + ": ";
  text += outcome.message.empty() ? "this cannot stand here" : Displayable(outcome.message);
  if (!outcome.clause.empty()) text += " [" + outcome.clause.ToString() + "]";
  return text + "\n";
}

}  // namespace pmproof::validator
