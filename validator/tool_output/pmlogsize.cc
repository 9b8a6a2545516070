// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "validator/tool_output/collector.h"

// Section 12 of the specification.

namespace pmproof::validator::tool_output {
namespace {

constexpr std::array<std::string_view, 7> kSections = {"data",  "index",  "metrics", "indoms",
                                                       "texts", "labels", "overhead"};

// `1 record`, `5 records`: with -d the word agrees with its number (OUT-1203), above it never does
// (OUT-1202).
std::optional<std::uint64_t> TakeCount(Scan* scan, std::string_view word, bool agrees) {
  Scan ahead = *scan;
  const auto count = ahead.TakeNumber();
  if (!count || !ahead.Take(" ") || !ahead.Take(word)) return std::nullopt;
  if ((!agrees || *count != 1) && !ahead.Take("s")) return std::nullopt;
  *scan = ahead;
  return count;
}

bool IsIdentifier(std::string_view text, unsigned numbers) {
  Scan scan(text);
  for (unsigned i = 0; i < numbers; ++i) {
    if ((i > 0 && !scan.Take(".")) || !scan.TakeNumber<std::uint32_t>()) return false;
  }
  return scan.AtEnd();
}

// Names of one metric, one after the other.
void SetNames(std::string_view names, std::string_view separator, Record* record) {
  while (true) {
    const std::size_t end = names.find(separator);
    record->names.emplace_back(names.substr(0, end));
    if (end == std::string_view::npos) break;
    names.remove_prefix(end + separator.size());
  }
  record->metric = record->names.front();
  if (record->names.size() == 1) record->names.clear();
}

class Parser {
 public:
  Parser(const Lines& lines, const Sink& sink) : lines_(lines), out_(lines, sink) {}

  void Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (TakePart(line) || TakeSection(line) || TakeVerbose(line) || TakeFile(line)) continue;
      out_.Reject(line_, "OUT-1201"_clause);
    }
    out_.Flush();
  }

 private:
  Record Start(std::string_view kind) const {
    Record record = MakeRecord(kind, line_ + 1);
    Set(&record, "file", file_);
    return record;
  }

  // OUT-1201
  bool TakeFile(std::string_view line) {
    static constexpr std::string_view kReduces = ": [compression reduces size below by about ";
    const std::size_t reduces = line.rfind(kReduces);
    std::string_view path = line.substr(0, reduces);
    std::optional<std::uint64_t> percent;
    if (reduces != std::string_view::npos) {
      Scan scan(line.substr(reduces + kReduces.size()));
      percent = scan.TakeNumber();
      if (!percent || scan.rest() != "%]") return false;
    } else {
      if (!path.ends_with(':')) return false;
      path.remove_suffix(1);
    }
    if (path.empty() || path.starts_with(' ')) return false;
    file_ = path.substr(path.rfind('/') + 1);
    names_.clear();
    Record& record = out_.Start(Start("file"));
    if (percent) Set(&record, "reduced", *percent);
    return true;
  }

  // `: N bytes [P%`, then what the brackets have beside it.
  static bool TakeSize(Scan* scan, Record* record) {
    if (!scan->Take(": ")) return false;
    const auto bytes = scan->TakeNumber();
    if (!bytes || !scan->Take(" bytes [")) return false;
    const auto percent = scan->TakeNumber();
    if (!percent || !scan->Take("%")) return false;
    Set(record, "bytes", *bytes);
    Set(record, "percent", *percent);
    return true;
  }

  // OUT-1202
  bool TakeSection(std::string_view line) {
    Scan scan(line);
    if (file_.empty() || !scan.Take("  ")) return false;
    for (const std::string_view section : kSections) {
      Scan at = scan;
      if (!at.Take(section)) continue;
      Record record = Start("size");
      Set(&record, "of", section);
      if (!TakeSize(&at, &record) || !TakeSectionCounts(section, &at, &record)) return false;
      if (!at.Take("]") || !at.AtEnd()) return false;
      section_ = section;
      out_.Start(std::move(record));
      return true;
    }
    return false;
  }

  static bool TakeSectionCounts(std::string_view section, Scan* scan, Record* record) {
    if (section == "overhead") return true;
    const bool index = section == "index";
    if (!scan->Take(", ")) return false;
    const auto count = TakeCount(scan, index ? "entrie" : "record", false);
    if (!count) return false;
    Set(record, index ? "entries" : "records", *count);
    if (section == "data" && scan->Take(" (+ ")) {
      const auto marks = scan->TakeNumber();
      if (!marks || !scan->Take(" <mark> records)")) return false;
      Set(record, "marks", *marks);
    }
    if (section == "indoms" && scan->Take(", ")) {
      const auto instances = TakeCount(scan, "instance", false);
      if (!instances) return false;
      Set(record, "instances", *instances);
    }
    return true;
  }

  // OUT-1203: a metric in a volume, or an instance domain in the metadata.
  bool TakePart(std::string_view line) {
    Scan scan(line);
    if (!scan.Take("    ") || section_.empty()) return false;
    if (scan.rest() == "..." && out_.current() != nullptr) {
      SetTrue(out_.current(), "cut");
      return true;
    }
    const bool metric = section_ == "data";
    if (!metric && section_ != "indoms") return false;
    const std::string_view identifier = scan.rest().substr(0, scan.rest().find(':'));
    if (!IsIdentifier(identifier, metric ? 3 : 2)) return false;
    scan.Take(identifier);
    Record record = Start("size");
    Set(&record, "of", section_);
    Set(&record, metric ? "pmid" : "indom", identifier);
    if (!TakeSize(&scan, &record) || !scan.Take(", ")) return false;
    const auto records = TakeCount(&scan, "record", true);
    if (!records || !scan.Take(", ")) return false;
    const auto parts = TakeCount(&scan, metric ? "value" : "instance", true);
    if (!parts) return false;
    Set(&record, "records", *records);
    Set(&record, metric ? "values" : "instances", *parts);
    if (scan.Take(" (")) {
      const auto bytes = scan.TakeNumber();
      if (!bytes || !scan.Take(" bytes for ")) return false;
      const auto repeated = TakeCount(&scan, "dup", true);
      if (!repeated || !scan.Take(")")) return false;
      Set(&record, "repeated", *repeated);
      Set(&record, "repeated_bytes", *bytes);
    }
    if (!scan.Take("]")) return false;
    if (metric) {
      if (!scan.Take(" (") || !scan.rest().ends_with(')')) return false;
      TakeNames(identifier, scan.rest().substr(0, scan.rest().size() - 1), ", ", &record);
    } else if (!scan.AtEnd()) {
      return false;
    }
    out_.Start(std::move(record));
    return true;
  }

  // A metric that the metadata do not describe has its identifier for a name.
  static void TakeNames(std::string_view identifier, std::string_view names,
                        std::string_view separator, Record* record) {
    if (names != identifier) SetNames(names, separator, record);
  }

  // OUT-1204
  bool TakeVerbose(std::string_view line) {
    Scan scan(line);
    if (file_.empty()) return false;
    if (line == "LABEL: TODO ... nothing reported as yet" ||
        line == "TEXT: TODO ... nothing reported as yet") {
      Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
      return true;
    }
    if (scan.Take("PMID: ")) return TakeMetric(scan);
    for (const std::string_view form : {"INDOM_V2", "INDOM_DELTA", "INDOM"}) {
      Scan at = scan;
      if (at.Take(form) && at.Take(": ")) return TakeDomain(form, at);
    }
    return false;
  }

  bool TakeMetric(Scan scan) {
    const auto identifier = scan.rest().substr(0, scan.rest().find(' '));
    if (!IsIdentifier(identifier, 3)) return false;
    scan.Take(identifier);
    const std::size_t bytes_at = scan.rest().rfind(" bytes=");
    Record record = Start(bytes_at == std::string_view::npos ? "metric" : "size");
    Set(&record, "pmid", identifier);
    if (bytes_at == std::string_view::npos) {
      if (!scan.Take(" ") || scan.AtEnd()) return false;
      TakeNames(identifier, scan.rest(), " ", &record);
      out_.Start(std::move(record));
      return true;
    }
    Scan bytes(scan.rest().substr(bytes_at + 7));
    const auto size = bytes.TakeNumber();
    if (!size || !bytes.AtEnd()) return false;
    Set(&record, "of", "value set");
    Set(&record, "bytes", *size);
    // Names stand beside the first value set alone.
    Scan named(scan.rest().substr(0, bytes_at));
    std::string& names = names_[std::string(identifier)];
    if (!named.AtEnd()) {
      if (!named.Take(" (") || !named.rest().ends_with(')')) return false;
      names = named.rest().substr(0, named.rest().size() - 1);
    }
    if (!names.empty()) TakeNames(identifier, names, ", ", &record);
    out_.Start(std::move(record));
    return true;
  }

  bool TakeDomain(std::string_view form, Scan scan) {
    const auto identifier = scan.TakeUntil(" ");
    if (!identifier || !IsIdentifier(*identifier, 2)) return false;
    const auto count = TakeCount(&scan, "instance", true);
    if (!count) return false;
    if (!scan.AtEnd() && !scan.Take(" ")) return false;
    Record record = Start("indom");
    Set(&record, "indom", *identifier);
    Set(&record, "form", form);
    Set(&record, "count", *count);
    Set(&record, "text", Instances(scan.rest()));
    out_.Start(std::move(record));
    return true;
  }

  // The rest of that line. A name may have line breaks (OUT-104), which are taken where a quote
  // ends one of the next lines.
  std::string Instances(std::string_view rest) {
    static constexpr std::size_t kMostLines = 64;
    std::string text(rest);
    if (rest.empty() || rest.ends_with('"')) return text;
    const std::size_t end = std::min(lines_.size(), line_ + kMostLines);
    std::size_t last = line_ + 1;
    while (last < end && !lines_[last].ends_with('"')) ++last;
    if (last >= end) return text;
    while (line_ < last) {
      text += '\n';
      text += lines_[++line_];
    }
    return text;
  }

  const Lines& lines_;
  Collector out_;
  std::size_t line_ = 0;
  std::string file_;
  std::string section_;
  std::map<std::string, std::string> names_;  // of the metrics, by identifier
};

}  // namespace

std::optional<Status> ParsePmlogsize(const Lines& lines, const ParseOptions&, const Sink& sink) {
  Parser(lines, sink).Run();
  return std::nullopt;
}

}  // namespace pmproof::validator::tool_output
