// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_READ_TRIAGED_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_READ_TRIAGED_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "reference/core/timestamp.h"
#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"
#include "validator/text/json_members.h"

// The parts of a report that hold what `triage` says, read back. What the functions return is wrong
// with the value, or "".

namespace pmproof::validator {

std::string ReadFinding(const nlohmann::json& value, Finding* finding);

// As TriageNoteJson() writes it: of a set where it names a directory.
std::string ReadTriageNote(const nlohmann::json& value, TriageNote* note);

// A member as ToEpochText() writes it, or null. What is wrong is kept by `members`.
void ReadTime(JsonMembers& members, const char* member, std::optional<Timestamp>* time);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_READ_TRIAGED_H_
