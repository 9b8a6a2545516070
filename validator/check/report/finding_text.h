// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_FINDING_TEXT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_FINDING_TEXT_H_

#include <string>

#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"

// A finding in a sentence, for formats that have one field for it. The texts are as the archive has
// them: whoever writes them escapes them.

namespace pmproof::validator {

// Returns the path of the file, or of the archive where no single file is concerned, as it was
// called when it was checked. Findings name files relative to their archive's directory.
std::string PathOf(const ArchiveReport& archive, const Finding& finding);

// Returns "byte offset 500, record 7", or "the whole archive".
std::string PlaceText(const Finding& finding);

// Returns the message with the field, what it is and what is expected, and how many more there are.
std::string MessageOf(const Finding& finding, const Catalogue& catalogue);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_FINDING_TEXT_H_
