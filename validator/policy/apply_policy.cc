// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/apply_policy.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "reference/core/on_threads.h"
#include "validator/policy/policy_judge.h"

namespace pmproof::validator::policy {

std::vector<UnmetEntry> ApplyPolicy(const Policy& policy, const ApplyOptions& options,
                                    Report* report) {
  PolicyJudge judge(policy, options.now);
  std::vector<ArchiveReport>& archives = report->archives;
  std::vector<PolicyJudge::Facts> facts(archives.size());
  std::atomic<std::size_t> next{0};
  const auto read = [&] {
    for (std::size_t i = next++; i < archives.size(); i = next++) {
      facts[i] = judge.Read(archives[i], options.storage, archives[i].archive, options.listings,
                            options.memory);
    }
  };
  OnThreads(policy.require.empty() ? 1 : std::min<std::size_t>(options.jobs, archives.size()),
            read);
  std::vector<UnmetEntry> unmet;
  for (std::size_t i = 0; i < archives.size(); ++i) {
    const std::size_t before = archives[i].unmet.size();
    const std::vector<std::size_t> from = judge.Judge(std::move(facts[i]), &archives[i]);
    for (std::size_t k = 0; k < from.size(); ++k) unmet.push_back({from[k], i, before + k});
  }
  report->policy = judge.Finish();
  return unmet;
}

}  // namespace pmproof::validator::policy
