// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/report.h"

namespace pmproof::validator {

std::optional<Severity> Worst(const Counts& counts) {
  if (counts.fatal > 0) return Severity::kFatal;
  if (counts.error > 0) return Severity::kError;
  if (counts.warning > 0) return Severity::kWarning;
  if (counts.info > 0) return Severity::kInfo;
  return std::nullopt;
}

Counts& operator+=(Counts& counts, const Counts& more) {
  counts.fatal += more.fatal;
  counts.error += more.error;
  counts.warning += more.warning;
  counts.info += more.info;
  return counts;
}

std::uint64_t& CountOf(Counts& counts, Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return counts.info;
    case Severity::kWarning:
      return counts.warning;
    case Severity::kError:
      return counts.error;
    case Severity::kFatal:
      break;
  }
  return counts.fatal;
}

std::uint64_t CountOf(const Counts& counts, Severity severity) {
  Counts copy = counts;
  return CountOf(copy, severity);
}

Counts CountsOf(const std::vector<PolicyFinding>& findings) {
  Counts counts;
  for (const PolicyFinding& finding : findings) ++CountOf(counts, finding.severity);
  return counts;
}

Counts PolicyCounts(const Report& report) {
  Counts counts;
  if (report.policy) counts += CountsOf(report.policy->findings);
  for (const ArchiveReport& archive : report.archives) counts += CountsOf(archive.unmet);
  return counts;
}

ExitStatus ExitStatusOf(const Report& report, Severity fail_on) {
  bool internal = false;
  bool unreadable = !report.errors.empty() || report.archives.empty();
  bool budget = false;
  const std::optional<Severity> worst_of_policy = Worst(PolicyCounts(report));
  bool findings = worst_of_policy && *worst_of_policy >= fail_on;
  for (const ArchiveReport& archive : report.archives) {
    internal |= !archive.internal_errors.empty();
    if (archive.failure) {
      (archive.failure->kind == Status::Kind::kBudget ? budget : unreadable) = true;
    }
    const std::optional<Severity> worst = Worst(archive.counts);
    findings |= worst && *worst >= fail_on;
  }
  if (internal) return ExitStatus::kInternal;
  if (unreadable) return ExitStatus::kUnreadable;
  if (budget) return ExitStatus::kBudget;
  return findings ? ExitStatus::kFindings : ExitStatus::kOk;
}

}  // namespace pmproof::validator
