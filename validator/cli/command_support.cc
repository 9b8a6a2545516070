// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/command_support.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "reference/archive/file_set.h"
#include "validator/cli/memory_option.h"
#include "validator/cli/report_time.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/report_file.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr char kZones[] = "/usr/share/zoneinfo";

bool IsFileOfArchive(const std::string& path, const std::vector<std::string>& archives,
                     const archive::Storage& storage) {
  archive::IgnoringReporter ignoring;
  const archive::ArchiveNames listed = archive::ListArchives(storage, archives, /*recursive=*/true);
  for (const std::string& name : listed.names) {
    const auto files = archive::FindArchive(storage, name, ignoring, &listed.listings);
    if (!files) continue;
    for (const auto& [part, file] : files->parts) {
      std::error_code error;
      if (std::filesystem::equivalent(path, file.path, error) && !error) return true;
    }
  }
  return false;
}

}  // namespace

ExitStatus Fail(const Environment& environment, ExitStatus status, const std::string& message) {
  environment.err << "pmproof: " << Displayable(message) << '\n';
  return status;
}

ExitStatus FailToWrite(const Environment& environment, Interruption& interruption,
                       ExitStatus status, const std::string& message) {
  const bool wished = interruption.wished();
  Fail(environment, status, wished ? Interrupted().message : message);
  interruption.Obey();
  return status;
}

bool WantsBar(const CommonArguments& common, const Environment& environment) {
  return common.progress == When::kAlways ||
         (common.progress == When::kAuto && environment.err_screen.terminal && !common.quiet);
}

MachineCheck::MachineCheck(const CommonArguments& common, const Environment& environment)
    : zones_(environment.storage, kZones) {
  options.jobs = common.jobs;
  options.now = Now();
  if (environment.storage.KindOf(kZones) == archive::DirectoryEntry::Kind::kDirectory)
    options.zones = &zones_;
  if (environment.memory != nullptr) {
    options.on_listed = [limit = *environment.memory](std::size_t archives) {
      limit.EnforceFor(archives);
    };
  }
}

std::optional<InputRefusal> RefuseInput(const ArchiveReport& report) {
  if (!report.internal_errors.empty())
    return InputRefusal{ExitStatus::kInternal, report.internal_errors.front()};
  if (report.failure) {
    const bool budget = report.failure->kind == Status::Kind::kBudget;
    return InputRefusal{budget ? ExitStatus::kBudget : ExitStatus::kUnreadable,
                        report.failure->ToText()};
  }
  for (const Finding& finding : report.findings) {
    if (finding.severity != Severity::kFatal && finding.rule != "ARC-1008"_clause) continue;
    std::string text =
        finding.file + ": offset " + std::to_string(finding.offset) + ": " + finding.message;
    if (!finding.actual.empty()) text += " (" + finding.field + " " + finding.actual + ")";
    return InputRefusal{ExitStatus::kFindings, text + " [" + finding.rule.ToString() + "]"};
  }
  return std::nullopt;
}

std::string RefuseOutput(const std::string& path, bool force,
                         const std::vector<std::string>& archives,
                         const archive::Storage& storage) {
  std::error_code error;
  const bool exists = std::filesystem::exists(std::filesystem::symlink_status(path, error));
  if (exists && !std::filesystem::is_directory(path, error) &&
      IsFileOfArchive(path, archives, storage)) {
    return path + ": is part of an archive to be read; it is not overwritten";
  }
  return RefuseReport(storage, path, force);
}

std::string RefuseReplacing(const std::vector<std::string>& present,
                            const std::vector<std::string>& in, bool force) {
  for (const std::string& path : present) {
    const bool same = std::ranges::any_of(in, [&](const std::string& file) {
      std::error_code error;
      return std::filesystem::equivalent(file, path, error);
    });
    if (same) return path + ": is a file of the archive to be read: IN and OUT must differ";
  }
  if (present.empty() || force) return "";
  return present.front() + ": exists; give another OUT, or --force to replace that archive";
}

}  // namespace pmproof::validator
