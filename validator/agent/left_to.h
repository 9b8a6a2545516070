// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_LEFT_TO_H_
#define PMPROOF_VALIDATOR_AGENT_LEFT_TO_H_

#include <map>

#include "reference/core/clause.h"
#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent {

// Settles, when all checks are made, what some of them left to others (Verdict::left_to). Where one
// of those reports it, by a failure or by leaving it to one that does, the check names them and
// stays not checked; else it fails, as nobody else says what it saw.
void SettleWhatWasLeft(std::map<Clause, CheckOutcome>* outcomes);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_LEFT_TO_H_
