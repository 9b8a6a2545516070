// SPDX-License-Identifier: Apache-2.0
#include "validator/against/against.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "reference/archive/loss_watch.h"
#include "reference/archive/memory_budget.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {
namespace {

Status WhyUnreadable(const ArchiveReport& archive) {
  Status status{.kind = Status::Kind::kDamaged,
                .file = archive.archive,
                .message =
                    "readers do not open it, or do not get to its end: what they miss is not "
                    "known"};
  const auto fatal = std::ranges::find(archive.findings, Severity::kFatal, &Finding::severity);
  if (fatal != archive.findings.end()) status.clause = fatal->rule;
  return status;
}

// Why the archives of a side cannot be compared.
std::optional<Status> WhyNot(const Report& report) {
  if (!report.errors.empty()) return report.errors.front();
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) return archive.failure;
  }
  for (const ArchiveReport& archive : report.archives) {
    if (archive.members.empty() && !archive.readable) return WhyUnreadable(archive);
  }
  if (!report.archives.empty()) return std::nullopt;
  return Status{.kind = Status::Kind::kNotFound, .message = "no archive to compare"};
}

// The archives alone: those of a comma list are checked as a set too.
std::vector<ArchiveReport> ArchivesOf(const Report& report) {
  std::vector<ArchiveReport> archives;
  for (const ArchiveReport& archive : report.archives) {
    if (!archive.members.empty()) continue;
    ArchiveReport facts;
    facts.archive = archive.archive;
    facts.summary = archive.summary;
    archives.push_back(std::move(facts));
  }
  return archives;
}

Result<Comparison> Compare(const archive::Storage& storage, const AgainstReport& report,
                           const AgainstRequest& request) {
  const archive::LossWatch watch(storage);
  const archive::MemoryBudget half(request.check.memory.bytes() / 2);
  const std::size_t budget = half.Metadata();
  const auto original = Side::Open(watch, ArchivesOf(report.original), half.Reading(), budget);
  if (!original) return tl::unexpected(original.error());
  const auto replacement =
      Side::Open(watch, ArchivesOf(report.replacement), half.Reading(), budget);
  if (!replacement) return tl::unexpected(replacement.error());
  auto comparison = CompareSides(watch, *original, *replacement, request.check.memory,
                                 request.examples, request.allowed.reduce);
  if (const auto loss = watch.loss()) return tl::unexpected(*loss);
  return comparison;
}

}  // namespace

const char* ToText(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNothingLost:
      return "nothing lost";
    case Outcome::kLossyAsDeclared:
      return "lossy as declared";
    case Outcome::kLoss:
      return "loss";
    case Outcome::kNoAnswer:
      return "no answer";
  }
  return "";
}

Outcome AgainstReport::outcome() const {
  if (!comparison) return Outcome::kNoAnswer;
  const std::vector<Difference>& differences = comparison->differences;
  if (differences.empty()) return Outcome::kNothingLost;
  const bool declared = std::ranges::all_of(
      differences, [this](const Difference& each) { return allowed.Covers(each); });
  return declared ? Outcome::kLossyAsDeclared : Outcome::kLoss;
}

AgainstReport CompareAgainst(const archive::Storage& storage, const AgainstRequest& request,
                             const Catalogue& catalogue, ProgressSink* progress) {
  AgainstReport report;
  report.allowed = request.allowed;
  report.original = CheckAll(storage, request.originals, catalogue, request.check, nullptr);
  report.replacement = CheckAll(storage, request.archives, catalogue, request.check, progress);
  std::set<std::string> originals;
  for (const ArchiveReport& archive : report.original.archives) originals.insert(archive.archive);
  for (const ArchiveReport& archive : report.replacement.archives) {
    if (archive.members.empty() && originals.contains(archive.archive)) {
      report.on_both_sides.push_back(archive.archive);
    }
  }
  report.failure = WhyNot(report.original);
  if (!report.failure) report.failure = WhyNot(report.replacement);
  if (report.failure) return report;
  try {
    auto comparison = Compare(storage, report, request);
    if (comparison) {
      report.comparison = *std::move(comparison);
    } else {
      report.failure = comparison.error();
    }
  } catch (const std::bad_alloc&) {
    report.failure = archive::BeyondBudget(request.originals.front());
  }
  return report;
}

ExitStatus ExitStatusOf(const AgainstReport& report, Severity fail_on) {
  const ExitStatus original = validator::ExitStatusOf(report.original, Severity::kFatal);
  const ExitStatus replacement = validator::ExitStatusOf(report.replacement, fail_on);
  const auto any = [&](ExitStatus status) { return original == status || replacement == status; };
  if (any(ExitStatus::kInternal)) return ExitStatus::kInternal;
  const bool budget = report.failure && report.failure->kind == Status::Kind::kBudget;
  if (any(ExitStatus::kUnreadable) || (report.failure && !budget)) return ExitStatus::kUnreadable;
  if (any(ExitStatus::kBudget) || budget) return ExitStatus::kBudget;
  if (report.outcome() == Outcome::kLoss) return ExitStatus::kFindings;
  return replacement;
}

}  // namespace pmproof::validator::against
