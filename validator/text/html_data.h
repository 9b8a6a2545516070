// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_HTML_DATA_H_
#define PMPROOF_VALIDATOR_TEXT_HTML_DATA_H_

#include <string>

#include "validator/text/json_values.h"

namespace pmproof::validator {

// JSON for the data of a page (BeginHtmlData), in one line of ASCII. Its strings and keys may hold
// any bytes and are as people may see them: each went through Displayable(), and not through
// ToJsonString() as in JSON for programs. Nothing in it ends the element.
std::string HtmlData(const Json& json);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_HTML_DATA_H_
