// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_WITNESS_H_
#define PMPROOF_VALIDATOR_BISECT_WITNESS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "validator/bisect/hypotheses.h"
#include "validator/bisect/predictions.h"
#include "validator/bisect/respondent.h"
#include "validator/bisect/search.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"

// Where an implementation answers otherwise than any hypothesis: a smallest question for each kind.

namespace pmproof::validator {

// What tells differences apart: the clause that decides on the value, and the semantics.
struct DifferenceKind {
  std::string clause;
  Semantics semantics = Semantics::kInstant;
  friend auto operator<=>(const DifferenceKind&, const DifferenceKind&) = default;
};

// The kind of a difference. The clause is that of the reference semantics of the hypothesis, or
// what section 3 leaves ambiguous there (INT-309, INT-310, INT-704).
DifferenceKind KindOf(const Question& question, const AnswerCell& cell,
                      const HypothesisSpace& space, const Hypothesis& hypothesis);

struct Witness {
  DifferenceKind kind;
  std::uint64_t count = 0;  // differences of the kind in all answers
  Question question;
  AnswerCell cell;
  std::string expected;  // by the hypothesis; "" is no value
  std::string answered;
  bool shrunk = false;  // nothing more could be left out
};

struct WitnessOptions {
  std::size_t most = 8;                      // kinds, the most frequent first
  std::function<bool()> stop{};              // true ends the shrinking. Empty: nothing does
  std::chrono::milliseconds budget{20'000};  // of all
  const archive::Storage& storage;
  const Catalogue& catalogue;
  CheckOptions check{};
};

// One of each kind in which the answers differ from those of the plainest of the best hypotheses.
// Asks on.
std::vector<Witness> FindWitnesses(const HypothesisSpace& space,
                                   std::span<const PredictedQuestion> questions,
                                   const SearchResult& result, Respondent& respondent,
                                   const WitnessOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_WITNESS_H_
