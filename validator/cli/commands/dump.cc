#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/cli/environment.h"
#include "validator/dump/dump_archive.h"
#include "validator/text/display.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {

ExitStatus RunDump(const DumpArguments& arguments, const Environment& environment) {
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
  const std::unique_ptr<DumpWriter> writer =
      arguments.json_lines ? MakeJsonDump(out, arguments.hex) : MakeTextDump(out, arguments.hex);
  const Quoting quoting = arguments.json_lines ? Quoting::kJson : Quoting::kText;
  for (const std::string& name : names.names) {
    const Result<std::vector<Status>> problems =
        DumpArchive(environment.storage, name, quoting, *writer);
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

}  // namespace pmproof::validator
