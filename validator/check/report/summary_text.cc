// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/summary_text.h"

#include "validator/check/report/render.h"
#include "validator/text/display.h"

namespace pmproof::validator {

// "1 fatal, 2 errors, 3 warnings": those that occur; empty if none does.
std::string CountsText(const Counts& counts) {
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& words) {
    if (count > 0) text += (text.empty() ? "" : ", ") + words;
  };
  add(counts.fatal, std::to_string(counts.fatal) + " fatal");
  add(counts.error, Plural(counts.error, "error"));
  add(counts.warning, Plural(counts.warning, "warning"));
  add(counts.info, std::to_string(counts.info) + " info");
  return text;
}

std::string InBrackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string SummaryText(const ArchiveReport& archive) {
  const Summary& summary = archive.summary;
  std::string text = archive.archive_version > 0
                         ? "version " + std::to_string(archive.archive_version)
                         : "version unknown";
  if (!archive.members.empty()) {
    text = "set of " + Plural(archive.members.size(), "archive") +
           (archive.archive_version > 0 ? ", all " + text : "");
  }
  text += ", " + Plural(summary.files, "file") + ", " + ByteSize(summary.bytes) + ", " +
          Plural(summary.records, "record") + ", " + Plural(summary.metrics, "metric");
  if (summary.marks > 0) text += ", " + Plural(summary.marks, "mark");
  if (summary.start) text += ", from " + ToIsoText(*summary.start);
  if (summary.finish) text += " to " + ToIsoText(*summary.finish);
  return text;
}

std::string SummaryLine(const Report& report) {
  std::uint64_t conformant = 0;
  std::uint64_t failed = 0;
  std::uint64_t sets = 0;
  Counts counts;
  for (const ArchiveReport& archive : report.archives) {
    sets += archive.members.empty() ? 0 : 1;
    failed += archive.failure ? 1 : 0;
    conformant += !archive.failure && archive.conformant ? 1 : 0;
    counts += archive.counts;
  }
  const std::uint64_t archives = report.archives.size();
  std::string text = Plural(archives - sets, "archive");
  if (sets > 0) text += " and " + Plural(sets, "set");
  text += ": ";
  if (archives == 0) {
    text += "nothing was checked";
  } else {
    std::string parts;
    const auto add = [&](std::uint64_t count, const char* words) {
      if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + words;
    };
    add(conformant, "conformant");
    add(archives - conformant - failed, "not conformant");
    add(failed, "without verdict");
    text += parts + InBrackets(CountsText(counts));
  }
  if (const std::string policy = CountsText(PolicyCounts(report)); !policy.empty()) {
    text += "; policy: " + policy;
  }
  if (!report.errors.empty()) {
    text += "; " + Plural(report.errors.size(), "input") + " could not be read";
  }
  return text;
}

}  // namespace pmproof::validator
