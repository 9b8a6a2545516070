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
    const Result<std::vector<Status>> problems =
        DumpArchive(environment.storage, name, quoting, *writer);
    if (!problems) {
      missing = true;
      complain(problems.error());
      continue;
    }
    damaged = damaged || !problems->empty();
    out.Flush();
    for (const Status& problem : *problems) complain(problem);
  }
  if (missing) return ExitStatus::kUnreadable;
  return damaged ? ExitStatus::kFindings : ExitStatus::kOk;
}

}  // namespace pmproof::validator
