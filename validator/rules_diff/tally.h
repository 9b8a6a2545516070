// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_TALLY_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_TALLY_H_

#include <cstdint>
#include <optional>

#include "reference/core/value.h"

namespace pmproof::validator {

// How far two numbers lie apart. Sums of it, and the distance of two finite doubles, may be more
// than a double holds.
struct Distance {
  long double absolute = 0;
  long double relative = 0;  // to the larger magnitude of the two: 0 to 2
};

// Nothing unless both are finite numbers. Integers are subtracted exactly.
std::optional<Distance> DistanceOf(const Value& a, const Value& b);

// Whether two answers of one metric are the same, bit for bit.
bool SameContent(const Value& a, const Value& b);

// The ways in which two rules' answers differ.
enum class Difference : std::uint8_t {
  kNumber,         // two numbers
  kContent,        // two strings, aggregates or events
  kBaselineOnly,   // the candidate has no value
  kCandidateOnly,  // the baseline has none
  kError,          // one answers an error that the other does not, or another one
};

// What comparing counts. A value is compared where at least one of the rules has one; an error
// stands for all values of its metric at that time.
struct Tally {
  std::uint64_t compared = 0;
  std::uint64_t numbers = 0;
  std::uint64_t contents = 0;
  std::uint64_t baseline_only = 0;
  std::uint64_t candidate_only = 0;
  std::uint64_t errors = 0;

  // Over the differing numbers that have a Distance.
  std::uint64_t measured = 0;
  Distance largest;  // each by itself
  Distance sum;

  std::uint64_t Differing() const {
    return numbers + contents + baseline_only + candidate_only + errors;
  }
  Distance Mean() const;
  void Add(Difference difference, const std::optional<Distance>& distance);
  Tally& operator+=(const Tally& other);
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_TALLY_H_
