// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/archive_label.h"
#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/catalogue/severity.h"
#include "validator/check/report/disclosure.h"
#include "validator/check/report/picture.h"
#include "validator/check/report/policy_use.h"
#include "validator/check/report/survival.h"

// The outcome of `check` as values; the renderers turn it into text, JSON, SARIF, JUnit or HTML.

namespace pmproof::validator {

// How many of the findings that one stands for are about one metric.
struct FoldedMetric {
  std::vector<std::string> metric;  // as Finding::metric
  std::uint64_t count = 0;
  // The last place of them.
  std::string file;
  std::int32_t part = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t record = 0;
};

struct Finding {
  Clause rule;
  Severity severity = Severity::kError;
  std::string file;          // "base.meta.xz"; the archive's name where no single file is concerned
  std::int32_t part = 0;     // archive::Part
  std::uint64_t offset = 0;  // bytes of the uncompressed file
  std::uint64_t length = 0;
  std::uint64_t record = 0;
  std::string field;
  std::string actual;
  std::string expected;
  std::string message;
  std::uint64_t count =
      1;  // more than 1: the last finding of a rule kept stands for all that follow
  // The finding that this one is a consequence of, by its place in the archive's findings: at least
  // as grave, of a rule that the catalogue's `follows` names.
  std::optional<std::size_t> follows{};
  std::optional<Reclassified> reclassified{};  // where `severity` is a policy's
  // The metric that is concerned at this place, by its names, or by its identifier where it has
  // none; empty where no single metric is concerned.
  std::vector<std::string> metric{};
  // Of a finding that stands for several: which metrics these are about, where that was asked for
  // (CheckOptions::by_metric). What is missing in the sum is about no metric, or not known.
  std::vector<FoldedMetric> folded{};
};

// Something that was not looked at, and why: a rule, or a stretch of a file.
struct NotChecked {
  std::string what;  // a rule's identifier, or "base.0 from offset 4711"
  std::string because;
};

struct Summary {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;    // uncompressed
  std::uint64_t records = 0;  // data records, marks included
  std::uint64_t values = 0;
  std::uint64_t metrics = 0;
  std::uint64_t indoms = 0;
  std::uint64_t marks = 0;
  std::uint64_t volumes = 0;
  std::uint64_t index_entries = 0;
  std::optional<Timestamp> start;   // of the label
  std::optional<Timestamp> finish;  // of the last data record
};

// What lay in one file of an archive, compressed or not, before it was read.
struct FileContent {
  std::string file;    // its name beside the archive
  std::string digest;  // xxh3-128 of the bytes, 32 hexadecimal digits
};

struct Counts {
  std::uint64_t fatal = 0;
  std::uint64_t error = 0;
  std::uint64_t warning = 0;
  std::uint64_t info = 0;
};

struct ArchiveReport {
  std::string archive;  // as named: directory/base; of a set the list or the directory
  // Of archives that were checked as one set (ARC-2101..2109): their names. Empty for an archive.
  std::vector<std::string> members;
  // Set if there is no verdict at all: the input is missing or no PCP archive (exit 4), or a budget
  // was exceeded (exit 6).
  std::optional<Status> failure;
  bool readable = false;    // no fatal finding: readers open it and get to the end of every file
  bool conformant = false;  // readable, and no error
  int archive_version = 0;  // 2, 3; 0 if unknown
  std::optional<archive::ArchiveLabel> label;  // of the lowest-numbered volume that has one
  Summary summary;
  Counts counts;                           // of violations, folded ones included
  std::optional<Survival> survival;        // where there is a verdict, and it is not readable
  std::optional<Disclosures> disclosures;  // where they were asked for, and there is a verdict
  std::optional<Picture> picture;          // where it was asked for, and there is a verdict
  std::vector<FileContent> contents;       // where they were asked for, of files that could be read
  std::vector<NotChecked> not_checked;
  std::vector<std::string>
      internal_errors;  // faults of this program, never of the archive (exit 5)
  std::vector<Finding>
      findings;  // by part (files of the set first, then .meta, volumes, .index), offset, rule
  // What a policy requires and the archive does not have, by line. It takes no part in the
  // verdicts, which are about PCP's format, nor in `counts`.
  std::vector<PolicyFinding> unmet;
};

struct Report {
  Profile profile = Profile::kArchival;
  std::vector<ArchiveReport> archives;
  std::vector<Status> errors;       // arguments that named nothing, unreadable directories
  std::optional<PolicyUse> policy;  // where the archives were judged by one
};

// Exit statuses of docs/formats.md.
enum class ExitStatus : std::uint8_t {
  kOk = 0,
  kFindings = 1,
  kUsage = 2,
  kTesteeFailed = 3,
  kUnreadable = 4,
  kInternal = 5,
  kBudget = 6,
};

// The status that `check` exits with: the first that applies of 5, 4, 6, 1 (a violation, or a
// finding of the policy, as grave as `fail_on` or graver) and 0; kUnreadable as well if nothing was
// checked at all.
ExitStatus ExitStatusOf(const Report& report, Severity fail_on);

// The gravest severity of the violations counted; nothing if there are none.
std::optional<Severity> Worst(const Counts& counts);

Counts& operator+=(Counts& counts, const Counts& more);

// The one of these counts that is of `severity`.
std::uint64_t& CountOf(Counts& counts, Severity severity);
std::uint64_t CountOf(const Counts& counts, Severity severity);

// Of findings of a policy.
Counts CountsOf(const std::vector<PolicyFinding>& findings);

// Of all findings of the policy, about its entries and about the archives.
Counts PolicyCounts(const Report& report);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_REPORT_H_
