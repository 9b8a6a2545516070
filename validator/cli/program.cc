// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/program.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "reference/archive/guarded_mapping.h"
#include "reference/archive/storage.h"
#include "validator/cli/command_table.h"
#include "validator/cli/memory_option.h"
#include "validator/cli/parse.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// glibc gives memory back to the system as soon as 128 KiB at the end of the heap are free, and
// asks for it again a moment later: three times for each of many small archives, a sixth of the
// time that their check takes. It keeps twice as much as the largest block that was mapped for
// itself and is free again. (mallopt() would say so too, and end that it learns.)
void KeepFreedMemory() {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  void* volatile block = std::malloc(kBlock);
  std::free(block);
}

// Runs a command in the memory that it may take.
ExitStatus RunWithin(Command& command, const CommonArguments& common, Environment environment) {
  const MemoryOption* const memory = command.memory();
  if (memory == nullptr) return command.Run(common, environment);
  const MemoryLimit limit = memory->LimitOf(common.jobs);
  limit.Enforce();
  environment.memory = &limit;
  ExitStatus status = ExitStatus::kBudget;
  const char* const exceeded = "pmproof: more memory is needed than is allowed\n";
  try {
    status = command.Run(common, environment);
  } catch (const std::bad_alloc&) {
    environment.err << exceeded;
  } catch (const std::system_error& error) {
    // No memory for the stack of a thread.
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    environment.err << exceeded;
  }
  if (status == ExitStatus::kBudget) {
    environment.err << "pmproof: --memory raises the limit on memory, which is " << memory->Text()
                    << "; see --help\n";
  }
  return status;
}

ExitStatus Run(const std::vector<std::string>& arguments, const ProfileList& profiles) {
  const Catalogue catalogue = Catalogue::Shipped();
  const auto storage = archive::MakePosixStorage();
  const SettingsSource settings = [&storage]() { return SettingsHere(*storage); };
  const auto command_line = ParseCommandLine(arguments, AllCommands(), catalogue, settings);
  if (!command_line) {
    const NothingToRun& nothing = command_line.error();
    (nothing.status == ExitStatus::kOk ? std::cout : std::cerr) << nothing.text;
    return nothing.status;
  }
  const CommonArguments& common = command_line->common;
  if (!common.quiet) {
    // A verdict must not depend on a file that nobody sees.
    for (const std::string& setting : command_line->settings) {
      std::cerr << "pmproof: setting " << Displayable(setting) << '\n';
    }
  }
  return RunWithin(
      *command_line->command, common,
      {*storage, catalogue, std::cout, std::cerr, ScreenOf(STDOUT_FILENO, common.colour),
       ScreenOf(STDERR_FILENO, common.colour), profiles});
}

}  // namespace

int RunProgram(int argc, char** argv, const ProfileList& profiles) {
  std::ios::sync_with_stdio(false);
  KeepFreedMemory();
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
