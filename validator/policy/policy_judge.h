// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_POLICY_JUDGE_H_
#define PMPROOF_VALIDATOR_POLICY_POLICY_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/check/report/report.h"
#include "validator/policy/policy.h"

namespace pmproof::validator::policy {

// Judges archives by a policy, one after the other, and counts what each entry came to.
class PolicyJudge {
 public:
  // What an archive does not have of what is required of it: for each such entry its findings, or
  // why the archive could not be read.
  struct Facts {
    std::vector<std::size_t> entries;  // of Policy::require
    Result<std::vector<std::vector<PolicyFinding>>> unmet;
  };

  // `policy` outlives this. What has expired at `now` is not applied.
  PolicyJudge(const Policy& policy, Timestamp now);

  // Reads an archive once more where something is required of it. `name` is what it is opened by;
  // `listings` may be null (see FindArchive). Several threads may call it at a time.
  Facts Read(const ArchiveReport& archive, const archive::Storage& storage, const std::string& name,
             const archive::Listings* listings, const archive::MemoryBudget& memory) const;

  // Severities, counts and the verdict `conformant` change; what is fatal and `readable` do not. A
  // finding does not follow from one any more that has become less grave. One that stands for
  // several becomes one for each severity that these have then. An archive that could not be read
  // once more has no verdict. Returns the entry that each of archive->unmet is from
  // (PolicyUse::entries).
  std::vector<std::size_t> Judge(Facts facts, ArchiveReport* archive);

  // What the policy came to, with what is to be said of its entries. The last call.
  PolicyUse Finish();

 private:
  struct Piece;
  using Entries = std::vector<std::size_t>;  // of Policy::reclassify

  void ReclassifyIn(ArchiveReport* archive);
  // The entry that gives findings like this one, about such a metric, another severity; nothing if
  // none does. Counts them.
  std::optional<std::size_t> EntryFor(const Entries& entries, const Finding& finding,
                                      const std::vector<std::string>& metric, std::uint64_t count);
  void Apply(std::size_t entry, Finding* finding, Counts* counts) const;
  std::vector<Finding> Split(const Entries& entries, const Finding& finding);
  std::vector<std::size_t> Take(Facts facts, ArchiveReport* archive);
  void JudgeReclassify(std::size_t entry);
  void Add(PolicyCheck check, Severity severity, const PolicyEntryUse& use,
           const std::string& message);
  void NoteWhatWasChecked(const ArchiveReport& archive);
  bool WasChecked(Clause rule) const;

  const Policy& policy_;
  PolicyUse use_;                                // entries by line
  std::vector<std::size_t> reclassify_;          // where each entry of the policy is among them
  std::vector<std::size_t> require_;             // likewise
  std::vector<bool> is_late_;                    // it fits what an entry before it has taken
  std::vector<bool> is_elsewhere_;               // findings of its rule are about other metrics
  std::vector<bool> applied_;                    // in the archive that is judged
  std::map<std::string, std::size_t> left_out_;  // in how many archives with a verdict
  std::size_t verdicts_ = 0;
};

// The rules of which a policy judges findings by metric (CheckOptions::by_metric).
std::vector<Clause> RulesByMetric(const Policy& policy);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_POLICY_JUDGE_H_
