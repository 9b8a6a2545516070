#include "validator/replay/derived_metrics.h"

#include <cstddef>

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
  switch (expression.nodes().back().kind) {
    case Kind::kInteger:
    case Kind::kDouble:
      return "DER-1111"_clause;
    case Kind::kConstant:
    case Kind::kNoValue:
      return "DER-1112"_clause;
    case Kind::kMetric:
    case Kind::kAnonymous:
      return "DER-1104"_clause;
    case Kind::kDefined:
      return "DER-705"_clause;
    case Kind::kAverage:
      return "DER-1118"_clause;
    case Kind::kCount:
      return "DER-1116"_clause;
    case Kind::kMaximum:
    case Kind::kMinimum:
      return "DER-1119"_clause;
    case Kind::kSum:
      return "DER-1117"_clause;
    case Kind::kDelta:
      return "DER-1134"_clause;
    case Kind::kRate:
      return "DER-1135"_clause;
    case Kind::kInstant:
      return "DER-1142"_clause;
    case Kind::kScalar:
      return "DER-1120"_clause;
    case Kind::kRescale:
      return "DER-1161"_clause;
    case Kind::kInstance:
      return "DER-1113"_clause;
    case Kind::kMatch:
      return "DER-1114"_clause;
    case Kind::kNegate:
    case Kind::kNot:
      return "DER-1141"_clause;
    case Kind::kAdd:
    case Kind::kSubtract:
    case Kind::kMultiply:
      return "DER-1146"_clause;
    case Kind::kDivide:
      return "DER-1147"_clause;
    case Kind::kAnd:
    case Kind::kOr:
      return "DER-1148"_clause;
    case Kind::kTernary:
      return "DER-1153"_clause;
    default:
      return "DER-1144"_clause;  // relational
  }
}

}  // namespace pmproof::validator
