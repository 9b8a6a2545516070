// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMAND_H_
#define PMPROOF_VALIDATOR_CLI_COMMAND_H_

#include <memory>
#include <string>
#include <vector>

#include "validator/cli/environment.h"
#include "validator/cli/memory_option.h"
#include "validator/cli/options.h"

namespace pmproof::validator {

// A command of the program. Made anew for each command line; declared, then run once.
class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  // Says what it takes; the values are stored in this.
  virtual void Declare(Options& options) = 0;

  // Returns what is missing in the values or contradictory, or "". Called once, after they were
  // stored; may complete them.
  virtual std::string Wrong(const Catalogue&) { return ""; }

  // Null for commands that read no large input.
  virtual const MemoryOption* memory() const { return nullptr; }

  // Requires that nothing is Wrong(). Whoever calls this has enforced the limit of memory(); a
  // std::bad_alloc says that it was met.
  virtual ExitStatus Run(const CommonArguments& common, const Environment& environment) = 0;
};

// A row of the table of commands.
struct CommandEntry {
  const char* name;     // "check"; "rules diff" is one of the group "rules"
  const char* summary;  // "Validate archives"
  std::unique_ptr<Command> (*make)();
};

// Several commands whose names begin with one word.
struct CommandGroup {
  const char* name;
  const char* summary;
};

struct CommandTable {
  std::vector<CommandEntry> commands;  // in the order of --help
  std::vector<CommandGroup> groups;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMAND_H_
