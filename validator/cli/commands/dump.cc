// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/cli/command_table.h"
#include "validator/cli/environment.h"
#include "validator/dump/dump_archive.h"
#include "validator/text/display.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {
namespace {

struct DumpArguments {
  std::vector<std::string> archives;
  bool json_lines = false;
  bool hex = false;
  MemoryOption memory;
  bool full = false;  // long names of instances as they are
};

ExitStatus Dump(const DumpArguments& arguments, const Environment& environment) {
  const archive::ArchiveNames names =
      archive::ListArchives(environment.storage, arguments.archives, /*recursive=*/true);
  bool missing = false;
  bool damaged = false;
  bool budget = false;
  const auto complain = [&](const Status& status) {
    environment.err << "pmproof: " << Displayable(status.ToText()) << '\n';
  };
  for (const Status& error : names.errors) complain(error);
  missing = !names.errors.empty();

  TextBuffer out(environment.out);
  const DumpForm form{arguments.hex, arguments.full};
  const std::unique_ptr<DumpWriter> writer =
      arguments.json_lines ? MakeJsonDump(out, form) : MakeTextDump(out, form);
  const Quoting quoting = arguments.json_lines ? Quoting::kJson : Quoting::kText;
  for (const std::string& name : names.names) {
    const Result<std::vector<Status>> problems = DumpArchive(
        environment.storage, name, quoting, *writer, arguments.memory.budget(), &names.listings);
    if (!problems) {
      missing = true;
      complain(problems.error());
      continue;
    }
    out.Flush();
    for (const Status& problem : *problems) {
      complain(problem);
      missing = missing || archive::IsStorageFailure(problem);
      budget = budget || problem.kind == Status::Kind::kBudget;
      damaged = true;
    }
  }
  if (missing) return ExitStatus::kUnreadable;
  if (budget) return ExitStatus::kBudget;
  return damaged ? ExitStatus::kFindings : ExitStatus::kOk;
}

class DumpCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Operands("ARCHIVE", "Base name, any file of an archive, or a directory",
                  &arguments_.archives)
        .Required();
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"jsonl", true}},
                &arguments_.json_lines)
        .Default("text");
    options.Flag("--hex", "Also the bytes of each record", &arguments_.hex);
    options.Flag("--full",
                 "Names of instances of more than 4 KiB as well, and all of names that share their "
                 "bytes with others",
                 &arguments_.full);
    arguments_.memory.Declare(options);
    options.Examples({"pmproof dump --hex archive.meta"})
        .ExitStatuses(
            "0 where every byte has its record; 1 bytes belong to no record that can be decoded; 2 "
            "wrong usage; 4 an input is missing, cannot be read or is not a PCP archive; 6 a "
            "memory "
            "budget was exceeded");
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return Dump(arguments_, environment);
  }

 private:
  DumpArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeDump() { return std::make_unique<DumpCommand>(); }

}  // namespace pmproof::validator
