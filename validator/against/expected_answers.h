// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_EXPECTED_ANSWERS_H_
#define PMPROOF_VALIDATOR_AGAINST_EXPECTED_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::validator::against {

// What somebody answers about an archive at one time after the other, from a first one in steps of
// one interval (INT-203).
class ExpectedAnswers {
 public:
  using Take = std::function<void(Pmid metric, std::int32_t instance, const Value& value)>;

  virtual ~ExpectedAnswers() = default;
  virtual std::string name() const = 0;  // "PCP 6.0.3", "the reference"

  // The values at the next time, which hold until it returns. False where nobody can say what is
  // answered from here on.
  virtual Result<bool> Next(Timestamp time, const Take& take) = 0;
};

// Makes the answers anew, from the first time on.
using MakeAnswers = std::function<std::unique_ptr<ExpectedAnswers>()>;

// Of whom answers are known: first the versions of PCP that can be emulated (section 14 of
// interpolation.md), which is not so of every archive, then the reference with each profile.
// `metrics` are of the archive, which outlives what is returned, each once. Errors: those of
// reading it, and kBudget.
Result<std::vector<MakeAnswers>> AnswersAbout(const replay::ReplayArchive& archive,
                                              const std::vector<Pmid>& metrics, Timestamp first,
                                              std::int64_t interval, std::size_t memory);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_EXPECTED_ANSWERS_H_
