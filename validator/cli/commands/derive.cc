// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "reference/core/descriptor_text.h"
#include "reference/core/units_text.h"
#include "reference/derived/archive_operands.h"
#include "reference/derived/derived_context.h"
#include "validator/cli/command_table.h"
#include "validator/cli/dialect_choice.h"
#include "validator/derived/definition_files.h"
#include "validator/derived/pmrep_configuration.h"
#include "validator/replay/open_archive.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

struct DeriveArguments {
  std::vector<std::string> definitions;     // "NAME = EXPR"
  std::vector<std::string> configurations;  // of derived metrics: files and directories (DER-301)
  std::vector<std::string> pmrep;           // configurations of pmrep: files and directories
  std::vector<std::string> archives;        // none: only what needs no metric is bound
  const derived::Dialect* dialect = &derived::kV72;
  bool json = false;
  MemoryOption memory;
};

using derived::DerivedContext;
using derived::Dialect;
using derived::Expression;
using derived::NodeKind;
using derived::OperandAnswer;
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

class DeriveRun {
 public:
  DeriveRun(const DeriveArguments& arguments, const Environment& environment)
      : arguments_(arguments), environment_(environment), dialect_(*arguments.dialect) {}

  ExitStatus Run() {
    if (arguments_.definitions.empty() && arguments_.configurations.empty() &&
        arguments_.pmrep.empty()) {
      environment_.err << "pmproof: derive: give a DEFINITION, --derived-config or "
                          "--pmrep-config\n";
      return ExitStatus::kUsage;
    }
    for (const std::string& path : arguments_.pmrep) {
      auto sections = LoadPmrepConfigurations(environment_.storage, path);
      if (!sections) return Fail(sections.error());
      std::ranges::move(*sections, std::back_inserter(sections_));
    }
    if (arguments_.archives.empty()) return Derive(NoMetrics());
    const archive::LossWatch storage(environment_.storage);
    const auto archive =
        OpenForReplay(storage, arguments_.archives, arguments_.memory.budget(), dialect_.version);
    if (!archive) return Fail(archive.error());
    for (const Status& passed_over : (*archive)->passed_over()) Warn(passed_over.ToText());
    const ExitStatus status = Derive(derived::ArchiveOperands(**archive));
    if (const std::optional<Status> loss = storage.loss()) return Fail(*loss);
    return status;
  }

 private:
  void Warn(const std::string& message) const {
    environment_.err << "pmproof: " << Displayable(message) << '\n';
  }
  ExitStatus Fail(const Status& error) const {
    Warn(error.ToText());
    return error.kind == Status::Kind::kBudget ? ExitStatus::kBudget : ExitStatus::kUnreadable;
  }

  // Definitions that are registered together.
  struct Group {
    std::vector<std::string> configurations;
    const PmrepSection* section = nullptr;
    std::vector<std::string> definitions;
  };

  ExitStatus Derive(const derived::OperandSource& metrics) {
    std::vector<Group> groups;
    if (!arguments_.configurations.empty() || !arguments_.definitions.empty()) {
      groups.push_back({arguments_.configurations, nullptr, arguments_.definitions});
    }
    for (const PmrepSection& section : sections_) {
      groups.push_back({section.configurations, &section, {}});
    }
    for (const Group& group : groups) {
      if (const auto failed = DeriveGroup(group, metrics)) return *failed;
    }
    return budget_ ? ExitStatus::kBudget : wrong_ ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  // A status is why it cannot go on.
  std::optional<ExitStatus> DeriveGroup(const Group& group, const derived::OperandSource& metrics) {
    Registry registry(Registry::Scope::kGlobal, dialect_);
    registry.RegisterEventMetrics();
    derived::Controls controls;
    DefinitionFiles files;
    if (const auto error =
            files.Load(environment_.storage, group.configurations, {&registry, &controls})) {
      return Fail(*error);
    }
    for (const std::string& warning : files.warnings()) Warn(warning);
    // All names are known before any is bound, as in a configuration file (DER-205).
    std::vector<DefinitionOutcome> outcomes = std::move(files.outcomes());
    if (group.section != nullptr) {
      for (const PmrepDefinition& definition : group.section->definitions) {
        outcomes.push_back(TakeNamed(definition.name, definition.expression, &registry));
        outcomes.back().file = group.section->file;
        outcomes.back().line = definition.line;
      }
    }
    for (const std::string& text : group.definitions) {
      outcomes.push_back(TakeDefinition(text, &registry));
    }
    DerivedContext context(metrics, registry, controls.option_novalue());
    for (DefinitionOutcome& outcome : outcomes) {
      if (outcome.stage.empty()) Bind(&context, registry, &outcome);
      wrong_ = wrong_ || !outcome.stage.empty();
      budget_ = budget_ || outcome.budget;
      environment_.out << (arguments_.json ? JsonText(outcome, registry) : PlainText(outcome));
    }
    return std::nullopt;
  }

  void Bind(DerivedContext* context, const Registry& registry, DefinitionOutcome* outcome) const {
    const derived::DefinitionPointer definition = registry.Find(outcome->name);
    if (arguments_.archives.empty() && NeedsMetrics(*definition->expression)) return;
    BindDefinition(context, outcome);
  }

  std::string UnitsOf(const Descriptor& descriptor) const {
    return UnitsText(descriptor.units, dialect_.version);
  }

  std::string PlainText(const DefinitionOutcome& outcome) const {
    if (!outcome.stage.empty()) return ErrorText(outcome);
    const std::string name = Displayable(outcome.name);
    if (!outcome.descriptor) return name + ": the syntax is right; not bound without --archive\n";
    return name + "\n" + DescriptorText(*outcome.descriptor, dialect_.version);
  }

  std::string JsonText(const DefinitionOutcome& outcome, const Registry& registry) const {
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
    if (!outcome.file.empty()) {
      json["file"] = outcome.file;
      json["line"] = outcome.line;
    }
    const derived::DefinitionPointer definition = registry.Find(outcome.name);
    if (outcome.stage.empty() && definition->oneline) json["oneline"] = *definition->oneline;
    if (outcome.stage.empty() && definition->helptext) json["helptext"] = *definition->helptext;
    return DumpJson(json, -1) + "\n";
  }

  const DeriveArguments& arguments_;
  const Environment& environment_;
  const Dialect& dialect_;
  std::vector<PmrepSection> sections_;
  bool wrong_ = false;
  bool budget_ = false;
};

class DeriveCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("DEFINITION", "NAME = EXPR, such as 'disk.size = delta(bytes) / delta(ops)'",
                     &arguments_.definitions);
    options.Texts(
        "--derived-config", "PATH",
        "Definitions of a configuration file, or of all files in a directory; they come before "
        "DEFINITIONs",
        &arguments_.configurations);
    options.Texts(
        "--pmrep-config", "PATH",
        "Formulas of a configuration file of pmrep, or of the files *.conf in a directory; those "
        "of each section are for themselves",
        &arguments_.pmrep);
    options.Texts(
        "--archive", "ARCHIVE",
        "Bind to the metrics of this archive, or of a list A,B,...: they are opened as one",
        &arguments_.archives);
    options
        .Choice("--dialect", "DIALECT",
                "The language of a version, or seed: that of the oldest manual (DER-1501)",
                DialectChoice(), &arguments_.dialect)
        .Default("7.2.2");
    options
        .Choice("--format", "FORMAT", "json: one object a line",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    arguments_.memory.Declare(options);
    options
        .Notes(
            "DEFINITIONs are registered in their order, as a configuration file would do it. "
            "Positions are "
            "offsets in EXPR, which begins after the \"=\" and the blanks there. Without --archive "
            "the "
            "syntax is checked, and what needs no metric is bound.")
        .Examples({"pmproof derive --format json 'x = 1 + (2'",
                   "pmproof derive --archive archive 'disk.size = delta(bytes) / delta(ops)'"})
        .ExitStatuses(
            "0 all definitions are right; 1 one is not; 2 wrong usage; 4 an archive or a file is "
            "missing or "
            "cannot be opened; 6 a memory budget was exceeded");
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return DeriveRun(arguments_, environment).Run();
  }

 private:
  DeriveArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeDerive() { return std::make_unique<DeriveCommand>(); }

}  // namespace pmproof::validator
