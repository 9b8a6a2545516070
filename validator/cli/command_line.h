#ifndef PMPROOF_VALIDATOR_CLI_COMMAND_LINE_H_
#define PMPROOF_VALIDATOR_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "reference/archive/source.h"
#include "validator/catalogue/catalogue.h"
#include "validator/catalogue/rule_selection.h"
#include "validator/check/report/render.h"
#include "validator/check/report/report.h"
#include "validator/cli/commands/agent_arguments.h"
#include "validator/cli/commands/collector_arguments.h"
#include "validator/cli/commands/compare_arguments.h"
#include "validator/cli/commands/derive_arguments.h"
#include "validator/cli/commands/replay_arguments.h"
#include "validator/cli/commands/rules_arguments.h"
#include "validator/cli/commands/synthesis_arguments.h"
#include "validator/cli/commands/testee_arguments.h"
#include "validator/cli/commands/units_arguments.h"
#include "validator/text/terminal.h"

// The arguments of the program as values: one struct for each command.

namespace pmproof::validator {

struct CommonArguments {
  When colour = When::kAuto;
  When progress = When::kAuto;
  unsigned jobs = 1;  // --jobs, else the number of processors
  bool quiet = false;
};

// One --format and the --output that belongs to it; without a path it goes to standard output.
struct OutputRequest {
  Format format = Format::kText;
  std::optional<std::string> path;
};

struct CheckArguments {
  std::vector<std::string> archives;
  std::vector<OutputRequest> outputs;  // at least one; at most one without a path
  Severity fail_on = Severity::kError;
  Profile profile = Profile::kArchival;
  RuleSelection rules;
  std::uint64_t max_findings = 20;
  std::uint64_t memory = std::uint64_t{64} << 20;
  bool sets = false;
  bool force = false;
  bool print_schema = false;
};

struct ListArguments {
  bool json = false;
  std::vector<RulePart> only{};
  // Of checks: "agent", "collector". Where neither they nor parts are named, all is listed.
  std::vector<std::string> checks{};
};

struct ExplainArguments {
  std::vector<std::string> identifiers;
};

struct DumpArguments {
  std::vector<std::string> archives;
  bool json_lines = false;
  bool hex = false;
  bool full = false;  // long names of instances as they are
};

struct InfoArguments {
  std::vector<std::string> archives;
  bool json = false;
  bool print_schema = false;
};

struct RewriteArguments {
  std::string in;
  std::string out;
  std::optional<int> version;  // 2 or 3
  std::optional<archive::Compression> compression;
  bool force = false;
};

struct CommandLine {
  CommonArguments common;
  std::variant<CheckArguments, ListArguments, ExplainArguments, DumpArguments, InfoArguments,
               RewriteArguments, GenerateArguments, EnumerateArguments, MutateArguments,
               ShrinkArguments, ReplayArguments, TesteeArguments, RulesArguments, UnitsArguments,
               DeriveArguments, AgentArguments, CollectorArguments, CompareArguments>
      command;
};

// Why there is nothing to run: --help or --version was asked for (`text` goes to standard output,
// status 0), or the usage is wrong (`text` goes to standard error, status 2).
struct NothingToRun {
  ExitStatus status = ExitStatus::kUsage;
  std::string text;
};

// `arguments` without the program's name. `catalogue` names the rules that --rule may select.
tl::expected<CommandLine, NothingToRun> ParseCommandLine(const std::vector<std::string>& arguments,
                                                         const Catalogue& catalogue);

// The identifiers of the list that look most like `text`, at most three, nearest first.
std::vector<Clause> Nearest(std::string_view text, const std::vector<Clause>& identifiers);

// "arc-1102" is taken for "ARC-1102".
std::optional<Clause> ParseIdentifier(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMAND_LINE_H_
