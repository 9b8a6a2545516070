#include "validator/cli/program.h"

#include <unistd.h>

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "reference/archive/guarded_mapping.h"
#include "reference/archive/storage.h"
#include "validator/cli/command_line.h"
#include "validator/cli/commands/agent.h"
#include "validator/cli/commands/collector.h"
#include "validator/cli/commands/compare.h"
#include "validator/cli/commands/derive.h"
#include "validator/cli/commands/replay.h"
#include "validator/cli/commands/rules.h"
#include "validator/cli/commands/synthesis.h"
#include "validator/cli/commands/testee.h"
#include "validator/cli/commands/units.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {
namespace {

ExitStatus Run(const std::vector<std::string>& arguments, const ProfileList& profiles) {
  const Result<Catalogue> catalogue = Catalogue::Shipped();
  if (!catalogue) {
    std::cerr << "pmproof: internal error: " << catalogue.error().ToText() << '\n';
    return ExitStatus::kInternal;
  }
  const auto command_line = ParseCommandLine(arguments, *catalogue);
  if (!command_line) {
    const NothingToRun& nothing = command_line.error();
    (nothing.status == ExitStatus::kOk ? std::cout : std::cerr) << nothing.text;
    return nothing.status;
  }
  const CommonArguments& common = command_line->common;
  const auto storage = archive::MakePosixStorage();
  const Environment environment{*storage,
                                *catalogue,
                                std::cout,
                                std::cerr,
                                ScreenOf(STDOUT_FILENO, common.colour),
                                ScreenOf(STDERR_FILENO, common.colour),
                                profiles};
  if (const auto* check = std::get_if<CheckArguments>(&command_line->command)) {
    return RunCheck(*check, common, environment);
  }
  if (const auto* list = std::get_if<ListArguments>(&command_line->command)) {
    return RunList(*list, environment);
  }
  if (const auto* info = std::get_if<InfoArguments>(&command_line->command)) {
    return RunInfo(*info, common, environment);
  }
  if (const auto* dump = std::get_if<DumpArguments>(&command_line->command)) {
    return RunDump(*dump, environment);
  }
  if (const auto* rewrite = std::get_if<RewriteArguments>(&command_line->command)) {
    return RunRewrite(*rewrite, common, environment);
  }
  if (const auto* generate = std::get_if<GenerateArguments>(&command_line->command)) {
    return RunGenerate(*generate, common, environment);
  }
  if (const auto* enumerate = std::get_if<EnumerateArguments>(&command_line->command)) {
    return RunEnumerate(*enumerate, common, environment);
  }
  if (const auto* mutate = std::get_if<MutateArguments>(&command_line->command)) {
    return RunMutate(*mutate, common, environment);
  }
  if (const auto* shrink = std::get_if<ShrinkArguments>(&command_line->command)) {
    return RunShrink(*shrink, common, environment);
  }
  if (const auto* replay = std::get_if<ReplayArguments>(&command_line->command)) {
    return RunReplay(*replay, common, environment);
  }
  if (const auto* testee = std::get_if<TesteeArguments>(&command_line->command)) {
    return RunTestee(*testee, environment, std::cin);
  }
  if (const auto* rules = std::get_if<RulesArguments>(&command_line->command)) {
    return RunRules(*rules, common, environment);
  }
  if (const auto* units = std::get_if<UnitsArguments>(&command_line->command)) {
    return RunUnits(*units, environment);
  }
  if (const auto* derive = std::get_if<DeriveArguments>(&command_line->command)) {
    return RunDerive(*derive, environment);
  }
  if (const auto* agent = std::get_if<AgentArguments>(&command_line->command)) {
    return RunAgentCommand(*agent, common, environment);
  }
  if (const auto* collector = std::get_if<CollectorArguments>(&command_line->command)) {
    return RunCollectorCommand(*collector, common, environment);
  }
  if (const auto* compare = std::get_if<CompareArguments>(&command_line->command)) {
    return RunCompare(*compare, common, environment);
  }
  return RunExplain(std::get<ExplainArguments>(command_line->command), environment);
}

}  // namespace

int RunProgram(int argc, char** argv, const ProfileList& profiles) {
  std::ios::sync_with_stdio(false);
  archive::HandleLostPages();
  try {
    ExitStatus status = Run(std::vector<std::string>(argv + 1, argv + argc), profiles);
    if (!std::cout.flush() && status == ExitStatus::kOk) {
      std::cerr << "pmproof: standard output could not be written\n";
      status = ExitStatus::kInternal;
    }
    return static_cast<int>(status);
  } catch (const std::bad_alloc&) {
    std::cerr << "pmproof: out of memory; verdict unknown\n";
    return static_cast<int>(ExitStatus::kBudget);
  } catch (const std::exception& error) {
    std::cerr << "pmproof: internal error: " << error.what() << '\n';
    return static_cast<int>(ExitStatus::kInternal);
  }
}

}  // namespace pmproof::validator
