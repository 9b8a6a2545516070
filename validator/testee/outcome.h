// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_OUTCOME_H_
#define PMPROOF_VALIDATOR_TESTEE_OUTCOME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

// What one request of the testee protocol comes to.

namespace pmproof::validator {

// The answer, as the text of one JSON object on one line.
struct Answered {
  std::string json;
};

// The input is refused, as it ought to be.
struct Reject {
  std::string error_class;
  std::optional<std::uint64_t> offset{};  // in bytes of the uncompressed file
  std::string message{};                  // for people; may be empty
  // Of text: the file as it was named, and the line, from 1; empty and 0 if neither is known.
  std::string file{};
  std::uint64_t line = 0;
};

// Not answered: this implementation does not do that.
struct Skip {
  std::string reason;
};

// The request makes no sense, or could not be carried out.
struct Failure {
  std::string context;
};

using Outcome = std::variant<Answered, Reject, Skip, Failure>;

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_OUTCOME_H_
