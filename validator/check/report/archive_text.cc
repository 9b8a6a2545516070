// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/archive_text.h"

#include <xxhash.h>

#include <optional>
#include <utility>
#include <vector>

#include "reference/core/json_writer.h"
#include "validator/check/report/report_json.h"
#include "validator/check/report/triaged_json.h"
#include "validator/text/hex_text.h"
#include "validator/text/json_values.h"
#include "validator/text/string_sink.h"

namespace pmproof::validator {
namespace {

using Writer = JsonWriter<StringSink>;

// What few archives have is written by way of a tree: one place says what it looks like.
std::string Dumped(const Json& json) { return DumpJson(json, -1); }

void WriteFlag(bool flag, Writer& json) { json.Raw(flag ? "true" : "false"); }

void WriteTime(const std::optional<Timestamp>& time, Writer& json) {
  if (time) {
    json.InQuotes(ToEpochText(*time));
  } else {
    json.Null();
  }
}

void WriteTexts(const std::vector<std::string>& texts, Writer& json) {
  json.Array();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

void WriteFailure(const std::optional<Status>& failure, Writer& json) {
  json.Raw(failure ? Dumped(StatusJson(*failure)) : "null");
}

void WriteSummary(const Summary& summary, Writer& json) {
  json.Object();
  json.Key("files").Number(summary.files);
  json.Key("bytes").Number(summary.bytes);
  json.Key("records").Number(summary.records);
  json.Key("values").Number(summary.values);
  json.Key("metrics").Number(summary.metrics);
  json.Key("indoms").Number(summary.indoms);
  json.Key("marks").Number(summary.marks);
  json.Key("volumes").Number(summary.volumes);
  json.Key("index_entries").Number(summary.index_entries);
  json.Key("start");
  WriteTime(summary.start, json);
  json.Key("finish");
  WriteTime(summary.finish, json);
  json.EndObject();
}

void WriteCounts(const Counts& counts, Writer& json) {
  json.Object();
  json.Key("fatal").Number(counts.fatal);
  json.Key("error").Number(counts.error);
  json.Key("warning").Number(counts.warning);
  json.Key("info").Number(counts.info);
  json.EndObject();
}

void WriteNotChecked(const std::vector<NotChecked>& items, Writer& json) {
  json.Array();
  for (const NotChecked& item : items) {
    json.Object().Key("rule").String(item.what).Key("because").String(item.because).EndObject();
  }
  json.EndArray();
}

void WriteTriageNote(const TriageNote& note, Writer& json) {
  if (note.set || !note.archive) {
    json.Raw(Dumped(TriageNoteJson(note)));
    return;
  }
  json.Object();
  json.Key("condition").InQuotes(std::string_view(ToText(note.archive->condition)));
  json.Key("why").String(note.archive->why);
  json.Key("next").String(note.archive->next);
  json.Key("host").String(note.archive->host);
  json.EndObject();
}

void WriteFinding(const Finding& finding, Writer& json) {
  json.Object();
  json.Key("rule").InQuotes(finding.rule.ToString());
  json.Key("severity").InQuotes(std::string_view(ToText(finding.severity)));
  json.Key("file").String(finding.file);
  json.Key("part").InQuotes(PartText(finding.part));
  json.Key("offset").Number(finding.offset);
  json.Key("length").Number(finding.length);
  json.Key("record").Number(finding.record);
  json.Key("field").String(finding.field);
  json.Key("actual").String(finding.actual);
  json.Key("expected").String(finding.expected);
  json.Key("message").String(finding.message);
  json.Key("count").Number(finding.count);
  if (!finding.metric.empty()) {
    json.Key("metric");
    WriteTexts(finding.metric, json);
  }
  if (finding.follows) json.Key("follows").Number(*finding.follows);
  if (finding.reclassified) {
    json.Key("reclassified").Raw(Dumped(ReclassifiedJson(*finding.reclassified)));
  }
  json.EndObject();
}

}  // namespace

void AppendArchive(const ArchiveReport& archive, const TriageNote* note, std::string* out) {
  StringSink sink{std::move(*out), Quoting::kAscii};
  Writer json(sink);
  json.Object().Key("archive").String(archive.archive);
  if (!archive.members.empty()) {
    json.Key("members");
    WriteTexts(archive.members, json);
  }
  json.Key("readable");
  WriteFlag(archive.readable, json);
  json.Key("conformant");
  WriteFlag(archive.conformant, json);
  json.Key("failure");
  WriteFailure(archive.failure, json);
  json.Key("internal_errors");
  WriteTexts(archive.internal_errors, json);
  json.Key("archive_version");
  if (archive.archive_version > 0) {
    json.Number(archive.archive_version);
  } else {
    json.Null();
  }
  json.Key("summary");
  WriteSummary(archive.summary, json);
  json.Key("counts");
  WriteCounts(archive.counts, json);
  json.Key("survival").Raw(archive.survival ? Dumped(SurvivalJson(*archive.survival)) : "null");
  json.Key("not_checked");
  WriteNotChecked(archive.not_checked, json);
  if (!archive.unmet.empty()) json.Key("unmet").Raw(Dumped(PolicyFindingsJson(archive.unmet)));
  if (archive.disclosures)
    json.Key("disclosures").Raw(Dumped(DisclosuresJson(*archive.disclosures)));
  if (note != nullptr) {
    json.Key("triage");
    WriteTriageNote(*note, json);
  }
  json.Key("findings").Array();
  for (const Finding& finding : archive.findings) WriteFinding(finding, json);
  json.EndArray().EndObject();
  *out = std::move(sink.text);
}

void AppendBatchEntry(const ArchiveReport& archive, std::string_view line, std::string* out) {
  StringSink sink{std::move(*out), Quoting::kAscii};
  Writer json(sink);
  json.Object().Key("archive").String(archive.archive);
  json.Key("conformant");
  WriteFlag(archive.conformant, json);
  json.Key("failure");
  WriteFailure(archive.failure, json);
  json.Key("internal_errors");
  WriteTexts(archive.internal_errors, json);
  json.Key("counts");
  WriteCounts(archive.counts, json);
  json.Key("files").Array();
  for (const FileContent& content : archive.contents) {
    json.Array().String(content.file).InQuotes(content.digest).EndArray();
  }
  json.EndArray();
  json.Key("line").InQuotes(HexText(XXH3_64bits(line.data(), line.size()))).EndObject();
  *out = std::move(sink.text);
}

}  // namespace pmproof::validator
