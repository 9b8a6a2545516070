// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_IDENTIFIER_ARGUMENT_H_
#define PMPROOF_VALIDATOR_TESTEE_IDENTIFIER_ARGUMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/identifiers.h"
#include "validator/testee/request_reader.h"

namespace pmproof::validator {

// Eight hexadecimal digits, and those of a word.
std::optional<std::uint32_t> ParseWord(std::string_view text);
std::string WordText(std::uint32_t word);

// args.KEY, "DOMAIN.SERIAL" (MET-133).
Indom TakeIndom(RequestReader* reader, const char* key);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_IDENTIFIER_ARGUMENT_H_
