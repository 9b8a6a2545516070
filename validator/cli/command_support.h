// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMAND_SUPPORT_H_
#define PMPROOF_VALIDATOR_CLI_COMMAND_SUPPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/archive/time_zone.h"
#include "validator/check/check.h"
#include "validator/cli/environment.h"
#include "validator/output/interruption.h"

// What several commands have in common.

namespace pmproof::validator {

// Says `message` on the error stream, and gives `status` back.
ExitStatus Fail(const Environment& environment, ExitStatus status, const std::string& message);

// Says why nothing was written; where `interruption` was wished for says that, and ends the
// program.
ExitStatus FailToWrite(const Environment& environment, Interruption& interruption,
                       ExitStatus status, const std::string& message);

// Whether a progress bar is to be drawn.
bool WantsBar(const CommonArguments& common, const Environment& environment);

// The options of a check by the clock and the tz database of this machine.
class MachineCheck {
 public:
  MachineCheck(const CommonArguments& common, const Environment& environment);
  MachineCheck(const MachineCheck&) = delete;
  MachineCheck& operator=(const MachineCheck&) = delete;

  // Hold as long as this.
  CheckOptions options;

 private:
  archive::ZoneDatabase zones_;
};

// Why the archive checked cannot be decoded and encoded again: the check could not be made,
// readers refuse it, or it depends on the reader what it is (ARC-1008). `message` is what to say.
struct InputRefusal {
  ExitStatus status = ExitStatus::kFindings;
  std::string message;
};
std::optional<InputRefusal> RefuseInput(const ArchiveReport& report);

// Returns why a report cannot be written to a file, or "". A file of one of the archives that are
// read is never overwritten; else as RefuseReport().
std::string RefuseOutput(const std::string& path, bool force,
                         const std::vector<std::string>& archives, const archive::Storage& storage);

// Why an archive cannot be written where the files `present` are: one of them is one of `in`,
// which is only read, or they are not to be replaced. Empty if it can.
std::string RefuseReplacing(const std::vector<std::string>& present,
                            const std::vector<std::string>& in, bool force);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMAND_SUPPORT_H_
