// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/metric.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "reference/replay/bounds.h"
#include "validator/rules_diff/tally.h"

// What comparing two interpolation rules, or implementations, over archives finds. Values.

namespace pmproof::validator {

// A metric, or one instance of it, as reports name it.
struct SeriesName {
  Descriptor descriptor;
  std::string metric;  // its first name, else its identifier
  std::int32_t instance = kInstanceNull;
  std::string instance_name;  // empty of a metric without instances, or where none is known
};

// Why there is no answer, as the outcomes of the testee protocol have it.
struct NotAnswered {
  enum class Kind : std::uint8_t {
    kSkip,      // it does not do that
    kReject,    // it refuses the archive
    kError,     // it failed and lives
    kCrash,     // it died
    kTimeout,   // it kept silent
    kProtocol,  // it said what is no answer
  };
  Kind kind = Kind::kSkip;
  std::string text;

  // The implementation is at fault, whatever it was asked.
  bool broke() const { return kind >= Kind::kCrash; }
  auto operator<=>(const NotAnswered&) const = default;
};

// What one side answers.
struct RuleAnswer {
  enum class Kind : std::uint8_t { kNone, kValue, kError };
  Kind kind = Kind::kNone;
  std::string text;  // of a value, cut if long; PM_ERR_... of an error
  Clause why;        // may be empty: a rule need not cite any
  // Of a value: what it came from; of a side that does not say so, what the reference finds there.
  // Opaque values are left out.
  std::optional<replay::Bounds> bounds;
};

// A place where the answers differ.
struct Example {
  Timestamp time;
  SeriesName series;
  Difference difference = Difference::kNumber;
  RuleAnswer baseline;
  RuleAnswer candidate;
};

// A value drawn.
struct CurvePoint {
  Timestamp time;
  RuleAnswer::Kind kind = RuleAnswer::Kind::kNone;
  double number = 0;      // of a number
  std::string text;       // of a value
  bool compared = false;  // one of the times at which the rules were compared
};

// What the archive itself has around a place where the answers differ.
struct SeenRecord {
  Timestamp time;
  replay::Bound::Kind kind = replay::Bound::Kind::kValue;
  double number = 0;
  std::string text;
};

// Both sides around the place where a metric-instance differs most. A side that does not answer is
// left out.
struct Curves {
  Timestamp from;
  Timestamp to;
  std::vector<CurvePoint> baseline;  // at ascending times, candidate's at the same ones
  std::vector<CurvePoint> candidate;
  std::vector<SeenRecord> records;
};

// A metric-instance that differs.
struct DifferingSeries {
  SeriesName name;
  std::uint64_t differing = 0;
  // The sum over its differences: of numbers the relative distance, at most 1; of all others 1.
  double weight = 0;
  bool measured = false;  // some of its numbers have a Distance
  Distance largest;       // of these
  // Where it differs most, and the records around that place.
  Timestamp worst;
  Timestamp from;
  Timestamp to;
  std::optional<Curves> curves;
};

struct Group {
  std::uint64_t metrics = 0;            // that were compared at least once
  std::uint64_t differing_metrics = 0;  // that differ at least once
  Tally tally;
};

// One archive, or one set.
struct Comparison {
  std::string archive;
  std::optional<Status> failure;  // why nothing, or not all, could be compared
  std::vector<Status> passed_over;
  std::vector<std::string> unknown;  // metrics that were asked for and that it has not

  std::size_t metrics = 0;  // that were asked for
  Timestamp start;
  Timestamp finish;
  std::int64_t interval = 0;  // nanoseconds
  bool interval_derived = false;
  std::uint64_t times = 0;
  std::uint64_t outside = 0;  // times outside of the archive under both rules
  // What one of them does not answer, and so is not compared: of a metric at a time.
  std::map<NotAnswered, std::uint64_t> baseline_unanswered;
  std::map<NotAnswered, std::uint64_t> candidate_unanswered;

  // Differences that were explained, which are in no other count, by the deviations of PCP:
  // "DEV-03 DEV-07". Why others could not be looked at.
  std::map<std::string, std::uint64_t> explained;
  std::map<std::string, std::uint64_t> unexplainable;

  Tally total;
  std::map<std::pair<Semantics, MetricType>, Group> groups;
  // The clauses that baseline and candidate cite, and how many differences cite the two.
  std::map<std::pair<Clause, Clause>, std::uint64_t> clauses;
  // The first of each kind: semantics, type, difference and clauses; by time.
  std::vector<Example> examples;
  std::size_t more_examples = 0;  // that were left out
  std::uint64_t differing_series = 0;
  std::vector<DifferingSeries> most;  // by weight, the largest first
};

struct ImplementationNote {
  std::string name;
  std::string version;
  std::string language;
};

struct SideNote {
  enum class Kind : std::uint8_t { kProfile, kEmulation, kImplementation };
  Kind kind = Kind::kProfile;
  std::string name;
  std::string summary;
  std::optional<ImplementationNote> implementation{};  // as it names itself
};

struct ComparisonReport {
  SideNote baseline;
  SideNote candidate;
  std::optional<std::string> explained_by;  // the version of PCP whose deviations are looked for
  std::vector<Comparison> archives;
  std::vector<Status> errors;  // what named no archive

  Comparison Total() const;  // of all archives: the sums alone
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_H_
