// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/testing/sample_report.h"

#include <utility>

#include "reference/archive/layout.h"

namespace pmproof::validator::testing {

Catalogue SmallCatalogue() {
  static constexpr Clause kIndex[] = {"ARC-042"_clause};
  static constexpr Clause kFraming[] = {"ARC-082"_clause};
  static constexpr Clause kNames[] = {"ARC-303"_clause};
  static constexpr Rule kRules[] = {
      {.id = "ARC-1003"_clause,
       .title = "B.index exists",
       .severity = Severity::kWarning,
       .live = std::nullopt,
       .live_when = "it is written last",
       .ingest = Severity::kWarning,
       .part = RulePart::kFiles,
       .clauses = kIndex,
       .what = "No index.",
       .why = "Slow.",
       .remedy = "None."},
      {.id = "ARC-1102"_clause,
       .title = "a record lies inside the file",
       .severity = Severity::kFatal,
       .live = Severity::kInfo,
       .live_when = "it is being written",
       .ingest = Severity::kFatal,
       .part = RulePart::kFiles,
       .clauses = kFraming,
       .what = "Cut.",
       .why = "Lost.",
       .remedy = "Copy again."},
      {.id = "ARC-1303"_clause,
       .title = "a descriptor has a name",
       .severity = Severity::kError,
       .also = Severity::kFatal,
       .also_when = "the count is missing",
       .live = Severity::kError,
       .ingest = Severity::kError,
       .part = RulePart::kMetadata,
       .clauses = kNames,
       .what = "No name.",
       .why = "Not found.",
       .remedy = "Write one."},
  };
  return {kRules, "0123456789abcdef"};
}

namespace {

std::string HostileText() {
  using namespace std::string_literals;
  return "<script>alert(\"1\")</script> & 'q' ]]> \x1b[31mred\x1b[0m \xff\xfe \xc2\x9b \0 \r\n\t"
         "\xe2\x80\xae\xe2\x80\xa8 \xed\xa0\x80 \xef\xbf\xbf \xc3\xa9 --> |"s;
}

}  // namespace

ArchiveReport GoodArchive() {
  ArchiveReport archive;
  archive.archive = "dir/good";
  archive.readable = true;
  archive.conformant = true;
  archive.archive_version = 3;
  archive.summary = {.files = 3,
                     .bytes = 123456,
                     .records = 60,
                     .values = 600,
                     .metrics = 10,
                     .indoms = 1,
                     .marks = 0,
                     .volumes = 1,
                     .index_entries = 3,
                     .start = Timestamp{1700000000, 5},
                     .finish = Timestamp{1700000060, 0}};
  return archive;
}

ArchiveReport BadArchive() {
  ArchiveReport archive = GoodArchive();
  archive.archive = "dir/bad";
  archive.readable = false;
  archive.conformant = false;
  archive.archive_version = 2;
  archive.counts = {.fatal = 1, .error = 1, .warning = 40, .info = 0};
  archive.not_checked = {{"ARC-1303", "the metadata is missing from offset 200 on"},
                         {"bad.0 from offset 500", "the record before is cut"}};
  Finding warning;
  warning.rule = "ARC-1003"_clause;
  warning.severity = Severity::kWarning;
  warning.file = "bad";
  warning.part = archive::kWholeArchive;
  warning.message = "there is no index";
  archive.findings.push_back(warning);
  warning.count = 39;
  archive.findings.push_back(warning);
  Finding error;
  error.rule = "ARC-1303"_clause;
  error.file = "bad.meta.xz";
  error.part = archive::kMetaPart;
  error.offset = 132;
  error.length = 4;
  error.record = 1;
  error.field = "numnames";
  error.actual = "0";
  error.expected = "1 or more";
  error.message = "metric 29.0.1 has no name";
  error.follows = 3;
  archive.findings.push_back(error);
  Finding fatal;
  fatal.rule = "ARC-1102"_clause;
  fatal.severity = Severity::kFatal;
  fatal.file = "bad.0";
  fatal.part = 0;
  fatal.offset = 500;
  fatal.length = 12;
  fatal.record = 7;
  fatal.message = "a record of 80 bytes begins 12 bytes before the end of the file";
  archive.findings.push_back(fatal);
  Survival& survival = archive.survival.emplace();
  survival.readable = 10;
  survival.until = Timestamp{1700000020, 0};
  survival.lost = {{.file = "bad.0", .offset = 500, .length = 12}};
  survival.next = {"another copy of the damaged file may be whole"};
  return archive;
}

ArchiveReport HostileArchive() {
  const std::string hostile = HostileText();
  ArchiveReport archive = BadArchive();
  archive.archive = "dir/" + hostile;
  archive.not_checked = {{hostile, hostile}};
  for (Finding& finding : archive.findings) {
    finding.file = hostile;
    finding.field = hostile;
    finding.actual = hostile;
    finding.expected = hostile;
    finding.message = hostile;
  }
  archive.survival->lost[0].file = hostile;
  return archive;
}

void Judge(Report* report) {
  const std::string hostile = HostileText();
  PolicyUse& policy = report->policy.emplace();
  policy.file = "policies/" + hostile;
  policy.entries = {{.kind = PolicyEntryUse::Kind::kReclassify,
                     .line = 4,
                     .what = hostile,
                     .reason = hostile,
                     .until = "2020-01-01",
                     .expired = true,
                     .archives = 1,
                     .findings = 2,
                     .fatal = 0},
                    {.kind = PolicyEntryUse::Kind::kRequire,
                     .line = 9,
                     .what = hostile,
                     .reason = "",
                     .until = "",
                     .expired = false,
                     .archives = 2,
                     .findings = 1,
                     .fatal = 0}};
  policy.findings = {{PolicyCheck::kExpired, Severity::kWarning, 4, hostile, hostile}};
  for (std::size_t i = 0; i < report->archives.size(); ++i) {
    ArchiveReport& archive = report->archives[i];
    if (i % 2 == 0) {
      archive.unmet = {{PolicyCheck::kMetrics, Severity::kError, 9, hostile, ""},
                       {PolicyCheck::kHost, Severity::kInfo, 9, hostile, hostile}};
    }
    for (Finding& finding : archive.findings) {
      if (finding.severity != Severity::kError) continue;
      finding.reclassified = Reclassified{Severity::kError, 4, hostile};
      finding.severity = Severity::kInfo;
      --archive.counts.error;
      ++archive.counts.info;
    }
  }
}

ArchiveReport FailedArchive() {
  ArchiveReport archive;
  archive.archive = "dir/none";
  Status failure;
  failure.kind = Status::Kind::kNotAnArchive;
  failure.file = "dir/none.0";
  failure.offset = 4;
  failure.clause = "ARC-017"_clause;
  failure.message = "no PCP archive: the magic number is 0x7f454c46";
  archive.failure = std::move(failure);
  archive.counts.fatal = 1;
  Finding finding;
  finding.rule = "ARC-1102"_clause;
  finding.severity = Severity::kFatal;
  finding.file = "none.0";
  finding.message = "found before";
  archive.findings.push_back(finding);
  return archive;
}

}  // namespace pmproof::validator::testing
