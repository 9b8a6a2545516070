// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/core/on_threads.h"
#include "validator/cli/command_table.h"
#include "validator/cli/environment.h"
#include "validator/info/info.h"
#include "validator/info/render_info.h"
#include "validator/schema/info_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct InfoArguments {
  std::vector<std::string> archives;
  bool json = false;
  bool print_schema = false;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
};

ArchiveInfo GatherWithin(const archive::Storage& storage, const std::string& name,
                         const archive::Listings* listings, const archive::MemoryBudget& budget) {
  try {
    return GatherInfo(storage, name, listings, budget);
  } catch (const std::bad_alloc&) {
    ArchiveInfo info;
    info.archive = name;
    info.failure = archive::BeyondBudget(name);
    return info;
  }
}

InfoReport Gather(const InfoArguments& arguments, unsigned jobs, const Environment& environment) {
  const archive::Storage& storage = environment.storage;
  InfoReport report;
  archive::ArchiveNames names =
      archive::ListArchives(storage, arguments.archives, /*recursive=*/true);
  if (environment.memory != nullptr) environment.memory->EnforceFor(names.names.size());
  report.errors = std::move(names.errors);
  report.archives.resize(names.names.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < names.names.size(); i = next++) {
      report.archives[i] =
          GatherWithin(storage, names.names[i], &names.listings, arguments.memory.budget());
    }
  };
  OnThreads(std::min<std::size_t>(jobs, names.names.size()), work);
  return report;
}

// 4 for what is missing or no archive, 6 where a budget was exceeded, else 0; 4 comes first.
ExitStatus StatusOf(const InfoReport& report) {
  if (!report.errors.empty() || report.archives.empty()) return ExitStatus::kUnreadable;
  bool budget = false;
  for (const ArchiveInfo& info : report.archives) {
    for (const Status& problem : info.problems) {
      if (archive::IsStorageFailure(problem)) return ExitStatus::kUnreadable;
      budget = budget || problem.kind == Status::Kind::kBudget;
    }
    if (!info.failure) continue;
    if (info.failure->kind != Status::Kind::kBudget) return ExitStatus::kUnreadable;
    budget = true;
  }
  return budget ? ExitStatus::kBudget : ExitStatus::kOk;
}

ExitStatus Info(const InfoArguments& arguments, const CommonArguments& common,
                const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : info_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const InfoReport report = Gather(arguments, common.jobs, environment);
  if (arguments.json) {
    RenderInfoJson(report, environment.out);
  } else {
    RenderInfoText(report, environment.out_screen, environment.out);
  }
  // On a terminal the text has said it; a script reads it here in any case.
  if (arguments.json || !environment.out_screen.terminal || !environment.err_screen.terminal) {
    const auto write = [&](const Status& status) {
      environment.err << "pmproof: " << Displayable(status.ToText()) << '\n';
    };
    for (const ArchiveInfo& info : report.archives) {
      if (info.failure) write(*info.failure);
    }
    for (const Status& error : report.errors) write(error);
  }
  return StatusOf(report);
}

class InfoCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, or a directory: each archive below it",
                     &arguments_.archives);
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    arguments_.memory.Declare(options, "What is kept of each has 16K more");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options.Examples({"pmproof info /var/log/pcp/pmlogger", "pmproof info --format json archive"})
        .ExitStatuses(
            "0 where something could be shown of each; 2 wrong usage; 4 an input is missing, "
            "cannot be read or is not a PCP archive; 6 a memory budget was exceeded");
  }

  std::string Wrong(const Catalogue&) override {
    return arguments_.archives.empty() && !arguments_.print_schema ? "no ARCHIVE given" : "";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return Info(arguments_, common, environment);
  }

 private:
  InfoArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeInfo() { return std::make_unique<InfoCommand>(); }

}  // namespace pmproof::validator
