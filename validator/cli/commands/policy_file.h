// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_POLICY_FILE_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_POLICY_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "validator/cli/command_support.h"
#include "validator/cli/environment.h"
#include "validator/custody/sha256.h"
#include "validator/policy/apply_policy.h"
#include "validator/policy/policy.h"

namespace pmproof::validator {

struct LoadedPolicy {
  policy::Policy policy;
  Sha256Digest sha256{};  // of the file
};

// Reads a policy. Nothing, and said why, if it is wrong or cannot be read; `status` is then what to
// end with.
std::optional<LoadedPolicy> LoadPolicy(const std::string& path, const Environment& environment,
                                       ExitStatus* status);

// Why `output` cannot be written beside a policy, or "": the policy is an input.
std::string RefusePolicyAsOutput(const std::string& policy, const std::string& output);

// Judges the report of a check of `archives` by it; returns what ApplyPolicy() does.
std::vector<policy::UnmetEntry> JudgeByPolicy(const policy::Policy& policy,
                                              const std::vector<std::string>& archives,
                                              const CheckOptions& options,
                                              const archive::Storage& storage, Report* report);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_POLICY_FILE_H_
