// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_QUESTIONS_H_
#define PMPROOF_VALIDATOR_BISECT_QUESTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/bisect/question.h"

// Where questions come from.

namespace pmproof::validator {

// The smallest archives that show one deviation each, of section 13 of
// reference/spec/interpolation.md. Always the same.
std::vector<Question> SmallestQuestions();

// A random archive and random fetches of it: forward, backward, with seeks and with changing
// metrics. The same number gives the same question. Nothing where the archive is not modelled.
std::optional<Question> RandomQuestion(std::uint64_t number);

// Random fetches around some records of an archive, its marks above all.
Question RandomQuestionOver(std::shared_ptr<const QuestionArchive> archive, std::uint64_t number);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_QUESTIONS_H_
