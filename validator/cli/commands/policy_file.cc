// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/policy_file.h"

#include "reference/core/bytes.h"

namespace pmproof::validator {

std::optional<policy::Policy> LoadPolicy(const std::string& path, const Environment& environment,
                                         ExitStatus* status) {
  const auto file = environment.storage.Open(path);
  if (!file) {
    *status = Fail(environment, ExitStatus::kUnreadable, file.error().ToText());
    return std::nullopt;
  }
  Result<policy::Policy> read =
      policy::ParsePolicy(AsText((*file)->bytes()), path, environment.catalogue);
  if (const std::optional<Status> lost = (*file)->lost()) {
    *status = Fail(environment, ExitStatus::kUnreadable, lost->ToText());
    return std::nullopt;
  }
  if (!read) {
    *status = Fail(environment, ExitStatus::kUsage, read.error().ToText());
    return std::nullopt;
  }
  return std::move(*read);
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
