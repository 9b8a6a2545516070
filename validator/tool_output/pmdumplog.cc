// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "validator/tool_output/pmdumplog_parser.h"

// Section 4 of the specification: what the sections of a dump are, its records, index and raw
// files.

namespace pmproof::validator::tool_output {

std::string_view PmdumplogParser::TakeIdentifier(Scan* scan) {
  std::size_t end = 0;
  const std::string_view text = scan->rest();
  while (end < text.size() &&
         (text[end] == '.' || text[end] == '*' || (text[end] >= '0' && text[end] <= '9'))) {
    ++end;
  }
  if (end == 0 && text.starts_with("PM_ID_NULL")) end = 10;
  scan->Take(text.substr(0, end));
  return text.substr(0, end);
}

std::optional<Status> PmdumplogParser::Run() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    line_ = i;
    const std::string_view line = lines_[i];
    if (out_.TakesWithin(i)) continue;
    if (const auto note = ReadZoneNote(line, i + 1, options_)) {
      if (note->refused) return note->refused;
      Note(line);
      continue;
    }
    if (TakeHeading(line) || TakeLine(line) || out_.TakesBehind(i)) continue;
    out_.Reject(i, SectionClause());
  }
  out_.Flush();
  return std::nullopt;
}

Clause PmdumplogParser::SectionClause() const {
  switch (section_) {
    case Section::kLabel:
      return "OUT-402"_clause;
    case Section::kDescriptors:
      return "OUT-403"_clause;
    case Section::kLabels:
      return "OUT-404"_clause;
    case Section::kText:
      return "OUT-405"_clause;
    case Section::kOnDisk:
      return "OUT-406"_clause;
    case Section::kIndoms:
      return "OUT-407"_clause;
    case Section::kIndex:
      return "OUT-408"_clause;
    case Section::kRaw:
      return "OUT-411"_clause;
    case Section::kData:
      break;
  }
  return "OUT-409"_clause;
}

void PmdumplogParser::Note(std::string_view text) {
  Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", text);
}

bool PmdumplogParser::Begin(Section section) {
  out_.Flush();
  section_ = section;
  days_.Restart();
  return true;
}

bool PmdumplogParser::TakeHeading(std::string_view line) {
  if (line.starts_with("Log Label (Log Format Version ")) {
    Scan scan(line.substr(30));
    const auto format = scan.TakeNumber();
    if (!format || scan.rest() != ")") return false;
    Begin(Section::kLabel);
    Set(&out_.Start(MakeRecord("archive", line_ + 1)), "format", *format);
    return true;
  }
  static constexpr std::pair<std::string_view, Section> kHeadings[] = {
      {"Descriptions for Metrics in the Log ...", Section::kDescriptors},
      {"Metric Labels in the Log ...", Section::kLabels},
      {"Metric Help Text in the Log ...", Section::kText},
      {"Instance Domains on-disk ...", Section::kOnDisk},
      {"Instance Domains in the Log ...", Section::kIndoms},
      {"Temporal Index", Section::kIndex}};
  for (const auto& [words, section] : kHeadings) {
    if (line == words) return Begin(section);
  }
  if (line.starts_with("Log finished at ") && line.ends_with(" - dump in reverse order")) {
    Begin(Section::kData);
    Note(line);
    Scan time(line.substr(16));
    if (const auto stamp = TakeStamp(&time)) days_.Learn(*stamp);
    days_.set_backward();
    return true;
  }
  if (line.starts_with("Raw dump of physical archive file \"")) {
    Begin(Section::kRaw);
    Note(line);
    return true;
  }
  if (line.starts_with("Note: ") || (line.starts_with("--- archive ") && line.ends_with(" ---"))) {
    Note(line);
    return true;
  }
  return TakeRecordHeading(line);
}

bool PmdumplogParser::TakeRecordHeading(std::string_view line) {
  if (section_ == Section::kText && !AfterEmpty()) return false;
  Scan scan(line);
  if (scan.Take("[")) {
    const auto bytes = scan.TakeNumber();
    if (!bytes || scan.rest() != " bytes]") return false;
    if (section_ != Section::kData) Begin(Section::kData);
    out_.Flush();
    bytes_ = bytes;
    return true;
  }
  const std::optional<Stamp> stamp = TakeStamp(&scan);
  if (!stamp || !scan.Take(" ")) return false;
  const bool mark = scan.rest() == " <mark>";
  std::optional<std::uint64_t> metrics;
  if (!mark) {
    metrics = scan.TakeNumber();
    if (!metrics || scan.rest() != (*metrics == 1 ? " metric" : " metrics")) return false;
  }
  if (section_ != Section::kData) Begin(Section::kData);
  Record& record = out_.Start(MakeRecord(mark ? "mark" : "record", line_ + 1));
  days_.Place(*stamp, &record);
  if (metrics) Set(&record, "metrics", *metrics);
  if (bytes_) Set(&record, "bytes", *bytes_);
  bytes_.reset();
  time_ = record;
  return true;
}

bool PmdumplogParser::AfterEmpty() const { return line_ == 0 || lines_[line_ - 1].empty(); }

bool PmdumplogParser::TakeLine(std::string_view line) {
  if (section_ == Section::kText) return TakeText(line);
  if (section_ == Section::kData) return line.empty() || TakeData(line);
  if (section_ == Section::kRaw) return TakeRaw(line);
  if (line.empty()) return true;
  switch (section_) {
    case Section::kLabel: {
      std::optional<Stamp> start;
      Record* const label = out_.current();
      if (label == nullptr || label->kind != "archive" || !ReadLabelLine(line, label, &start)) {
        return false;
      }
      if (start) days_.Learn(*start);
      return true;
    }
    case Section::kDescriptors:
      return TakeDescriptor(line);
    case Section::kLabels:
      return TakeLabels(line);
    case Section::kOnDisk:
    case Section::kIndoms:
      return TakeInstances(line);
    case Section::kText:
    case Section::kIndex:
    case Section::kData:
    case Section::kRaw:
      break;
  }
  return TakeIndex(line);
}

bool PmdumplogParser::TakeIndex(std::string_view line) {
  if (line.ends_with("Log Vol    end(meta)     end(log)")) return true;
  Scan scan(line);
  if (scan.Take("\t\tError: ") || scan.Take("\t\tWarning: ")) {
    Note(line.substr(2));
    return true;
  }
  const auto stamp = TakeStamp(&scan);
  if (!stamp || !scan.Take("\t")) return false;
  std::uint64_t numbers[3];
  for (std::uint64_t& number : numbers) {
    scan = Scan(TrimLeft(scan.rest()));
    const auto found = scan.TakeNumber();
    if (!found) return false;
    number = *found;
  }
  if (!scan.AtEnd()) return false;
  Record& record = out_.Start(MakeRecord("index", line_ + 1));
  days_.Place(*stamp, &record);
  Set(&record, "volume", numbers[0]);
  Set(&record, "meta", numbers[1]);
  Set(&record, "data", numbers[2]);
  return true;
}

bool PmdumplogParser::TakeRaw(std::string_view line) {
  Scan scan(line);
  if (scan.Take("Dump ... record len: ")) {
    const auto length = scan.TakeNumber();
    if (!length || !scan.Take(" @ offset: ")) return false;
    const auto offset = scan.TakeNumber();
    if (!offset || !scan.AtEnd()) return false;
    Record& record = out_.Start(MakeRecord("raw", line_ + 1));
    Set(&record, "offset", *offset);
    Set(&record, "length", *length);
    Set(&record, "hex", "");
    return true;
  }
  if (line.empty()) return true;
  Record* const record = out_.current();
  if (record == nullptr || record->kind != "raw") return false;
  if (line.find_first_not_of(" 0123456789abcdef") != std::string_view::npos) return false;
  std::string& hex = record->attributes.back().json;
  hex.pop_back();
  for (const char c : line) {
    if (c != ' ') hex += c;
  }
  hex += '"';
  return true;
}

Record PmdumplogParser::Timed(std::string_view kind) const {
  Record record = MakeRecord(kind, line_ + 1);
  record.TakeTimeOf(time_);
  return record;
}

std::optional<Status> ParsePmdumplog(const Lines& lines, const ParseOptions& options,
                                     const Sink& sink) {
  return PmdumplogParser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output
