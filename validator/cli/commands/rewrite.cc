// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/archive_output.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/file_set.h"
#include "reference/archive/rewrite.h"
#include "validator/check/check.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/compression_names.h"
#include "validator/cli/output_name.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct RewriteArguments {
  std::string in;
  std::string out;
  std::optional<int> version;  // 2 or 3
  std::optional<archive::Compression> compression;
  bool force = false;
  MemoryOption memory;
};

class Rewrite {
 public:
  Rewrite(const RewriteArguments& arguments, const CommonArguments& common,
          const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    Interruption interruption;
    const archive::ArchiveNames names =
        archive::ListArchives(environment_.storage, {arguments_.in}, /*recursive=*/true);
    for (const Status& error : names.errors) return Fail(ExitStatus::kUnreadable, error.ToText());
    if (names.names.size() != 1) {
      return Fail(ExitStatus::kUsage, arguments_.in + ": " + std::to_string(names.names.size()) +
                                          " archives: rewrite takes one at a time");
    }
    if (const std::string refusal = RefuseBaseName(environment_.storage, arguments_.out);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, arguments_.out + ": " + refusal);
    }
    archive::ViolationKeeper ignored(names.names.front());
    const Result<archive::FileSet> files =
        archive::FindArchive(environment_.storage, names.names.front(), ignored);
    if (!files) return Fail(ExitStatus::kUnreadable, files.error().ToText());
    const std::vector<std::string> present = archive::FilesOf(environment_.storage, arguments_.out);
    std::vector<std::string> in;
    for (const auto& [part, file] : files->parts) in.push_back(file.path);
    if (const std::string refusal = RefuseReplacing(present, in, arguments_.force);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    if (const auto refusal = CheckInput(names.names.front()))
      return Fail(refusal->status, refusal->message);

    interruption.Defer();
    InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
    archive::RewriteOptions options;
    options.version = arguments_.version;
    options.compression = arguments_.compression;
    options.replaced = present;
    options.memory = arguments_.memory.budget();
    const auto failure =
        archive::Rewrite(environment_.storage, *files, output, arguments_.out, options);
    if (failure) {
      return FailToWrite(environment_, interruption, StatusOf(*failure), failure->status.ToText());
    }
    if (!common_.quiet) {
      environment_.err << Displayable(arguments_.out) << ": " << Plural(files->parts.size(), "file")
                       << " written\n";
    }
    return ExitStatus::kOk;
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  // What readers refuse is not rewritten, nor an archive of which it depends on the reader what it
  // is.
  std::optional<InputRefusal> CheckInput(const std::string& name) const {
    MachineCheck machine(common_, environment_);
    machine.options.memory = arguments_.memory.budget();
    machine.options.max_findings = 1;
    return RefuseInput(
        CheckArchive(environment_.storage, name, environment_.catalogue, machine.options));
  }

  static ExitStatus StatusOf(const archive::RewriteFailure& failure) {
    using Cause = archive::RewriteFailure::Cause;
    using Kind = Status::Kind;
    const Kind kind = failure.status.kind;
    if (kind == Kind::kBudget) return ExitStatus::kBudget;
    if (failure.cause == Cause::kInexpressible) return ExitStatus::kFindings;
    if (failure.cause == Cause::kOutput) return ExitStatus::kInternal;
    return kind == Kind::kDamaged ? ExitStatus::kFindings : ExitStatus::kUnreadable;
  }

  const RewriteArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

class RewriteCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Operand(
            "IN",
            "Base name, any file of an archive, or a directory with one archive; never written to",
            &arguments_.in)
        .Required();
    options.Operand("OUT", "Base name of the new archive", &arguments_.out).Required();
    options.Choice("--archive-version", "2|3",
                   "Convert to this version; what cannot be expressed is an error",
                   std::vector<NamedValue<int>>{{"2", 2}, {"3", 3}}, &arguments_.version);
    options
        .Choice("--compress", "METHOD", "Compress every file", CompressionNames(),
                &arguments_.compression)
        .Default("each as in IN");
    options.Flag("--force", "Replace an archive called OUT", &arguments_.force);
    arguments_.memory.Declare(options);
    options
        .Notes(
            "Without an option each file of OUT is byte for byte that of IN, compressed ones "
            "included; an IN "
            "that readers refuse is refused.")
        .Examples({"pmproof rewrite --archive-version 3 --compress zstd old new"})
        .ExitStatuses(
            "0 done; 1 IN is damaged, or cannot be expressed in the other version; 2 wrong usage, "
            "or OUT "
            "exists; 4 IN is missing or not a PCP archive; 5 OUT could not be written; 6 a memory "
            "budget was "
            "exceeded. OUT is complete or not there at all");
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return Rewrite(arguments_, common, environment).Run();
  }

 private:
  RewriteArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeRewrite() { return std::make_unique<RewriteCommand>(); }

}  // namespace pmproof::validator
