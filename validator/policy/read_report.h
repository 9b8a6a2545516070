// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_READ_REPORT_H_
#define PMPROOF_VALIDATOR_POLICY_READ_REPORT_H_

#include <string>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/check/report/report.h"

namespace pmproof::validator::policy {

// Of a report that `check --format json` wrote (pmproof-report/1), what ApplyPolicy() needs to
// reclassify: the profile, and of each archive its name, findings, failure and what was not
// checked. Hosts are not in it: a report tells of machines only where it is asked to. Other members
// are passed over.
//
// Error: kDamaged, with the offset, for what is no such report, and for one that a policy has
// judged already.
Result<Report> ReadReport(Bytes document, const std::string& file);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_READ_REPORT_H_
