// SPDX-License-Identifier: Apache-2.0
#include "validator/derived_diff/dialect_cause.h"

#include "reference/derived/archive_operands.h"
#include "reference/derived/configuration.h"
#include "reference/derived/derived_context.h"
#include "validator/derived/definition_outcome.h"

namespace pmproof::validator {
namespace {

using derived::Dialect;

struct Property {
  bool Dialect::*member;
  const char* clause;
};

constexpr Property kProperties[] = {
    {&Dialect::whole_language, "DER-101"},
    {&Dialect::equivalent_indoms, "DER-102"},
    {&Dialect::lazy_binding, "DER-103"},
    {&Dialect::functions_of_expressions, "DER-104"},
    {&Dialect::rate_without_backward_counters, "DER-105"},
    {&Dialect::indom_parameter, "DER-107"},
    {&Dialect::controls, "DER-108"},
    {&Dialect::extra_units, "DER-109"},
    {&Dialect::seed_semantics, "DER-1501"},
};

// Keeps what is said of one name.
class Watching final : public derived::ConfigurationListener {
 public:
  explicit Watching(std::string name) : name_(std::move(name)) {}
  void OnDefinition(const derived::Definition&, std::string_view, std::uint64_t) override {}
  void OnProblem(const derived::ConfigurationProblem& problem) override {
    if (problem.name != name_ || !refusal.message.empty()) return;
    refusal = {problem.refused ? problem.refused->message : problem.message,
               problem.clause.ToString()};
  }
  DialectRefusal refusal;

 private:
  std::string name_;
};

}  // namespace

std::string ClauseBetween(const Dialect& of_baseline, const DefinitionMeaning& baseline,
                          const Dialect& of_candidate, const DefinitionMeaning& candidate,
                          const MeaningIn& meaning_in) {
  const auto turns = [&](const Dialect& hybrid, const DefinitionMeaning& wanted) {
    const auto meaning = meaning_in(hybrid);
    return meaning && meaning->Equals(wanted);
  };
  for (const Property& property : kProperties) {
    if (of_baseline.*property.member == of_candidate.*property.member) continue;
    Dialect back = of_candidate;
    back.*property.member = of_baseline.*property.member;
    if (turns(back, baseline)) return property.clause;
    Dialect forth = of_baseline;
    forth.*property.member = of_candidate.*property.member;
    if (turns(forth, candidate)) return property.clause;
  }
  return "";
}

DialectRefusal RefusalOf(const DefinitionSource& source, const std::string& name,
                         const Dialect& dialect, const replay::ReplayArchive& archive) {
  derived::Registry registry(derived::Registry::Scope::kGlobal, dialect);
  registry.RegisterEventMetrics();
  derived::Controls controls;
  Watching watching(name);
  derived::LoadConfiguration(source.text, "F", {&registry, &controls}, watching);
  if (!watching.refusal.message.empty()) return watching.refusal;
  if (registry.Find(name) == nullptr) return {};
  const derived::ArchiveOperands operands(archive);
  derived::DerivedContext context(operands, registry, controls.option_novalue());
  DefinitionOutcome outcome;
  outcome.name = name;
  BindDefinition(&context, &outcome);
  if (outcome.stage.empty()) return {};
  return {outcome.message, outcome.clause.ToString()};
}

}  // namespace pmproof::validator
