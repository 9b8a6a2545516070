// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_JSON_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_JSON_H_

#include "validator/check/report/triaged.h"
#include "validator/text/json_values.h"

// What `triage` says as JSON, the same in its own document and in a report of `check --triage`.

namespace pmproof::validator {

// {"condition", "why", "next", "host"}
Json TriagedJson(const Triaged& triaged);

// {"directory", "archives", "gaps", "overlaps", "hiding", "metrics", "partial", "findings"}
Json NeighboursJson(const Neighbours& directory);

// That of the archive or of the set.
Json TriageNoteJson(const TriageNote& note);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_TRIAGED_JSON_H_
