// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/policy_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "reference/core/bytes.h"

namespace pmproof::validator {

std::optional<LoadedPolicy> LoadPolicy(const std::string& path, const Environment& environment,
                                       ExitStatus* status) {
  const auto file = environment.storage.Open(path);
  if (!file) {
    *status = Fail(environment, ExitStatus::kUnreadable, file.error().ToText());
    return std::nullopt;
  }
  Result<policy::Policy> read =
      policy::ParsePolicy(AsText((*file)->bytes()), path, environment.catalogue);
  const Sha256Digest sha256 = Sha256Of((*file)->bytes());
  if (const std::optional<Status> lost = (*file)->lost()) {
    *status = Fail(environment, ExitStatus::kUnreadable, lost->ToText());
    return std::nullopt;
  }
  if (!read) {
    *status = Fail(environment, ExitStatus::kUsage, read.error().ToText());
    return std::nullopt;
  }
  return LoadedPolicy{std::move(*read), sha256};
}

std::string RefusePolicyAsOutput(const std::string& policy, const std::string& output) {
  std::error_code unknown;
  if (!std::filesystem::equivalent(output, policy, unknown)) return "";
  return output + ": is the policy, and is not overwritten";
}

std::vector<policy::UnmetEntry> JudgeByPolicy(const policy::Policy& policy,
                                              const std::vector<std::string>& archives,
                                              const CheckOptions& options,
                                              const archive::Storage& storage, Report* report) {
  // Directories were listed by the check, which does not keep that.
  archive::ArchiveNames names;
  if (!policy.require.empty()) names = archive::ListArchives(storage, archives, true);
  return policy::ApplyPolicy(policy,
                             {.storage = storage,
                              .listings = &names.listings,
                              .memory = options.memory,
                              .jobs = options.jobs,
                              .now = options.now},
                             report);
}

}  // namespace pmproof::validator
