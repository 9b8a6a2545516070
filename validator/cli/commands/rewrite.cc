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
#include "validator/cli/environment.h"
#include "validator/cli/output_name.h"

namespace pmproof::validator {
namespace {

// What the check of the input may take: .meta is held in memory anyway where the version changes.
constexpr std::size_t kMemory = std::size_t{1} << 30;

class Rewrite {
 public:
  Rewrite(const RewriteArguments& arguments, const CommonArguments& common,
          const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
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

    const auto output = archive::MakePosixOutput();
    archive::RewriteOptions options;
    options.version = arguments_.version;
    options.compression = arguments_.compression;
    options.replaced = present;
    const auto failure =
        archive::Rewrite(environment_.storage, *files, *output, arguments_.out, options);
    if (!failure) return ExitStatus::kOk;
    return Fail(StatusOf(*failure), failure->status.ToText());
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  // What readers refuse is not rewritten, nor an archive of which it depends on the reader what it
  // is.
  std::optional<Refusal> CheckInput(const std::string& name) const {
    MachineCheck machine(common_, environment_);
    machine.options.memory = kMemory;
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

}  // namespace

ExitStatus RunRewrite(const RewriteArguments& arguments, const CommonArguments& common,
                      const Environment& environment) {
  return Rewrite(arguments, common, environment).Run();
}

}  // namespace pmproof::validator
