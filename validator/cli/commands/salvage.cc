// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/archive_output.h"
#include "reference/archive/file_set.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/output_name.h"
#include "validator/cli/output_options.h"
#include "validator/cli/report_writing.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/salvage/render_salvage.h"
#include "validator/salvage/salvage.h"
#include "validator/schema/salvage_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// 3: the new archive is sound, and something of the old one is not in it.
constexpr auto kSavedWithLosses = static_cast<ExitStatus>(3);

struct SalvageArguments {
  std::string in;
  std::string out;
  OutputOptions outputs{{"text", "json"}};
  MemoryOption memory;
  bool print_schema = false;
};

class SalvageRun {
 public:
  SalvageRun(const SalvageArguments& arguments, const CommonArguments& common,
             const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    const archive::ArchiveNames names =
        archive::ListArchives(environment_.storage, {arguments_.in}, /*recursive=*/true);
    for (const Status& error : names.errors) return Fail(ExitStatus::kUnreadable, error.ToText());
    if (names.names.size() != 1) {
      return Fail(ExitStatus::kUsage, arguments_.in + ": " + std::to_string(names.names.size()) +
                                          " archives: salvage takes one at a time");
    }
    const std::string& in = names.names.front();
    if (const std::string refusal = RefuseBaseName(environment_.storage, arguments_.out);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, arguments_.out + ": " + refusal);
    }
    const std::vector<std::string> present = archive::FilesOf(environment_.storage, arguments_.out);
    if (const std::string refusal =
            RefuseReplacing(present, FilesOfArchive(in), arguments_.outputs.force());
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    const std::string refusal =
        ReportWriting(arguments_.outputs, environment_).Refuse({in, arguments_.out});
    if (!refusal.empty()) return Fail(ExitStatus::kUsage, refusal);
    const auto report = Work(in, present);
    if (!report) return report.error();
    ReportWriting reports(arguments_.outputs, environment_);
    if (const auto failed = reports.Write(
            common_, [&](const std::string& format, const Screen& screen, std::ostream& out) {
              if (format == "json") {
                RenderSalvageJson(*report, environment_.catalogue, out);
              } else {
                RenderSalvageText(*report, screen, out);
              }
            })) {
      return *failed;
    }
    switch (report->outcome) {
      case SalvageReport::Outcome::kWhole:
        return ExitStatus::kOk;
      case SalvageReport::Outcome::kSaved:
        return kSavedWithLosses;
      case SalvageReport::Outcome::kNothing:
        break;
    }
    return Fail(ExitStatus::kFindings, report->in + ": nothing to save: " + report->why_nothing);
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  std::vector<std::string> FilesOfArchive(const std::string& in) const {
    std::vector<std::string> files;
    const archive::FoundArchive found(environment_.storage, in);
    for (const auto& [part, file] : found.files().parts) files.push_back(file.path);
    return files;
  }

  // Salvages; the error is the status to end with, of which the reason was said.
  tl::expected<SalvageReport, ExitStatus> Work(const std::string& in,
                                               const std::vector<std::string>& present) const {
    Interruption interruption;
    interruption.Defer();
    InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
    MachineCheck machine(common_, environment_);
    machine.options.memory = arguments_.memory.budget();
    SalvageOptions options;
    options.check = machine.options;
    options.replaced = present;
    SalvageOutcome outcome =
        Salvage(environment_.storage, in, output, arguments_.out, environment_.catalogue, options);
    if (!outcome.failure) return std::move(outcome.report);
    return tl::unexpected(Explain(*outcome.failure, interruption));
  }

  ExitStatus Explain(const SalvageFailure& failure, Interruption& interruption) const {
    using Cause = SalvageFailure::Cause;
    ExitStatus status = ExitStatus::kUnreadable;
    std::string message = failure.status.ToText();
    switch (failure.cause) {
      case Cause::kInput:
        if (failure.status.kind == Status::Kind::kBudget) status = ExitStatus::kBudget;
        break;
      case Cause::kOutput:
        status = ExitStatus::kInternal;
        break;
      case Cause::kNotConformant:
        status = ExitStatus::kInternal;
        message = "nothing was written: check does not call it conformant: " + message;
        break;
    }
    return FailToWrite(environment_, interruption, status, message);
  }

  const SalvageArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

class SalvageCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand(
        "IN",
        "Base name, any file of an archive, or a directory with one archive; never written to",
        &arguments_.in);
    options.Operand("OUT", "Base name of the new archive", &arguments_.out);
    arguments_.outputs.Declare(options, "Replace an archive called OUT, and FILE of --output");
    arguments_.memory.Declare(options, "Nothing is written then");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Records that are framed on both sides, decode and are in order of time are copied as "
            "they are, also after damage. What is left out is listed, with the clause, the file, "
            "the offset and the span. Where records were lost OUT has a mark, so that no reader "
            "interpolates there; of value sets that are wrong only these are left out. The index "
            "is made anew. OUT is not compressed, and is checked before it gets its name.")
        .Examples({"pmproof salvage broken saved",
                   "pmproof salvage --output json:losses.json --output text:- broken saved"})
        .ExitStatuses(
            "0 saved, and nothing lost; 1 nothing to save; 2 wrong usage, or OUT exists; 3 saved "
            "with losses; 4 IN is missing, cannot be read or is not a PCP archive; 5 OUT could not "
            "be written, or an internal error; 6 a memory budget was exceeded. OUT is complete and "
            "conformant (0, 3) or not there at all");
  }

  std::string Wrong(const Catalogue&) override {
    if (std::string wrong = arguments_.outputs.Wrong(); !wrong.empty()) return wrong;
    if (arguments_.print_schema) return "";
    if (arguments_.in.empty()) return "no IN given";
    return arguments_.out.empty() ? "no OUT given" : "";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.print_schema) {
      for (const EmbeddedFile& file : salvage_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    return SalvageRun(arguments_, common, environment).Run();
  }

 private:
  SalvageArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeSalvage() { return std::make_unique<SalvageCommand>(); }

}  // namespace pmproof::validator
