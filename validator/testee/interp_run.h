// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_INTERP_RUN_H_
#define PMPROOF_VALIDATOR_TESTEE_INTERP_RUN_H_

#include "reference/replay/replay_archive.h"
#include "validator/testee/interp_arguments.h"
#include "validator/testee/interp_metrics.h"
#include "validator/testee/outcome.h"

namespace pmproof::validator {

// What the fetches of a request answer, by a rule, as a version of PCP, or as recorded: the result
// of replay.interp and derive.eval. `metrics` are those of the request.
Outcome RunInterp(const InterpArguments& arguments, const replay::ReplayArchive& archive,
                  InterpMetrics* metrics);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_INTERP_RUN_H_
