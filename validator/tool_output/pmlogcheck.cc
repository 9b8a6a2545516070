// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 8 of the specification. What changes between versions only in its words (OUT-814, 816) is
// said in those of 7.2.

namespace pmproof::validator::tool_output {
namespace {

// What follows the file, and perhaps a place in it, by words it begins with or has in it.
struct Words {
  std::string_view text;
  Clause clause;
};

constexpr std::array kBeginnings = {Words{"bad label magic number: ", "OUT-812"_clause},
                                    Words{"bad label version: ", "OUT-812"_clause},
                                    Words{"cannot load label record: ", "OUT-812"_clause},
                                    Words{"mismatched label version: ", "OUT-812"_clause},
                                    Words{"illegal header record length", "OUT-813"_clause},
                                    Words{"illegal trailer record length", "OUT-813"_clause},
                                    Words{"unexpected EOF in ", "OUT-813"_clause},
                                    Words{"record length mismatch: ", "OUT-813"_clause},
                                    Words{"length mismatch: ", "OUT-813"_clause},
                                    Words{"label record length mismatch: ", "OUT-813"_clause},
                                    Words{"illegal label record", "OUT-813"_clause},
                                    Words{"unexpected record type ", "OUT-813"_clause},
                                    Words{"contains no PCP data", "OUT-814"_clause},
                                    Words{"last valid record ends at offset ", "OUT-814"_clause},
                                    Words{"missing metadata file", "OUT-815"_clause},
                                    Words{"missing log file", "OUT-815"_clause},
                                    Words{"warning temporal index is missing", "OUT-816"_clause},
                                    Words{"file missing for data volume ", "OUT-816"_clause},
                                    Words{"illegal negative ", "OUT-816"_clause},
                                    Words{"illegal timestamp nsec value", "OUT-816"_clause},
                                    Words{"offset to ", "OUT-816"_clause},
                                    Words{"timestamp (", "OUT-816"_clause},
                                    Words{"went backwards in time", "OUT-816"_clause},
                                    Words{"data volume number ", "OUT-816"_clause},
                                    Words{"pmInDom ", "OUT-818"_clause},
                                    Words{"timestamp before label timestamp: ", "OUT-819"_clause},
                                    Words{"timestamp went backwards, ", "OUT-819"_clause}};

constexpr std::array kOfDescriptor = {
    std::string_view("bad type ("),       std::string_view("domain of pmid ("),
    std::string_view("bad semantics ("),  std::string_view("bad dimension ("),
    std::string_view("non-zero scale ("), std::string_view("bad scale (")};

constexpr std::array kOfValues = {
    std::string_view("no values returned"), std::string_view("error from numval: "),
    std::string_view("pmLookupDesc failed: "), std::string_view("encoding botch valfmt="),
    std::string_view("pmExtractValue failed: ")};

// The base name of the path at the front, which may hold blanks and colons.
std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// In the words of 7.2, which 6.0.3 has not: "offset to log (", "log volume", "volume number (". The
// volume of an offset is left out, for 6.0.3 does not say it.
std::string NewWords(std::string text) {
  text = Replaced(std::move(text), "offset to log ", "offset to data volume ");
  if (Scan scan(text); scan.Take("offset to data volume ") && scan.TakeNumber()) {
    text = "offset to data volume" + std::string(scan.rest());
  }
  text = Replaced(std::move(text), "log volume", "data volume");
  text = Replaced(std::move(text), "less than log label", "less than archive label");
  if (text.starts_with("volume number")) text.insert(0, "data ");
  return Replaced(std::move(text), "negative volume number", "negative data volume number");
}

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink) {}

  std::optional<Status> Run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const std::string_view line = lines_[line_];
      if (const auto note = ReadZoneNote(line, line_ + 1, options_)) {
        if (note->refused) return note->refused;
        Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", line);
        continue;
      }
      if (line.empty() || out_.TakeLabel(line, line_ + 1) || TakeProgress(line) || TakeWrap(line) ||
          TakeFinding(line)) {
        continue;
      }
      out_.Reject(line_, "OUT-801"_clause);
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  // OUT-811
  bool TakeProgress(std::string_view line) {
    const bool known = line.starts_with("Scanning for components of archive \"") ||
                       line.find(": start pass0 ... ") != std::string_view::npos ||
                       // Findings stand between the two halves of that line.
                       (line.starts_with("found ") && line.ends_with(" records")) ||
                       line.ends_with(": start pass1 (check temporal index)") ||
                       line.ends_with(": start pass2") || line.ends_with(": start pass3") ||
                       line.starts_with("Due to earlier errors, cannot continue") ||
                       (line.starts_with("Processed ") && (line.ends_with(" pmResult records") ||
                                                           line.ends_with(" <mark> records"))) ||
                       line.starts_with("Info: ");
    if (!known) return false;
    const std::size_t slash = line.rfind('/');
    const bool path = slash != std::string_view::npos;
    Set(&out_.Start(MakeRecord("progress", line_ + 1)), "text",
        path ? line.substr(slash + 1) : line);
    return true;
  }

  // OUT-821: lines below a counter that decreased.
  bool TakeWrap(std::string_view line) {
    Scan scan(line);
    Record* const record = out_.current();
    if (!scan.Take("\t") || record == nullptr || record->Find("clause") == nullptr) return false;
    if (record->Find("clause")->json != "\"OUT-821\"") return false;
    if (scan.Take("difference ")) {
      const auto number = PlainNumber(scan.rest());
      if (!number || record->Find("difference") != nullptr) return false;
      Set(record, "difference", *number);
      return true;
    }
    const bool second = record->Find("before") != nullptr;
    if (!scan.Take("value ") || record->Find("after") != nullptr) return false;
    const auto value = scan.TakeUntil(" at ");
    if (!value || !PlainNumber(*value)) return false;
    const auto stamp = TakeStamp(&scan);
    if (!stamp || !scan.AtEnd()) return false;
    Set(record, second ? "after" : "before", *PlainNumber(*value));
    SetTime(record, second ? "after_time" : "before_time", *stamp);
    return true;
  }

  Record& Find(Clause clause, std::string_view path, std::string_view message) {
    Record& record = out_.Start(MakeRecord("finding", line_ + 1));
    Set(&record, "clause", clause.ToString());
    if (!path.empty()) Set(&record, "file", BaseName(path));
    Set(&record, "message", message);
    return record;
  }

  bool TakeFinding(std::string_view line) {
    Scan scan(line);
    if (scan.Take("[after ")) {
      const auto time = scan.TakeUntil("]: pmFetch: error: ");
      if (!time) return false;
      Set(&Find("OUT-822"_clause, "", scan.rest()), "after_time", *time);
      return true;
    }
    if (scan.Take("pmlogcheck: cannot open archive \"")) {
      const auto path = scan.TakeUntil("\": ");
      if (!path) return false;
      SetError(&Find("OUT-802"_clause, *path, "cannot open archive"), scan.rest());
      return true;
    }
    if (scan.Take("pmlogcheck: no PCP archive files match \"")) {
      const auto path = scan.TakeUntil("\"");
      if (!path || !scan.AtEnd()) return false;
      Find("OUT-802"_clause, *path, "no PCP archive files match");
      return true;
    }
    if (line == "Checking abandoned." || line == "pmlogcheck: possibly corrupt archive?") {
      Find("OUT-802"_clause, "", line);
      return true;
    }
    if (scan.Take("Error: ")) {
      const std::size_t end = scan.rest().rfind(": ");
      if (end == std::string_view::npos) return false;
      Find("OUT-824"_clause, scan.rest().substr(0, end), scan.rest().substr(end + 2));
      return true;
    }
    return TakeAtTime(scan) || TakeAtPlace(scan) || TakeOfDescriptor(scan) || TakeOfFile(line);
  }

  // `A.V:[T]: TEXT`, `A.V:[T] NAME: TEXT`, `A.V:[T]: NAME[["I"]]: ... wrap` (OUT-819..821).
  bool TakeAtTime(Scan scan) {
    const auto path = scan.TakeUntil(":[");
    if (!path) return false;
    const auto stamp = TakeStamp(&scan);
    if (!stamp || !scan.Take("]")) return false;
    const std::string time = StampText(*stamp);
    if (scan.Take(": ")) {
      for (const Words& words : kBeginnings) {
        if (words.clause != "OUT-819"_clause || !scan.Take(words.text)) continue;
        scan.Take("prior timestamp: ");
        Record& record =
            Find(words.clause, *path, words.text.substr(0, words.text.find_first_of(",:")));
        Set(&record, "at", time);
        Set(&record, "than", scan.rest());
        return true;
      }
      for (const std::string_view wrap : {": signed 32-bit wrap", ": unsigned 32-bit wrap",
                                          ": signed 64-bit wrap", ": unsigned 64-bit wrap"}) {
        if (!scan.rest().ends_with(wrap)) continue;
        Record& record = Find("OUT-821"_clause, *path, wrap.substr(2));
        Set(&record, "at", time);
        SetMetric(scan.rest().substr(0, scan.rest().size() - wrap.size()), &record);
        return true;
      }
      return false;
    }
    if (!scan.Take(" ")) return false;
    for (const std::string_view words : kOfValues) {
      const std::size_t at = scan.rest().find(": " + std::string(words));
      if (at == std::string_view::npos) continue;
      Record& record = Find("OUT-820"_clause, *path, scan.rest().substr(at + 2));
      Set(&record, "at", time);
      SetMetric(scan.rest().substr(0, at), &record);
      return true;
    }
    return false;
  }

  // `NAME`, `NAME["I"]`
  static void SetMetric(std::string_view text, Record* record) {
    const std::size_t bracket = text.find('[');
    record->metric = text.substr(0, bracket);
    if (bracket == std::string_view::npos || !text.ends_with(']')) return;
    std::string_view name = text.substr(bracket + 1, text.size() - bracket - 2);
    if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) {
      name = name.substr(1, name.size() - 2);
    }
    Set(record, "name", name);
  }

  // `F[record R]: TEXT`, `A.index[entry N]: TEXT` (OUT-813, 816, 818).
  bool TakeAtPlace(Scan scan) {
    for (const std::string_view place : {"[record ", "[entry "}) {
      Scan ahead = scan;
      const auto path = ahead.TakeUntil(place);
      if (!path) continue;
      const auto number = ahead.TakeNumber();
      if (!number || !ahead.Take("]: ")) continue;
      const std::string text = NewWords(std::string(ahead.rest()));
      const Clause clause = ClauseOf(text);
      if (clause.empty()) return false;
      Record& record = Find(clause, *path, text);
      Set(&record, "place", std::string(place.substr(1)) + std::to_string(*number));
      return true;
    }
    return false;
  }

  static Clause ClauseOf(std::string_view text) {
    for (const Words& words : kBeginnings) {
      if (text.starts_with(words.text)) return words.clause;
    }
    return Clause();
  }

  // `A.meta: NAME [P]: TEXT` (OUT-817)
  bool TakeOfDescriptor(Scan scan) {
    const auto path = scan.TakeUntil(".meta: ");
    if (!path) return false;
    const auto name = scan.TakeUntil(" [");
    if (!name) return false;
    const auto pmid = scan.TakeUntil("]: ");
    if (!pmid) return false;
    for (const std::string_view words : kOfDescriptor) {
      if (!scan.rest().starts_with(words)) continue;
      Record& record = Find("OUT-817"_clause, std::string(*path) + ".meta", scan.rest());
      record.metric = *name;
      Set(&record, "pmid", *pmid);
      return true;
    }
    return false;
  }

  // `F: TEXT`, `F: label record: TEXT`
  bool TakeOfFile(std::string_view line) {
    for (std::size_t at = line.find(": "), tries = 0; at != std::string_view::npos && tries < 16;
         at = line.find(": ", at + 1), ++tries) {
      std::string text = NewWords(std::string(line.substr(at + 2)));
      Clause clause = ClauseOf(text);
      if (clause.empty() && text.starts_with("label record")) clause = "OUT-813"_clause;
      if (clause.empty()) continue;
      std::string size;
      if (const std::size_t of = text.find(" (of ");
          clause == "OUT-814"_clause && of != std::string::npos) {
        size = text.substr(of + 5, text.size() - of - 6);
        text.resize(of);
      }
      while (text.ends_with(' ')) text.pop_back();
      Record& record = Find(clause, line.substr(0, at), text);
      if (!size.empty()) Set(&record, "of", size);
      return true;
    }
    return false;
  }

  const Lines& lines_;
  const ParseOptions& options_;
  Collector out_;
  std::size_t line_ = 0;
};

}  // namespace

std::optional<Status> ParsePmlogcheck(const Lines& lines, const ParseOptions& options,
                                      const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output
