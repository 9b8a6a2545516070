// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_TESTING_MEMORY_SUBJECT_H_
#define PMPROOF_VALIDATOR_AGENT_TESTING_MEMORY_SUBJECT_H_

#include <map>
#include <string>
#include <vector>

#include "generators/agent/fault.h"
#include "reference/core/clause.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent::testing {

// A generated agent, with a fault or, for null, without, as something to check. `fault` lives
// longer.
Subject MemorySubject(const generators::AgentModel& model, const generators::Fault* fault);

// Of an agent that is checked within a test: as much as shows what is to be shown. Where a limit is
// a time, it is never waited for in memory.
Limits SmallLimits();

// Checks with the names of the model and stores to all metrics: all there is, or those of `only`.
AgentReport CheckModel(const Subject& subject, const generators::AgentModel& model,
                       const std::vector<Clause>& only = {},
                       const std::vector<Clause>& without = {});

// The checks of a report with that outcome, and what they say.
std::map<Clause, std::string> Those(const AgentReport& report, Outcome outcome);

}  // namespace pmproof::validator::agent::testing

#endif  // PMPROOF_VALIDATOR_AGENT_TESTING_MEMORY_SUBJECT_H_
