// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_STRING_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_STRING_H_

#include <string>
#include <string_view>

// Names, labels and texts of an archive may hold any bytes (ARC-002); a string of JSON holds
// characters. In all JSON that this program writes, a byte that is not part of well-formed UTF-8 is
// the four characters \xNN, NN being its two hexadecimal digits in lower case. A backslash of the
// text itself that "x" and two such digits follow is \x5c. Nothing else is changed, so that names
// that differ stay different, and FromJsonString() gives the bytes back. (As JSON has it, each of
// these backslashes is written twice.)

namespace pmproof::validator {

// The characters that stand for `bytes`.
std::string ToJsonString(std::string_view bytes);

// The bytes that `text` stands for: each \xNN is one byte.
std::string FromJsonString(std::string_view text);

// Whether ToJsonString() would change `bytes`.
bool NeedsJsonString(std::string_view bytes);

// Whether `text` begins with the four characters of one byte.
bool BeginsWithJsonByte(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_STRING_H_
