#include <optional>
#include <string>
#include <vector>

#include "reference/core/descriptor_text.h"
#include "reference/core/units_text.h"
#include "reference/derived/archive_operands.h"
#include "reference/derived/derived_context.h"
#include "validator/derived/commands.h"
#include "validator/derived/definition_text.h"
#include "validator/display.h"
#include "validator/json_values.h"
#include "validator/replay/open_archive.h"

namespace pmproof::validator {
namespace {

using derived::BindError;
using derived::DerivedContext;
using derived::Dialect;
using derived::Expression;
using derived::NodeKind;
using derived::OperandAnswer;
using derived::RegistrationError;
using derived::Registry;

// A context without metrics.
class NoMetrics final : public derived::OperandSource {
 public:
  OperandAnswer Find(std::string_view) const override { return {}; }
};

bool NeedsMetrics(const Expression& expression) {
  for (const derived::Node& node : expression.nodes()) {
    if (node.kind == NodeKind::kMetric || !expression.parameters(node).meta.empty()) return true;
  }
  return false;
}

// What became of one definition.
struct Outcome {
  std::string name;
  std::string expression;
  std::optional<Descriptor> descriptor;  // nothing: refused, or not bound
  std::string stage;                     // "syntax", "bind"; empty: taken
  std::optional<std::int64_t> position;
  std::string message;
  std::string where;
  Clause clause;
};

class DeriveCommand {
 public:
  DeriveCommand(const DeriveArguments& arguments, const Environment& environment)
      : arguments_(arguments),
        environment_(environment),
        dialect_(*derived::FindDialect(arguments.dialect)) {}

  ExitStatus Run() {
    if (arguments_.archives.empty()) return Derive(NoMetrics());
    const auto archive = OpenForReplay(environment_.storage, arguments_.archives);
    if (!archive) {
      environment_.err << "pmproof: " << Displayable(archive.error().ToText()) << '\n';
      return archive.error().kind == Status::Kind::kBudget ? ExitStatus::kBudget
                                                           : ExitStatus::kUnreadable;
    }
    for (const Status& passed_over : (*archive)->passed_over()) {
      environment_.err << "pmproof: " << Displayable(passed_over.ToText()) << '\n';
    }
    return Derive(derived::ArchiveOperands(**archive));
  }

 private:
  ExitStatus Derive(const derived::OperandSource& metrics) {
    Registry registry(Registry::Scope::kGlobal, dialect_);
    registry.RegisterEventMetrics();
    DerivedContext context(metrics, registry);
    // All names are known before any is bound, as in a configuration file (DER-205).
    std::vector<Outcome> outcomes;
    for (const std::string& text : arguments_.definitions) outcomes.push_back(Take(text, registry));
    ExitStatus status = ExitStatus::kOk;
    for (Outcome& outcome : outcomes) {
      if (outcome.stage.empty()) Bind(context, registry, &outcome);
      if (!outcome.stage.empty()) status = ExitStatus::kFindings;
      environment_.out << (arguments_.json ? JsonText(outcome) : PlainText(outcome));
    }
    return budget_ ? ExitStatus::kBudget : status;
  }

  Outcome Take(const std::string& text, Registry& registry) {
    const DefinitionText definition = SplitDefinition(text);
    Outcome outcome;
    outcome.name = definition.name;
    outcome.expression = definition.expression;
    if (!definition.problem.empty()) {
      outcome.stage = "syntax";
      outcome.message = definition.problem;
      outcome.clause = definition.clause;
      return outcome;
    }
    const auto taken = registry.Register(definition.name, definition.expression);
    if (taken) return outcome;
    outcome.stage = "syntax";
    outcome.position = taken.error().position;
    outcome.message = taken.error().message;
    outcome.clause = taken.error().clause;
    budget_ = budget_ || taken.error().stage == RegistrationError::Stage::kBudget;
    return outcome;
  }

  void Bind(DerivedContext& context, const Registry& registry, Outcome* outcome) const {
    const derived::DefinitionPointer definition = registry.Find(outcome->name);
    if (arguments_.archives.empty() && NeedsMetrics(*definition->expression)) return;
    const DerivedContext::BoundMetric* bound = context.Bind(outcome->name);
    if (bound == nullptr) {
      outcome->stage = "bind";
      outcome->message = "the archive has a metric of that name, which hides it";
      outcome->clause = "DER-204"_clause;
    } else if (*bound) {
      outcome->descriptor = (*bound)->descriptor();
    } else {
      const BindError& error = bound->error();
      outcome->stage = "bind";
      outcome->message = error.message;
      outcome->where = error.where;
      outcome->clause = error.clause;
    }
  }

  std::string UnitsOf(const Descriptor& descriptor) const {
    return UnitsText(descriptor.units, dialect_.version);
  }

  std::string PlainText(const Outcome& outcome) const {
    std::string text = Displayable(outcome.name);
    if (outcome.stage.empty()) {
      if (!outcome.descriptor) return text + ": the syntax is right; not bound without --archive\n";
      return text + "\n" + DescriptorText(*outcome.descriptor, dialect_.version);
    }
    text += outcome.stage == "bind" ? ": semantic error\n" : ": syntax error\n";
    if (outcome.position) {
      text += WithCaret(outcome.expression, *outcome.position);
    } else if (!outcome.expression.empty()) {
      text += Displayable(outcome.expression) + "\n";
    }
    if (!outcome.where.empty()) text += Displayable(outcome.where) + ": ";
    text += outcome.message.empty() ? "this can not stand here" : Displayable(outcome.message);
    if (!outcome.clause.empty()) text += " [" + outcome.clause.ToString() + "]";
    return text + "\n";
  }

  std::string JsonText(const Outcome& outcome) const {
    Json json{{"name", outcome.name}, {"ok", outcome.stage.empty()}};
    if (outcome.stage.empty()) {
      json["descriptor"] = nullptr;
      if (outcome.descriptor) {
        const Descriptor& descriptor = *outcome.descriptor;
        json["descriptor"] = {{"type", ToText(descriptor.type)},
                              {"semantics", ToText(descriptor.semantics)},
                              {"indom", nullptr},
                              {"units", UnitsOf(descriptor)}};
        if (!descriptor.indom.IsNull()) json["descriptor"]["indom"] = ToText(descriptor.indom);
      }
    } else {
      json["stage"] = outcome.stage;
      json["position"] = nullptr;
      if (outcome.position) json["position"] = *outcome.position;
      json["message"] = outcome.message;
      if (!outcome.where.empty()) json["where"] = outcome.where;
      if (!outcome.clause.empty()) json["clause"] = outcome.clause.ToString();
    }
    return DumpJson(json, -1) + "\n";
  }

  const DeriveArguments& arguments_;
  const Environment& environment_;
  const Dialect& dialect_;
  bool budget_ = false;
};

}  // namespace

ExitStatus RunDerive(const DeriveArguments& arguments, const Environment& environment) {
  return DeriveCommand(arguments, environment).Run();
}

}  // namespace pmproof::validator
