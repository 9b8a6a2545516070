// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_TRIAGE_SUPPORT_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_TRIAGE_SUPPORT_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/cli/environment.h"
#include "validator/cli/options.h"
#include "validator/triage/directories.h"
#include "validator/triage/triage.h"

// What `check` and `triage` have in common.

namespace pmproof::validator {

// --live-within and --gap.
class TriageDurations {
 public:
  // `needs_live_within`, `needs_gap`: what else has to be given, such as " (with --triage)".
  void Declare(Options& options, const std::string& needs_live_within = "",
               const std::string& needs_gap = "");

  bool has_live_within() const { return live_within_.has_value(); }
  bool has_gap() const { return gap_.has_value(); }
  // What is wrong with them, or "".
  std::string Wrong() const;

 private:
  friend TriageOptions TriageOptionsOf(const CheckOptions& check, const TriageDurations& durations);

  std::optional<std::string> live_within_;
  std::optional<std::string> gap_;
};

// With the times of this machine's files, and the defaults of `triage` for what is not given.
// Requires durations that are not Wrong().
TriageOptions TriageOptionsOf(const CheckOptions& check, const TriageDurations& durations);

// The archives of a report of `check --format json`, of this version and catalogue.
Result<std::vector<ArchiveReport>> ArchivesOfReport(Bytes document, const std::string& file,
                                                    const Catalogue& catalogue);

// What `read` makes of the bytes of a file.
template <typename T>
Result<T> FromFile(const archive::Storage& storage, const std::string& path,
                   const std::function<Result<T>(Bytes document)>& read) {
  const auto file = storage.Open(path);
  if (!file) return tl::unexpected(file.error());
  Result<T> made = read((*file)->bytes());
  if (const std::optional<Status> lost = (*file)->lost()) return tl::unexpected(*lost);
  return made;
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_TRIAGE_SUPPORT_H_
