// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_ARCHIVE_TEXT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_ARCHIVE_TEXT_H_

#include <string>
#include <string_view>

#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"

// What stands of an archive in a report of many thousands, written without a tree: making and
// dumping one takes as long as checking a small archive.

namespace pmproof::validator {

// Appends the archive's part of pmproof-report/1 without blanks: what DumpJson() makes of it.
// `note` may be null.
void AppendArchive(const ArchiveReport& archive, const TriageNote* note, std::string* out);

// Appends what a batch says of an archive whose part is `line`: who hands that on knows by it what
// it is, and that it is whole.
void AppendBatchEntry(const ArchiveReport& archive, std::string_view line, std::string* out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_ARCHIVE_TEXT_H_
