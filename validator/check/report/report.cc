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

ExitStatus ExitStatusOf(const Report& report, Severity fail_on) {
  bool internal = false;
  bool unreadable = !report.errors.empty() || report.archives.empty();
  bool budget = false;
  bool findings = false;
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
