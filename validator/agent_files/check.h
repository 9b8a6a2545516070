// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_FILES_CHECK_H_
#define PMPROOF_VALIDATOR_AGENT_FILES_CHECK_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/clause.h"
#include "validator/agent/bench.h"
#include "validator/agent_files/install_trial.h"
#include "validator/agent_files/material.h"
#include "validator/protocol_check/offences.h"
#include "validator/protocol_check/verdict.h"

// The checks of 16.7 of reference/spec/pmda.md, on the files of an agent. As those of a running
// agent (validator/agent/check.h) they say why they cannot be made, never pass without having
// looked at anything, and go on after an offence.

namespace pmproof::validator::agent_files {

using agent::Failed;
using agent::Offences;
using agent::Unchecked;
using agent::Verdict;
using agent::VerdictOr;

// The agent as it runs; nothing: neither COMMAND nor --dso was given.
struct Running {
  const agent::Subject& subject;
  // What discovery found of it with the names of the files. The error says why it cannot be asked.
  const VerdictOr<agent::Knowledge>& knowledge;
};

// What one check works with.
struct Desk {
  const Material& material;
  const Running* running;  // null: there is none
  agent::Bench* bench;     // of this check; null where `running` is, or has no knowledge
  // Runs of Install and Remove, made by the first check that asks. The error: why there are none.
  InstallTrials& trials;
};

struct Check {
  Clause id{};
  Verdict (*run)(Desk& desk) = nullptr;
};

std::span<const Check> NameChecks();           // CKA-200 to 205
std::span<const Check> HelpChecks();           // CKA-206 to 209
std::span<const Check> ConfigurationChecks();  // CKA-210, 211
std::span<const Check> RunningChecks();        // CKA-220 to 224
std::span<const Check> QueryChecks();          // CKA-225
std::span<const Check> InstallChecks();        // CKA-230 to 234

}  // namespace pmproof::validator::agent_files

#endif  // PMPROOF_VALIDATOR_AGENT_FILES_CHECK_H_
