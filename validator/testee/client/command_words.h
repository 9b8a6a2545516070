// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_CLIENT_COMMAND_WORDS_H_
#define PMPROOF_VALIDATOR_TESTEE_CLIENT_COMMAND_WORDS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pmproof::validator {

// The words of a command as a POSIX shell takes it apart, by blanks, quotes and backslashes, and
// nothing else: no variable, no pattern. As Python's shlex.split(), which reads the names of
// implementations in qa/suite. Nothing where a quote is not closed, or a backslash ends the text.
std::optional<std::vector<std::string>> CommandWords(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_CLIENT_COMMAND_WORDS_H_
