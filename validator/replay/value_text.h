// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_VALUE_TEXT_H_
#define PMPROOF_VALIDATOR_REPLAY_VALUE_TEXT_H_

#include <string>

#include "reference/core/error_code.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"

// Answers of replay as docs/formats.md writes them.

namespace pmproof::validator {

// Integers in decimal, floats in the shortest form that reads back to the same bits (nan, inf,
// -inf), strings as they are without their NUL, other bytes - and strings that are not UTF-8 or
// begin like this - as "base64:...".
std::string ValueText(const Value& value);

// The same as a JSON string, after `out`.
void AppendJsonValue(const Value& value, std::string* out);

// "seconds.nanoseconds" with nine digits; a whole second of nanoseconds (INT-204) is the next
// second.
std::string TimeText(Timestamp time);

// "PM_ERR_NAME" and the like.
std::string ErrorText(ErrorCode code);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_VALUE_TEXT_H_
