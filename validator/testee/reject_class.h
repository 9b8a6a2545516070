// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_REJECT_CLASS_H_
#define PMPROOF_VALIDATOR_TESTEE_REJECT_CLASS_H_

#include "reference/core/status.h"
#include "validator/testee/outcome.h"

namespace pmproof::validator {

// Why an archive cannot be opened, as the testee protocol says it: "AREA.WHAT". The areas are
// `files` (what is there, and whether it can be read), `label`, `record` (framing), `metadata` and
// `set` (archives that do not go together); WHAT is one name for each clause that keeps readers
// from opening. Names are permanent. An implementation that knows no more than PCP's error code
// says the area alone, so that classes are compared as far as both sides go. What has no name is
// "damaged".
Reject RejectOf(const Status& status);

// What a request comes to whose archive gives this: a skip for what is not supported, a failure for
// what is not the archive's fault, else the refusal.
Outcome OutcomeOf(const Status& status);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_REJECT_CLASS_H_
