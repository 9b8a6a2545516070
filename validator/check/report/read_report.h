// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_READ_REPORT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_READ_REPORT_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"

// Reports that `check --format json` wrote (pmproof-report/1), read back.

namespace pmproof::validator {

// What a report says beside its archives.
struct ReportFrame {
  Profile profile = Profile::kArchival;
  std::string version;         // of pmproof
  std::string rules;           // digest of the catalogue
  bool judged = false;         // by a policy
  std::vector<Status> errors;  // arguments that named nothing, unreadable directories
};

// Who is told what a report says, in its order. Each returns what is wrong with it, or "".
struct ReportReading {
  // After each member of the frame that stands before the archives. May be empty.
  std::function<std::string(const ReportFrame& frame)> frame;
  // Of an archive or a set. Labels, pictures, disclosures and what survives are not told.
  std::function<std::string(ArchiveReport archive, TriageNote triage)> entry;
};

// Reads a report, in memory of one entry. Members that are not there have their default values.
// Error: kDamaged, with `file`, the offset and the member, for what is no complete report, and for
// what `reading` calls wrong.
Result<ReportFrame> ReadReport(Bytes document, const std::string& file,
                               const ReportReading& reading);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_READ_REPORT_H_
