#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "reference/archive/archive_output.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/file_set.h"
#include "reference/archive/rewrite.h"
#include "validator/check.h"
#include "validator/commands.h"
#include "validator/display.h"
#include "validator/output_name.h"

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
    if (const std::string refusal = RefusePresent(*files, present); !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    if (const ExitStatus status = CheckInput(names.names.front()); status != ExitStatus::kOk)
      return status;

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
    environment_.err << "pmproof: " << Displayable(message) << '\n';
    return status;
  }

  std::string RefusePresent(const archive::FileSet& in,
                            const std::vector<std::string>& present) const {
    for (const std::string& path : present) {
      const bool same = std::ranges::any_of(in.parts, [&](const auto& part) {
        std::error_code error;
        return std::filesystem::equivalent(part.second.path, path, error);
      });
      if (same) return path + ": is a file of the archive to be read: IN and OUT must differ";
    }
    if (present.empty() || arguments_.force) return "";
    return present.front() + ": exists; give another OUT, or --force to replace that archive";
  }

  // What readers refuse is not rewritten, nor an archive of which it depends on the reader what it
  // is.
  ExitStatus CheckInput(const std::string& name) const {
    CheckOptions options;
    options.jobs = common_.jobs;
    options.memory = kMemory;
    options.max_findings = 1;
    options.now = {std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count(),
                   0};
    const ArchiveReport report =
        CheckArchive(environment_.storage, name, environment_.catalogue, options);
    for (const std::string& error : report.internal_errors)
      return Fail(ExitStatus::kInternal, error);
    if (report.failure) {
      const bool budget = report.failure->kind == Status::Kind::kBudget;
      return Fail(budget ? ExitStatus::kBudget : ExitStatus::kUnreadable, report.failure->ToText());
    }
    ExitStatus status = ExitStatus::kOk;
    for (const Finding& finding : report.findings) {
      if (finding.severity != Severity::kFatal && finding.rule != "ARC-1008"_clause) continue;
      std::string text =
          finding.file + ": offset " + std::to_string(finding.offset) + ": " + finding.message;
      if (!finding.actual.empty()) text += " (" + finding.field + " " + finding.actual + ")";
      status = Fail(ExitStatus::kFindings, text + " [" + finding.rule.ToString() + "]");
    }
    return status;
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
