// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_H_
#define PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"

// What archives do not say as the original does, as values.

namespace pmproof::validator::against {

// What a difference is about, in the order of reports.
enum class Kind : std::uint8_t {
  kMetrics,      // a metric, with its values, names, labels and help texts
  kDescriptors,  // number, type, semantics, instance domain or units of a metric
  kNames,        // of metrics
  kValues,       // also answers without values: "no values", error codes (ARC-202, ARC-203)
  kMarks,        // mark records (ARC-151)
  kSeams,        // where archives that are read together meet (ARC-555, ARC-556)
  kInstances,    // numbers and names of instances
  kLabels,       // label sets of all classes
  kHelp,         // help texts
  kHost,         // of the archive's label
  kZone,         // timezone and zoneinfo of the archive's label
};
inline constexpr Kind kKinds[] = {
    Kind::kMetrics,   Kind::kDescriptors, Kind::kNames, Kind::kValues, Kind::kMarks, Kind::kSeams,
    Kind::kInstances, Kind::kLabels,      Kind::kHelp,  Kind::kHost,   Kind::kZone};
const char* ToText(Kind kind);  // "metrics", ...: as --allow has it
std::optional<Kind> ParseKind(std::string_view text);

enum class Change : std::uint8_t { kLost, kChanged, kAdded };
const char* ToText(Change change);  // "lost", "changed", "added"

// One of the places that a difference was found at.
struct Example {
  std::optional<Timestamp> at;  // nothing: it has no time
  std::string item;             // which instance, field or archive; empty if there is one only
  std::string was;              // in the original; empty if it is added
  std::string is;               // in what replaces it; empty if it is lost
};

// All that happened to one subject in one way.
struct Difference {
  Kind kind = Kind::kValues;
  Change change = Change::kLost;
  std::string subject;  // "disk.dev.read", "instance domain 60.1"; empty for marks and the like
  std::optional<Pmid> pmid;  // where the subject is a metric
  // How many values, marks, instances, ...; of a metric that is lost or added: its values.
  std::uint64_t count = 0;
  std::optional<std::uint64_t> of;  // how many there are in the original, where that is counted
  std::optional<Timestamp> first;
  std::optional<Timestamp> last;
  // Of a metric: that reductions do this to such a metric (ARC-655).
  bool by_reduction = false;
  std::vector<Example> examples;  // in order of time, as many as were asked for
};

// What the user declares that may be other.
struct Allowance {
  std::set<Kind> kinds;
  bool added = false;
  // That values are those of a reduction (ARC-656), and what else that leaves out or changes:
  // labels, help texts, zoneinfo, metrics that are neither numbers nor strings, instances that no
  // time shows, 32-bit counters that have 64 bits. Nothing of it without it.
  bool reduce = false;

  // A value that is another one never may. Values and metrics that are lost, and all else that is
  // lost, changed or added, by their kind; by `added` all that is added, but for marks and seams.
  bool Covers(const Difference& difference) const;
};

// Adds the words of "marks,labels,added,reduce". Returns what is wrong, or "".
std::string ParseAllowance(std::string_view text, Allowance* allowance);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_DIFFERENCE_H_
