// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_TESTING_SAMPLE_REPORT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_TESTING_SAMPLE_REPORT_H_

#include <string>

#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"

// Reports made by hand, for tests of what is written of them.

namespace pmproof::validator::testing {

// A catalogue of three rules: ARC-1003 (files, warning, off in live), ARC-1102 (files, fatal, info
// in live) and ARC-1303 (metadata, error).
Catalogue SmallCatalogue();

// An archive "dir/good" without findings.
ArchiveReport GoodArchive();

// An archive "dir/bad": an error in .meta, 40 warnings of the whole archive of which the last 39
// are folded, a fatal finding in volume 0; one rule not checked.
ArchiveReport BadArchive();

// Names and texts full of what must not get through: quotes, markup, escape sequences, bytes that
// are not UTF-8, NUL, separators of lines.
ArchiveReport HostileArchive();

// As if by a policy: the error of each "bad" archive is an info, each second archive is not as is
// required, one entry has expired. All texts of the policy are as in HostileArchive().
void Judge(Report* report);

// The archive "dir/none" that has no verdict, and one finding from before that was clear.
ArchiveReport FailedArchive();

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_TESTING_SAMPLE_REPORT_H_
