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
#include "validator/text/progress.h"
#include "validator/triage/neighbours.h"

// Which of many archives need a person, and what that person does next: what `triage` shows.

namespace pmproof::validator {

// In the order in which a person looks at them.
enum class Condition : std::uint8_t {
  kUndecided,    // there is no verdict: it could not be read, or a budget was exceeded
  kLost,         // no data record survives, or no metadata that say what it holds
  kOrphan,       // files of an archive without .meta (ARC-1001), or without a volume (ARC-1002)
  kDuplicate,    // a part exists in several forms (ARC-1008): it depends on the reader what it is
  kSalvageable,  // not conformant; there are whole records, and metadata
  kLive,         // conformant as one that is being written (profile live), and changed of late
  kSound,        // conformant
};
inline constexpr Condition kConditions[] = {
    Condition::kUndecided,   Condition::kLost, Condition::kOrphan, Condition::kDuplicate,
    Condition::kSalvageable, Condition::kLive, Condition::kSound};
const char* ToText(Condition condition);  // "salvageable"

struct TriagedArchive {
  std::string name;  // as `check` calls it
  Condition condition = Condition::kUndecided;
  std::string why;   // the gravest finding and what survives; empty for what is sound
  std::string next;  // a command, or a sentence without full stop; empty for what is sound
  std::string host;  // of the label
  int archive_version = 0;
  Summary summary;
  Counts counts;
  ExitStatus status = ExitStatus::kOk;  // of what is undecided: kUnreadable, kInternal, kBudget
};

struct TriageOptions {
  CheckOptions check;  // its profile is taken for archival
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

// Checks every archive that the arguments name, and once more as live what is not conformant.
// `progress` may be null.
Triage TriageAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                 const Catalogue& catalogue, const TriageOptions& options, ProgressSink* progress);

// The first that applies of 5, 4 (an archive or argument could not be read), 6 (a budget was
// exceeded), 1 (an archive is neither sound nor live) and 0.
ExitStatus ExitStatusOf(const Triage& triage);

// A name as a word of a command line. Foreign characters (reference/core/printable.h) are shown,
// so that a name that has some cannot be copied from the text.
std::string ShellWord(const std::string& name);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_TRIAGE_H_
