// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_READ_TRIAGE_H_
#define PMPROOF_VALIDATOR_TRIAGE_READ_TRIAGE_H_

#include <functional>
#include <string>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/read_report.h"
#include "validator/triage/triage.h"

namespace pmproof::validator {

// Reads a report of this version of the program and this catalogue, as ReadReport() does.
Result<ReportFrame> ReadOwnReport(
    Bytes document, const std::string& file, const Catalogue& catalogue,
    const std::function<std::string(ArchiveReport archive, TriageNote triage)>& entry);

// What a report of `check --triage --format json` says, of this version and catalogue. Each archive
// takes less than a kilobyte of memory, apart from its texts.
//
// Error: kDamaged, with the offset, for what is no such report.
Result<Triage> ReadTriage(Bytes document, const std::string& file, const Catalogue& catalogue);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_READ_TRIAGE_H_
