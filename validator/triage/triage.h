// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_TRIAGE_H_
#define PMPROOF_VALIDATOR_TRIAGE_TRIAGE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"
#include "validator/text/progress.h"

// Which of many archives need a person, and what that person does next: what `triage` shows.

namespace pmproof::validator {

struct TriagedArchive : Triaged {
  std::string name;  // as `check` calls it
  int archive_version = 0;
  Summary summary;
  Counts counts;
  ExitStatus status = ExitStatus::kOk;  // of what is undecided: kUnreadable, kInternal, kBudget
};

struct TriageOptions {
  CheckOptions check;
  // The latest change of a file; nothing if that is not known.
  std::function<std::optional<Timestamp>(const std::string& file)> changed;
  // An archive that has changed within this time before check.now may be live. Nanoseconds.
  std::int64_t live_within = std::int64_t{3600} * 1'000'000'000;
  // Between the end of an archive and the beginning of the next one, from which on it is a gap.
  std::int64_t gap = std::int64_t{600} * 1'000'000'000;
};

struct Triage {
  std::vector<TriagedArchive> archives;  // in the order of ListArchives
  std::vector<Neighbours> directories;   // of two archives or more
  std::vector<Status> errors;            // arguments that named nothing, unreadable directories
};

// An archive with what `triaged` says of it.
TriagedArchive WithFacts(Triaged triaged, const ArchiveReport& report);

// Checks every archive that the arguments name in profile archival, and once more as live what is
// not conformant. `progress` may be null.
Triage TriageAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                 const Catalogue& catalogue, const TriageOptions& options, ProgressSink* progress);

// What is said of each entry of a report, which was made with all rules. Conformant is what the
// report calls so, in its profile and by its policy. What is not is checked once more as live. Of a
// set the members are in the report as well.
std::vector<TriageNote> TriageReport(const archive::Storage& storage, const Report& report,
                                     const Catalogue& catalogue, const TriageOptions& options);

// The first that applies of 5, 4 (an archive or argument could not be read), 6 (a budget was
// exceeded), 1 (an archive is neither sound nor live) and 0.
ExitStatus ExitStatusOf(const Triage& triage);

// A name as a word of a command line. Foreign characters (reference/core/printable.h) are shown,
// so that a name that has some cannot be copied from the text.
std::string ShellWord(const std::string& name);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_TRIAGE_H_
