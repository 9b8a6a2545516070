// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_TEXT_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "validator/rules_diff/comparison.h"

// How reports for people say what a comparison found. Names of an archive are quoted, or have to go
// through Displayable() or Markup() where that is said.

namespace pmproof::validator {

// "disk.dev.read", "disk.dev.read [0 "sda"]"; for Displayable() or Markup().
std::string SeriesText(const SeriesName& name);

// "12.25", "1.5e+07"
std::string NumberText(long double number);

// "12.3 %"
std::string PercentText(long double part);
// Of `all` above 0. Never "0 %" of something, nor "100 %" of less than all.
std::string ShareText(std::uint64_t part, std::uint64_t all);

// "12 (45 %)", "-" of nothing.
std::string DistanceText(const Distance& distance, bool any);

// "1700ms": as --interval reads it.
std::string IntervalText(std::int64_t nanoseconds);

// "INT-503", or "none cited".
std::string ClauseText(Clause clause);

// "skip", "crash": what came of a question that was not answered, as the protocol calls it.
std::string KindText(NotAnswered::Kind kind);

// For each reason: "no answer of pcp:7.2 to 12 of 24024 questions (a metric at a time): skip: ...".
std::vector<std::string> UnansweredTexts(const Comparison& comparison,
                                         const ComparisonReport& report);

// What of the differences is explained, and what could not be looked at; each a sentence.
std::vector<std::string> ExplainedTexts(const Comparison& comparison,
                                        const ComparisonReport& report);

// A value as it is answered, strings in quotes; "no value", "PM_ERR_TYPE".
std::string AnswerText(const RuleAnswer& answer, MetricType type);

// "between 781 at TIME (record 2) and ..."; empty if the answer has no bounds.
std::string BoundsText(const RuleAnswer& answer);
// The records that two answers came from: what BoundsText says of both, once if it is the same.
std::string ReasonText(const Example& example);

// "1001 times, from ... to ..., interval 37ms (about a thousandth of the span)"
std::string TimesText(const Comparison& comparison);

// "312 of 24024 values differ (1.3 %)", "none of 24024 values differs", "nothing was compared".
std::string VerdictText(const Tally& tally);

// Head and rows. `left` says how many columns, from the left, are words.
struct WordTable {
  std::vector<std::vector<std::string>> rows;  // the first one is the head
  std::size_t left = 0;
};
// By semantics and type: how many values differ, and how far the numbers lie apart.
WordTable GroupTable(const Comparison& comparison);
// By semantics and type: differences that are not between two values. Without rows if there are
// none.
WordTable OneSidedTable(const Comparison& comparison, const ComparisonReport& report);
// Without rows where neither side cites any.
WordTable ClauseTable(const Comparison& comparison, const ComparisonReport& report);
WordTable MostTable(const Comparison& comparison);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_COMPARISON_TEXT_H_
