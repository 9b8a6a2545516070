// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/apply_policy.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "validator/policy/glob.h"
#include "validator/policy/requirements.h"

namespace pmproof::validator::policy {
namespace {

bool Fits(const Place& place, const ArchiveReport& archive) {
  if (place.archive && !MatchesPath(*place.archive, archive.archive)) return false;
  return !place.host || (archive.label && Matches(*place.host, archive.label->host));
}

class Application {
 public:
  Application(const Policy& policy, const ApplyOptions& options, Report* report)
      : policy_(policy), options_(options), report_(*report) {
    for (const Reclassify& entry : policy.reclassify) {
      reclassify_.push_back({.kind = PolicyEntryUse::Kind::kReclassify,
                             .line = entry.line,
                             .what = Describe(entry),
                             .reason = entry.reason,
                             .until = entry.until_text,
                             .expired = entry.until && *entry.until <= options.now});
    }
    is_late_.resize(reclassify_.size());
    for (const Require& entry : policy.require) {
      require_.push_back({.kind = PolicyEntryUse::Kind::kRequire,
                          .line = entry.line,
                          .what = Describe(entry),
                          .reason = entry.reason,
                          .until = ""});
    }
  }

  std::vector<UnmetEntry> Run() {
    report_.policy = PolicyUse{.file = policy_.file, .entries = {}, .findings = {}};
    for (ArchiveReport& archive : report_.archives) ReclassifyIn(archive);
    HoldAgainst();
    JudgeEntries();
    return std::move(unmet_);
  }

 private:
  void ReclassifyIn(ArchiveReport& archive) {
    std::vector<std::size_t> entries;  // that apply here
    for (std::size_t i = 0; i < reclassify_.size(); ++i) {
      if (Fits(policy_.reclassify[i].where, archive)) entries.push_back(i);
    }
    if (entries.empty()) return;
    std::vector<bool> applied(reclassify_.size());
    for (Finding& finding : archive.findings) {
      bool taken = false;
      for (const std::size_t i : entries) {
        const Reclassify& entry = policy_.reclassify[i];
        if (entry.rule != finding.rule) continue;
        if (taken) {
          is_late_[i] = true;
          continue;
        }
        PolicyEntryUse& use = reclassify_[i];
        taken = !use.expired;
        if (finding.severity == Severity::kFatal) {
          use.fatal += finding.count;
          continue;
        }
        applied[i] = true;
        use.findings += finding.count;
        if (use.expired || finding.severity == entry.severity) continue;
        CountOf(archive.counts, finding.severity) -= finding.count;
        CountOf(archive.counts, entry.severity) += finding.count;
        finding.reclassified = Reclassified{finding.severity, entry.line, entry.reason};
        finding.severity = entry.severity;
      }
    }
    for (const std::size_t i : entries) reclassify_[i].archives += applied[i] ? 1 : 0;
    for (Finding& finding : archive.findings) {
      if (finding.follows && archive.findings[*finding.follows].severity < finding.severity) {
        finding.follows.reset();
      }
    }
    archive.conformant = !archive.failure && archive.readable && archive.counts.error == 0;
  }

  // An archive of which something is required.
  struct Task {
    std::size_t archive = 0;
    std::vector<std::size_t> entries;
    std::vector<const Require*> required;
    Result<std::vector<std::vector<PolicyFinding>>> unmet;  // of each of `required`
  };

  std::vector<Task> Tasks() {
    std::vector<Task> tasks;
    for (std::size_t a = 0; a < report_.archives.size(); ++a) {
      ArchiveReport& archive = report_.archives[a];
      if (!archive.members.empty()) continue;
      Task task{.archive = a, .entries = {}, .required = {}, .unmet = {}};
      for (std::size_t i = 0; i < policy_.require.size(); ++i) {
        if (!Fits(policy_.require[i].where, archive)) continue;
        task.entries.push_back(i);
        task.required.push_back(&policy_.require[i]);
      }
      if (task.required.empty()) continue;
      if (!archive.failure) {
        tasks.push_back(std::move(task));
      } else {
        archive.not_checked.push_back({"what the policy requires", "there is no verdict"});
      }
    }
    return tasks;
  }

  // Reads the archives of which something is required once more, several at a time.
  void HoldAgainst() {
    std::vector<Task> tasks = Tasks();
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < tasks.size(); i = next++) {
        Task& task = tasks[i];
        task.unmet =
            FindUnmet(task.required, options_.storage, report_.archives[task.archive].archive,
                      options_.listings, options_.memory);
      }
    };
    {
      std::vector<std::jthread> threads;
      const std::size_t helpers = std::min<std::size_t>(options_.jobs, tasks.size());
      for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
      work();
    }
    for (Task& task : tasks) Take(task);
  }

  void Take(Task& task) {
    ArchiveReport& archive = report_.archives[task.archive];
    if (!task.unmet) {
      archive.failure = std::move(task.unmet.error());
      archive.readable = false;
      archive.conformant = false;
      archive.survival.reset();
      archive.not_checked.push_back({"what the policy requires", archive.failure->message});
      return;
    }
    for (std::size_t i = 0; i < task.entries.size(); ++i) {
      PolicyEntryUse& use = require_[task.entries[i]];
      ++use.archives;
      use.findings += (*task.unmet)[i].empty() ? 0 : 1;
      for (PolicyFinding& finding : (*task.unmet)[i]) {
        unmet_.push_back({task.entries[i], task.archive, archive.unmet.size()});
        archive.unmet.push_back(std::move(finding));
      }
    }
  }

  // Puts the entries in the order of their lines. What one came to is a finding about the policy.
  void JudgeEntries() {
    struct Entry {
      PolicyEntryUse* use;
      std::size_t number;  // in its list
    };
    std::vector<Entry> sorted;
    for (std::size_t i = 0; i < reclassify_.size(); ++i) sorted.push_back({&reclassify_[i], i});
    for (std::size_t i = 0; i < require_.size(); ++i) sorted.push_back({&require_[i], i});
    std::ranges::stable_sort(sorted, {}, [](const Entry& entry) { return entry.use->line; });
    std::vector<std::size_t> place(require_.size());  // among all entries
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto& [use, number] = sorted[i];
      if (use->kind == PolicyEntryUse::Kind::kReclassify) {
        JudgeReclassify(*use, number);
      } else {
        place[number] = i;
        if (use->archives == 0) {
          Add(PolicyCheck::kUnmatched, Severity::kInfo, *use, "fits no archive that has a verdict");
        }
      }
      report_.policy->entries.push_back(std::move(*use));
    }
    for (UnmetEntry& unmet : unmet_) unmet.entry = place[unmet.entry];
  }

  void JudgeReclassify(const PolicyEntryUse& use, std::size_t number) {
    if (use.expired) {
      Add(PolicyCheck::kExpired, Severity::kWarning, use,
          "expired on " + use.until + " and is not applied");
    } else if (use.findings == 0 && WasChecked(policy_.reclassify[number].rule)) {
      Add(PolicyCheck::kUnmatched, Severity::kInfo, use,
          use.fatal > 0      ? "fits only findings that are fatal, and these stay so"
          : is_late_[number] ? "fits only findings that an entry before it has taken"
                             : "fits no finding");
    }
  }

  void Add(PolicyCheck check, Severity severity, const PolicyEntryUse& use,
           const std::string& message) {
    report_.policy->findings.push_back({.check = check,
                                        .severity = severity,
                                        .line = use.line,
                                        .message = message + ": " + use.what,
                                        .reason = use.reason});
  }

  // What was looked for in no archive can fit nothing.
  bool WasChecked(Clause rule) {
    if (!left_out_) {
      left_out_.emplace();
      for (const ArchiveReport& archive : report_.archives) {
        if (archive.failure) continue;
        ++verdicts_;
        for (const NotChecked& item : archive.not_checked) ++(*left_out_)[item.what];
      }
    }
    const auto found = left_out_->find(rule.ToString());
    return (found == left_out_->end() ? 0 : found->second) < verdicts_;
  }

  const Policy& policy_;
  const ApplyOptions& options_;
  Report& report_;
  std::vector<PolicyEntryUse> reclassify_;  // as in the policy
  std::vector<bool> is_late_;               // of each: it fits what an entry before it has taken
  std::vector<PolicyEntryUse> require_;
  std::vector<UnmetEntry> unmet_;  // with entries as in the policy, then as in PolicyUse
  // In how many archives with a verdict something was left out; made when it is asked for.
  std::optional<std::map<std::string, std::size_t>> left_out_;
  std::size_t verdicts_ = 0;
};

}  // namespace

std::vector<UnmetEntry> ApplyPolicy(const Policy& policy, const ApplyOptions& options,
                                    Report* report) {
  return Application(policy, options, report).Run();
}

}  // namespace pmproof::validator::policy
