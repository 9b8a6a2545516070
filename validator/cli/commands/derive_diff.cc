// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/rules_sides.h"
#include "validator/cli/identifier.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_time.h"
#include "validator/cli/report_writing.h"
#include "validator/derived_diff/compare_definitions.h"
#include "validator/derived_diff/render_derived.h"
#include "validator/schema/derive_diff_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct DeriveDiffArguments {
  std::string baseline;
  std::string candidate;
  std::optional<std::string> baseline_name;
  std::optional<std::string> candidate_name;
  std::vector<std::string> configurations;
  std::vector<std::string> pmrep;
  std::vector<std::string> definitions;
  std::vector<std::string> archives;
  std::uint64_t records = 1000;
  double patience = 60;  // seconds
  OutputOptions outputs{{"text", "json", "html"}};
  MemoryOption memory;
  bool print_schema = false;
};

class DeriveDiff {
 public:
  DeriveDiff(const DeriveDiffArguments& arguments, const CommonArguments& common,
             const Environment& environment)
      : arguments_(arguments),
        common_(common),
        environment_(environment),
        storage_(environment.storage) {}

  ExitStatus Run() {
    ReportWriting reports(arguments_.outputs, environment_);
    if (const std::string refusal = reports.Refuse(arguments_.archives); !refusal.empty()) {
      return Fail(environment_, ExitStatus::kUsage, refusal);
    }
    std::vector<DefinitionSource> sources;
    if (const auto error = Read(&sources)) {
      return Fail(
          environment_,
          error->kind == Status::Kind::kBudget ? ExitStatus::kBudget : ExitStatus::kUnreadable,
          error->ToText());
    }
    std::unique_ptr<DerivedSide> sides[2];
    const std::string* const texts[] = {&arguments_.baseline, &arguments_.candidate};
    for (std::size_t i : {0, 1}) {
      if (const auto status = Open(*texts[i], &sides[i])) return *status;
    }
    const CompareDefinitionsOptions options{
        .records = arguments_.records, .storage = storage_, .profiles = environment_.profiles};
    const std::vector<std::vector<std::string>> archives = Archives();
    report_.baseline = arguments_.baseline_name.value_or(arguments_.baseline);
    report_.candidate = arguments_.candidate_name.value_or(arguments_.candidate);
    report_.found = CompareDefinitions(sources, *sides[0], *sides[1], archives, options);
    std::ranges::move(errors_, std::back_inserter(report_.found.errors));
    const auto failed = reports.Write(
        common_, [&](const std::string& format, const Screen& screen, std::ostream& out) {
          if (format == "json") return RenderDerivedJson(report_, out);
          if (format == "html") return RenderDerivedHtml(report_, TimeOfPage(), out);
          RenderDerivedText(report_, screen, out);
        });
    return failed ? *failed : StatusOf();
  }

 private:
  std::optional<Status> Read(std::vector<DefinitionSource>* sources) const {
    DefinitionSource own;
    for (const std::string& path : arguments_.configurations) {
      if (auto error = AddDefinitionFile(storage_, path, &own)) return error;
    }
    for (const std::string& definition : arguments_.definitions) own.Add(definition, {});
    if (!own.lines.empty()) sources->push_back(std::move(own));
    for (const std::string& path : arguments_.pmrep) {
      if (auto error = AddPmrepConfiguration(storage_, path, sources)) return error;
    }
    return std::nullopt;
  }

  std::optional<ExitStatus> Open(const std::string& text, std::unique_ptr<DerivedSide>* side) {
    if (const derived::Dialect* dialect = derived::FindDialect(text)) {
      *side = MakeDialectSide(*dialect, storage_, environment_.profiles);
      return std::nullopt;
    }
    if (!text.starts_with("exec:")) {
      std::vector<std::string> names;
      std::string all;
      for (const derived::Dialect* dialect : derived::kDialects) {
        names.emplace_back(dialect->name);
        all += std::string(all.empty() ? "" : ", ") + names.back();
      }
      return Fail(environment_, ExitStatus::kUsage,
                  "there is no dialect " + text + NearestHint(text, names) + "; dialects: " + all +
                      "; implementations: exec:COMMAND, and qa/suite/suite derive diff knows more");
    }
    SideOptions options;
    options.patience = std::chrono::milliseconds(std::llround(arguments_.patience * 1000));
    auto choice = ChooseSide(text, options);
    if (!choice) return Fail(environment_, ExitStatus::kUsage, choice.error());
    Adapter adapter(std::get<AdapterCommand>(choice->what));
    if (const auto started = adapter.Start(); !started) {
      return Fail(environment_, ExitStatus::kTesteeFailed, text + " " + started.error().text);
    }
    *side = MakeImplementationSide(std::move(adapter));
    return std::nullopt;
  }

  static std::string Absolute(const std::string& name) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(name, error);
    return error ? name : path.lexically_normal().string();
  }

  // As rules diff takes them: lists are opened as one.
  std::vector<std::vector<std::string>> Archives() {
    std::vector<std::vector<std::string>> archives;
    for (const std::string& argument : arguments_.archives) {
      archive::ArchiveNames found = archive::ListArchives(storage_, {argument}, /*recursive=*/true);
      std::ranges::move(found.errors, std::back_inserter(errors_));
      std::vector<std::string> set;
      for (const std::string& name : found.names) {
        if (found.lists.empty()) {
          archives.push_back({Absolute(name)});
        } else {
          set.push_back(Absolute(name));
        }
      }
      if (!set.empty()) archives.push_back(std::move(set));
    }
    return archives;
  }

  ExitStatus StatusOf() const {
    const DerivedComparison& found = report_.found;
    if (!found.errors.empty()) {
      for (const Status& error : found.errors) {
        environment_.err << "pmproof: " << Displayable(error.ToText()) << '\n';
      }
      return std::ranges::any_of(
                 found.errors,
                 [](const Status& error) { return error.kind != Status::Kind::kBudget; })
                 ? ExitStatus::kUnreadable
                 : ExitStatus::kBudget;
    }
    for (const auto& side : found.unanswered) {
      for (const auto& [archive, why] : side) {
        if (why.broke()) return ExitStatus::kTesteeFailed;
      }
    }
    if (found.archives.empty() || found.definitions.empty()) {
      return Fail(environment_, ExitStatus::kUsage, "there was nothing to compare");
    }
    return found.findings.empty() ? ExitStatus::kOk : ExitStatus::kFindings;
  }

  const DeriveDiffArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  const archive::LossWatch storage_;
  std::vector<Status> errors_;
  DerivedReport report_;
};

class DeriveDiffCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands(
        "ARCHIVE",
        "Base name, any file of an archive, a list A,B,... that is opened as one, or a "
        "directory",
        &arguments_.archives);
    options.Text("--baseline", "SIDE",
                 "What to compare with: the language of a version (6.0.3, 6.3.8, 7.2.2, seed), or "
                 "exec:COMMAND (an adapter of an implementation)",
                 &arguments_.baseline);
    options.Text("--candidate", "SIDE", "What is compared, likewise", &arguments_.candidate);
    options.Text("--baseline-name", "NAME", "What the report calls it", &arguments_.baseline_name)
        .Default("SIDE");
    options.Text("--candidate-name", "NAME", "Likewise", &arguments_.candidate_name)
        .Default("SIDE");
    options.Texts("--derived-config", "PATH",
                  "Definitions of a configuration file, or of all files in a directory",
                  &arguments_.configurations);
    options.Texts("--pmrep-config", "PATH",
                  "Formulas of a configuration file of pmrep, or of the files *.conf in a "
                  "directory; those of each section are for themselves",
                  &arguments_.pmrep);
    options.Texts("--derive", "DEFINITION", "One more, NAME = EXPR", &arguments_.definitions);
    options
        .Number("--records", "N", "Values are compared at so many records of each ARCHIVE", 0,
                10'000'000, &arguments_.records)
        .Default("1000");
    options
        .Decimal("--timeout", "SECONDS", "How long an implementation may take for an answer", 0.001,
                 86400, &arguments_.patience)
        .Default("60");
    arguments_.outputs.Declare(options, "Let --output overwrite a file (never an archive's)");
    arguments_.memory.Declare(options);
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Values are those at the records, so that only the language differs, and not the rule "
            "of interpolation. `qa/suite/suite derive diff` takes the same arguments and knows "
            "pcp:VERSION and pcp:PREFIX.")
        .Examples({"pmproof derive diff --baseline 6.0.3 --candidate 7.2.2 --derived-config "
                   "/etc/pcp/derived archive"})
        .ExitStatuses(
            "0 no definition changes its meaning; 1 one does; 2 wrong usage, or there was nothing "
            "to compare; 3 an implementation did not start, died, kept silent or broke the "
            "protocol; 4 an archive or a file is missing or cannot be read; 5 internal error of "
            "pmproof; 6 a memory budget was exceeded");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.baseline.empty()) return "--baseline is required";
    if (arguments_.candidate.empty()) return "--candidate is required";
    if (arguments_.configurations.empty() && arguments_.definitions.empty() &&
        arguments_.pmrep.empty()) {
      return "give --derived-config, --pmrep-config or --derive";
    }
    return arguments_.archives.empty() ? "no ARCHIVE given" : arguments_.outputs.Wrong();
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (!arguments_.print_schema) return DeriveDiff(arguments_, common, environment).Run();
    for (const EmbeddedFile& file : derive_diff_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }

 private:
  DeriveDiffArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeDeriveDiff() { return std::make_unique<DeriveDiffCommand>(); }

}  // namespace pmproof::validator
