// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_SEARCH_H_
#define PMPROOF_VALIDATOR_BISECT_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/bisect/hypotheses.h"
#include "validator/bisect/predictions.h"
#include "validator/bisect/respondent.h"

// Which hypothesis explains the answers of an implementation best.

namespace pmproof::validator {

struct SearchOptions {
  std::size_t questions = 200;  // asked at most
  // Once nothing separates those that are left, what separates them from anything else is asked.
  bool confirm = true;
  // True ends the search before the next question. Empty: nothing does.
  std::function<bool()> stop{};
  // Told before each question: how many are asked, of how many at most, and how many hypotheses are
  // left. Empty: nobody is told.
  std::function<void(std::size_t done, std::size_t all, std::size_t left)> progress{};
};

// A question that was answered.
struct AskedQuestion {
  std::size_t question = 0;  // its number
  AnswerCells answer;
};

// Of a version, what the hypotheses that are left have in common.
struct ExplainedVersion {
  PcpVersion version = PcpVersion::k7_2;
  DeviationMask on = 0;         // of all of them
  DeviationMask off = 0;        // of none
  DeviationMask undecided = 0;  // of some: no question tells
};

struct SearchResult {
  std::vector<AskedQuestion> asked;  // in order
  std::size_t separating = 0;        // the first so many left fewer hypotheses
  std::map<NotAnswered, std::uint64_t> unanswered;
  bool broke = false;             // an implementation that died, kept silent, broke the protocol
  std::vector<std::size_t> best;  // hypotheses that differ least from the answers
  std::uint64_t differing = 0;    // parts of answers in which they differ
  std::uint64_t compared = 0;     // parts of answers
  std::vector<std::size_t> profiles;       // among `best`
  std::vector<ExplainedVersion> versions;  // likewise
  // The plainest of `best`: a profile, a version with all or none of its deviations, else the one
  // with the fewest of them on or off.
  std::size_t plainest = 0;
};

// Asks the question that separates most of the hypotheses that explain the answers best so far,
// until none does. Three questions in a row without an answer because the implementation broke end
// it.
SearchResult Search(const HypothesisSpace& space, std::span<const PredictedQuestion> questions,
                    Respondent& respondent, const SearchOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_SEARCH_H_
