// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/timestamp.h"
#include "validator/check/report/report.h"

// What `triage` says of an archive, and of a directory that readers open as one archive, as values.

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
std::optional<Condition> ParseCondition(std::string_view text);

struct Triaged {
  Condition condition = Condition::kUndecided;
  std::string why{};   // the gravest finding and what survives; empty for what is sound
  std::string next{};  // a command, or a sentence without full stop; empty for what is sound
  std::string host{};  // of the label
};

// One archive of a directory.
struct Neighbour {
  std::string name;
  std::optional<Timestamp> start{};
  std::optional<Timestamp> finish{};
  bool opens = true;     // readers can open it
  bool readable = true;  // and get to the end of every file
};

// From the end of one archive, or of those before it, to the beginning of the next.
struct Seam {
  std::size_t before = 0;  // places in Neighbours::members
  std::size_t after = 0;
  Timestamp from;
  Timestamp to;
  std::int64_t nanoseconds = 0;  // not negative
};

// A metric that some of the archives lack.
struct PartialMetric {
  std::string name;
  // First and last of each run of members that lack it: places in Neighbours::members.
  std::vector<std::pair<std::size_t, std::size_t>> missing;
};

// The archives of one directory, which readers open as one (ARC-550).
struct Neighbours {
  std::string directory;
  std::vector<Neighbour> members;  // by start
  std::vector<Seam> gaps;
  std::vector<Seam> overlaps;          // reading forward ends there (ARC-555)
  std::size_t metrics = 0;             // names that any of them has
  std::vector<PartialMetric> partial;  // by name
  // Members that hide something from who reads the directory as one: those that do not open are
  // passed over, and reading forward ends at the first fault of one that does.
  std::vector<std::size_t> hiding;
  std::vector<Finding> findings;  // of the rules on sets (ARC-2101..2109)
};

// Of one entry of a report: of an archive, or of archives that were checked as one set.
struct TriageNote {
  std::optional<Triaged> archive;
  std::optional<Neighbours> set;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_H_
