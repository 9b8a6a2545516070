// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_
#define PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"

// The archives of one directory, which readers open as one (ARC-550): where their spans leave gaps
// or overlap, which metrics some of them lack, and what a damaged one hides.

namespace pmproof::validator {

// One archive of a directory, by its place in the list of all.
struct Neighbour {
  std::size_t archive = 0;
  std::string name;
  std::optional<Timestamp> start;
  std::optional<Timestamp> finish;
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
};

// `members` in any order. A gap is longer than `gap` nanoseconds. Reads their metadata, of one
// archive at a time within `budget`.
Neighbours FindNeighbours(const archive::Storage& storage, std::string directory,
                          std::vector<Neighbour> members, std::int64_t gap,
                          const archive::MemoryBudget& budget);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_NEIGHBOURS_H_
