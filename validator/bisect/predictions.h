// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_PREDICTIONS_H_
#define PMPROOF_VALIDATOR_BISECT_PREDICTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/bisect/hypotheses.h"
#include "validator/bisect/question.h"

// What each hypothesis answers to a question.

namespace pmproof::validator {

// The answer of one hypothesis. Errors: those of FetchScript() for a profile; kUnsupported where
// PCP may answer anything.
Result<AnswerCells> Predict(const Question& question, const HypothesisSpace& space,
                            const Hypothesis& hypothesis);

// A question, and the answers to it of all hypotheses, those that are equal once. Built by playing
// what matters only: which deviations do is found by switching each of them.
struct PredictedQuestion {
  Question question;
  std::vector<AnswerCells> answers;
  std::vector<std::uint16_t> answer_of;  // of each hypothesis, by its number
};

// Nothing where PCP may crash or answer anything (DEV-05), where more than `most` deviations of
// a version interact, or where nothing separates any hypotheses.
std::optional<PredictedQuestion> PredictAll(const Question& question, const HypothesisSpace& space,
                                            std::size_t most = 6);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_PREDICTIONS_H_
