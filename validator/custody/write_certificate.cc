// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/write_certificate.h"

#include <utility>

#include "reference/archive/file_set.h"
#include "validator/check/report/report_json.h"
#include "validator/custody/tree.h"
#include "validator/info/info.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

// Directories that could not be read are named up to this number, and then counted.
constexpr std::size_t kMostNotChecked = 1000;

Json ContentJson(const Content& content) {
  return {{"size", content.size}, {"sha256", ToHex(content.sha256)}};
}

Json FileJson(const CertifiedFile& file) {
  const auto name = archive::ParseFileName(file.name);
  Json json = {{"name", file.name},
               {"part", PartText(name ? name->part : archive::kWholeArchive)},
               {"compression", CompressionName(CompressionOf(file.name))},
               {"judged", file.judged}};
  json.update(ContentJson(file.stored));
  json["content"] = file.content ? ContentJson(*file.content) : Json(nullptr);
  return json;
}

Json LabelJson(const archive::ArchiveLabel& label) {
  return {{"host", label.host},
          {"timezone", label.timezone},
          {"zoneinfo", label.zoneinfo},
          {"pid", label.pid}};
}

// An array, item by item: there may be a hundred thousand volumes.
template <typename T>
void AddList(const char* member, const std::vector<T>& items, Json (*json)(const T&), Spool& out) {
  out.Add(std::string(",\"") + member + "\":[");
  bool first = true;
  for (const T& item : items) {
    out.Add((first ? "" : ",") + DumpJson(json(item), -1));
    first = false;
  }
  out.Add("]");
}

void AddEntry(const ExaminedArchive& archive, const ArchiveReport& report, Spool& out) {
  Json json = ArchiveJson(report);
  json["archive"] = archive.name;
  json["verdict"] = ToText(VerdictOf(report));
  json["label"] = report.label ? LabelJson(*report.label) : Json(nullptr);
  std::string object = DumpJson(json, -1);
  object.pop_back();
  out.Add(object);
  AddList("files", archive.files, &FileJson, out);
  AddList("findings", report.findings, &FindingJson, out);
  out.Add("}");
}

Json TermsJson(const Terms& terms) {
  const auto ids = [](const std::vector<Clause>& rules) {
    Json json = Json::array();
    for (const Clause& rule : rules) json.push_back(rule.ToString());
    return json;
  };
  Json only = Json::array();
  for (const RulePart part : terms.rules.only) only.push_back(ToText(part));
  return {{"profile", ToText(terms.profile)}, {"only", std::move(only)},
          {"added", ids(terms.rules.added)},  {"removed", ids(terms.rules.removed)},
          {"fail_on", ToText(terms.fail_on)}, {"max_findings", terms.max_findings}};
}

Json TotalsJson(const CertificateTotals& totals) {
  return {{"archives", totals.archives},
          {"conformant", totals.conformant},
          {"without_verdict", totals.without_verdict},
          {"files", totals.files},
          {"bytes", totals.bytes},
          {"counts", CountsJson(totals.counts)}};
}

}  // namespace

Result<CertificateWriter> CertificateWriter::Create(const std::string& directory) {
  Result<Spool> subjects = Spool::Create(directory);
  if (!subjects) return tl::unexpected(subjects.error());
  Result<Spool> archives = Spool::Create(directory);
  if (!archives) return tl::unexpected(archives.error());
  return CertificateWriter(*std::move(subjects), *std::move(archives));
}

void CertificateWriter::Add(const ExaminedArchive& archive) {
  if (!archive.report) return;
  const ArchiveReport& report = *archive.report;
  const Verdict verdict = VerdictOf(report);
  ExaminedArchive entry{archive.name, {}, std::nullopt};
  if (verdict != Verdict::kNone) entry.files = archive.files;
  for (const CertifiedFile& file : entry.files) {
    const Json subject = {{"name", archive::JoinPath(DirectoryOf(archive.name), file.name)},
                          {"digest", {{"sha256", ToHex(file.stored.sha256)}}}};
    subjects_.Add((totals_.files == 0 ? "\n    " : ",\n    ") + DumpJson(subject, -1));
    ++totals_.files;
    totals_.bytes += file.stored.size;
  }
  archives_.Add(totals_.archives == 0 ? "\n      " : ",\n      ");
  AddEntry(entry, report, archives_);
  ++totals_.archives;
  totals_.conformant += verdict == Verdict::kConformant ? 1 : 0;
  totals_.without_verdict += verdict == Verdict::kNone ? 1 : 0;
  totals_.counts += report.counts;
}

void CertificateWriter::AddNotChecked(NotChecked item) {
  if (not_checked_.size() < kMostNotChecked) {
    not_checked_.push_back(std::move(item));
  } else {
    ++more_not_checked_;
  }
}

std::optional<Status> CertificateWriter::error() const {
  return subjects_.error() ? subjects_.error() : archives_.error();
}

std::optional<Status> CertificateWriter::Write(const CertificateHead& head, std::ostream& out) {
  Json not_checked = Json::array();
  const auto note = [&](const std::string& what, const std::string& because) {
    not_checked.push_back({{"rule", what}, {"because", because}});
  };
  note("ARC-2101 to ARC-2109", "each archive is certified by itself, not as one of a set");
  for (const NotChecked& item : not_checked_) note(item.what, item.because);
  if (more_not_checked_ > 0) {
    note(std::to_string(more_not_checked_) + " more places", "they could not be read");
  }
  const auto member = [&](const char* name, const Json& value) {
    out << "    \"" << name << "\": " << DumpJson(value, -1) << ",\n";
  };
  out << "{\n  \"_type\": " << DumpJson(kStatementType, -1) << ",\n  \"subject\": [";
  if (auto error = subjects_.CopyTo(out)) return error;
  out << "\n  ],\n  \"predicateType\": " << DumpJson(kPredicateType, -1)
      << ",\n  \"predicate\": {\n";
  member("tool", {{"name", "pmproof"}, {"version", head.tool_version}});
  member("catalogue", {{"version", head.catalogue_version}, {"digest", head.catalogue_digest}});
  member("created", head.created);
  member("terms", TermsJson(head.terms));
  if (head.policy) {
    Json policy = PolicyJson(head.policy->use);
    policy["sha256"] = ToHex(head.policy->sha256);
    member("policy", policy);
  }
  member("totals", TotalsJson(totals_));
  member("not_checked", not_checked);
  out << "    \"archives\": [";
  if (auto error = archives_.CopyTo(out)) return error;
  out << "\n    ]\n  }\n}\n";
  return std::nullopt;
}

}  // namespace pmproof::validator
