// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/check/check.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/policy_file.h"
#include "validator/policy/explain_policy.h"
#include "validator/policy/policy_judge.h"
#include "validator/policy/read_report.h"
#include "validator/schema/policy_schema.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

class PolicyCheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("POLICY", "A policy, TOML or JSON", &policy_);
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, or a directory: each archive below it",
                     &archives_);
    options
        .Text(
            "--report", "REPORT",
            "In place of archives: a report of check --format json. What is required, and entries "
            "that name a host, cannot be told from it",
            &report_)
        .Excludes({"--set"});
    options.Flag("--set", "The archives of each directory are also checked as one set", &sets_);
    memory_.Declare(options, "There is no verdict then. What is kept of each has 16K more");
    options.Flag("--schema", "Print the JSON Schema of a policy", &print_schema_);
    options
        .Notes(
            "Without ARCHIVE it says what the policy says, and which entries have expired. With "
            "ARCHIVE the archives are checked, and it says of each entry what it fits and what it "
            "changes. check --policy has the same in its reports.")
        .Examples({"pmproof policy check policy.toml",
                   "pmproof policy check policy.toml /archives/2024",
                   "pmproof policy check --report nightly.json policy.toml",
                   "pmproof policy check --schema > policy.schema.json"})
        .ExitStatuses(
            "0 each entry is in force and fits something, and each requirement is met; 1 not so; 2 "
            "wrong usage, or the policy is wrong; 4 an input is missing, unreadable or not a PCP "
            "archive at all; 5 internal error of pmproof; 6 a memory budget was exceeded. Of "
            "several the first of 5, 4, 6, 1");
  }

  std::string Wrong(const Catalogue&) override {
    if (policy_.empty() && !print_schema_) return "no POLICY given";
    return report_ && !archives_.empty() ? "--report is in place of ARCHIVE" : "";
  }

  const MemoryOption* memory() const override { return &memory_; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (print_schema_) {
      for (const EmbeddedFile& file : policy_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    ExitStatus status = ExitStatus::kOk;
    const std::optional<LoadedPolicy> loaded = LoadPolicy(policy_, environment, &status);
    if (!loaded) return status;
    const policy::Policy* const policy = &loaded->policy;
    if (report_) return ExplainReport(*policy, common, environment);
    MachineCheck machine(common, environment);
    CheckOptions& options = machine.options;
    options.profile = policy->profile.value_or(Profile::kArchival);
    options.sets = sets_;
    options.by_metric = policy::RulesByMetric(*policy);
    options.memory = memory_.budget();
    Report report;
    report.profile = options.profile;
    if (!archives_.empty()) report = Check(options, common, environment);
    const policy::Verdicts before(report);
    const auto unmet = JudgeByPolicy(*policy, archives_, options, environment.storage, &report);
    policy::ExplainPolicy(before, report, unmet, environment.out_screen, environment.out);
    return archives_.empty() ? StatusWithoutArchives(report) : StatusOf(report, environment);
  }

 private:
  ExitStatus ExplainReport(policy::Policy policy, const CommonArguments& common,
                           const Environment& environment) const {
    const auto file = environment.storage.Open(*report_);
    if (!file) return Fail(environment, ExitStatus::kUnreadable, file.error().ToText());
    Result<Report> report = policy::ReadReport((*file)->bytes(), *report_);
    if (const std::optional<Status> lost = (*file)->lost()) report = tl::unexpected(*lost);
    if (!report) return Fail(environment, ExitStatus::kUnreadable, report.error().ToText());
    const std::size_t not_told =
        policy.require.size() +
        std::erase_if(policy.reclassify, [](const auto& entry) { return entry.where.host; });
    policy.require.clear();
    const std::uint64_t of_unknown_metrics = CountFolded(*report, policy::RulesByMetric(policy));
    const policy::Verdicts before(*report);
    JudgeByPolicy(policy, {}, MachineCheck(common, environment).options, environment.storage,
                  &*report);
    policy::ExplainPolicy(before, *report, {}, environment.out_screen, environment.out);
    if (not_told > 0) {
      environment.out << "not told: " << not_told << (not_told == 1 ? " entry" : " entries")
                      << " about hosts or what archives have; a report does not say that\n";
    }
    if (of_unknown_metrics > 0) {
      environment.out << "not told: " << of_unknown_metrics
                      << " findings that the report only counts, and not by metric; check "
                         "--max-findings shows more of them\n";
    }
    if (policy.profile && *policy.profile != report->profile) {
      environment.out << "the report is of profile " << ToText(report->profile)
                      << ", the policy is for " << ToText(*policy.profile) << '\n';
    }
    return Worst(PolicyCounts(*report)) ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  // Findings of the rules that others stand for.
  static std::uint64_t CountFolded(const Report& report, const std::vector<Clause>& rules) {
    std::uint64_t count = 0;
    for (const ArchiveReport& archive : report.archives) {
      for (const Finding& finding : archive.findings) {
        if (finding.count > 1 && std::ranges::count(rules, finding.rule) > 0) {
          count += finding.count;
        }
      }
    }
    return count;
  }

  Report Check(const CheckOptions& options, const CommonArguments& common,
               const Environment& environment) const {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    return CheckAll(environment.storage, archives_, environment.catalogue, options, bar.get());
  }

  // Nothing can fit where nothing is.
  static ExitStatus StatusWithoutArchives(const Report& report) {
    for (const PolicyFinding& finding : report.policy->findings) {
      if (finding.check == PolicyCheck::kExpired) return ExitStatus::kFindings;
    }
    return ExitStatus::kOk;
  }

  // Of the policy: what else the archives are is `check`'s business.
  static ExitStatus StatusOf(const Report& report, const Environment& environment) {
    Report failures;
    failures.errors = report.errors;
    for (const ArchiveReport& archive : report.archives) {
      ArchiveReport& one = failures.archives.emplace_back();
      one.failure = archive.failure;
      one.internal_errors = archive.internal_errors;
      if (archive.failure) {
        Fail(environment, ExitStatus::kUnreadable,
             archive.archive + ": no verdict: " + archive.failure->ToText());
      }
    }
    for (const Status& error : report.errors) {
      Fail(environment, ExitStatus::kUnreadable, error.ToText());
    }
    const ExitStatus status = ExitStatusOf(failures, Severity::kInfo);
    if (status != ExitStatus::kOk) return status;
    return Worst(PolicyCounts(report)) ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  std::string policy_;
  std::vector<std::string> archives_;
  std::optional<std::string> report_;
  bool sets_ = false;
  bool print_schema_ = false;
  MemoryOption memory_{MemoryOption::Of::kEachArchive};
};

}  // namespace

std::unique_ptr<Command> MakePolicyCheck() { return std::make_unique<PolicyCheckCommand>(); }

}  // namespace pmproof::validator
