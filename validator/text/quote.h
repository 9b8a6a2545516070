// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_QUOTE_H_
#define PMPROOF_VALIDATOR_TEXT_QUOTE_H_

#include <string>
#include <string_view>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// The bytes in double quotes on one line, as a JSON string would be: \" \\ \n \t, and \u001b or
// \u202e for foreign characters (reference/core/printable.h). Bytes that are not UTF-8 become \xNN
// in text, and in JSON the characters of ToJsonString(). In ASCII it is JSON as DumpJson() has it.
enum class Quoting : std::uint8_t { kText, kJson, kAscii };
void AppendQuoted(std::string_view bytes, Quoting quoting, std::string* out);

// "base64:..." of RFC 4648, as the project's formats write bytes that are not a text.
std::string Base64(Bytes bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_QUOTE_H_
