// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/derived_metrics.h"

#include <cstddef>

#include "reference/derived/functions.h"
#include "validator/derived/definition_files.h"
#include "validator/derived/definition_outcome.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// What one command tells of lines that are not taken.
constexpr std::size_t kMaxShown = 20;

}  // namespace

std::optional<ExitStatus> DerivedMetrics::LoadFiles(const std::vector<std::string>& files,
                                                    const Environment& environment) {
  DefinitionFiles loaded;
  if (const auto error = loaded.Load(environment.storage, files, {&registry_, &controls_})) {
    environment.err << "pmproof: " << Displayable(error->ToText()) << '\n';
    return error->kind == Status::Kind::kBudget ? ExitStatus::kBudget : ExitStatus::kUnreadable;
  }
  for (const std::string& warning : loaded.warnings()) {
    environment.err << "pmproof: " << Displayable(warning) << '\n';
  }
  std::size_t refused = 0;
  for (const DefinitionOutcome& outcome : loaded.outcomes()) {
    if (outcome.stage.empty()) continue;
    if (++refused <= kMaxShown) environment.err << "pmproof: " << ErrorText(outcome);
  }
  if (refused > kMaxShown) {
    environment.err << "pmproof: " << refused - kMaxShown
                    << " more lines are not definitions; pmproof derive --derived-config tells of "
                       "all of them\n";
  }
  return std::nullopt;
}

std::optional<ExitStatus> DerivedMetrics::Load(const std::vector<std::string>& files,
                                               const std::vector<std::string>& definitions,
                                               const Environment& environment) {
  if (auto status = LoadFiles(files, environment)) return status;
  std::vector<DefinitionOutcome> outcomes;
  for (const std::string& text : definitions) {
    outcomes.push_back(TakeDefinition(text, &registry_));
    names_.push_back(outcomes.back().name);
  }
  context_.emplace(base_, registry_, controls_.option_novalue());
  std::optional<ExitStatus> status;
  for (DefinitionOutcome& outcome : outcomes) {
    if (outcome.stage.empty()) BindDefinition(&*context_, &outcome);
    if (outcome.stage.empty()) continue;
    environment.err << "pmproof: --derive: " << ErrorText(outcome);
    if (!status || outcome.budget) {
      status = outcome.budget ? ExitStatus::kBudget : ExitStatus::kUsage;
    }
  }
  return status;
}

Clause EvaluationClause(const derived::Expression& expression) {
  using Kind = derived::NodeKind;
  const derived::Node& root = expression.nodes().back();
  if (root.function != derived::Node::kNoFunction) return derived::FunctionOf(root).clause;
  switch (root.kind) {
    case Kind::kInteger:
    case Kind::kDouble:
      return "DER-1111"_clause;
    case Kind::kMetric:
      return "DER-1104"_clause;
    case Kind::kInstance:
      return "DER-1113"_clause;
    case Kind::kNegate:
    case Kind::kNot:
      return "DER-1141"_clause;
    case Kind::kAdd:
    case Kind::kSubtract:
    case Kind::kMultiply:
      return "DER-1146"_clause;
    case Kind::kDivide:
      return "DER-1147"_clause;
    case Kind::kLess:
    case Kind::kLessEqual:
    case Kind::kEqual:
    case Kind::kGreaterEqual:
    case Kind::kGreater:
    case Kind::kNotEqual:
      return "DER-1144"_clause;
    case Kind::kAnd:
    case Kind::kOr:
      return "DER-1148"_clause;
    case Kind::kTernary:
      return "DER-1153"_clause;
    case Kind::kConstant:  // functions
    case Kind::kNoValue:
    case Kind::kAnonymous:
    case Kind::kDefined:
    case Kind::kFunction:
    case Kind::kRescale:
    case Kind::kMatch:
      break;
  }
  return {};
}

}  // namespace pmproof::validator
