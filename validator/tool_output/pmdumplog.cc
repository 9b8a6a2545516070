#include <string>
#include <unordered_map>
#include <utility>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/printed_value.h"

// Section 4 of the specification.

namespace pmproof::validator::tool_output {
namespace {

// "60.0.1", without what follows.
std::string_view TakeIdentifier(Scan* scan) {
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

class Parser {
 public:
  Parser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), out_(lines, sink), days_(options.start) {}

  std::optional<Status> Run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      line_ = i;
      const std::string_view line = lines_[i];
      if (out_.TakesWithin(i)) continue;
      if (const auto note = ReadZoneNote(line)) {
        if (!note->utc) return OtherZone(i + 1, line);
        Note(line);
        continue;
      }
      if (TakeHeading(line) || TakeLine(line) || out_.TakesBehind(i)) continue;
      out_.Reject(i, SectionClause());
    }
    out_.Flush();
    return std::nullopt;
  }

 private:
  enum class Section {
    kLabel,
    kDescriptors,
    kLabels,
    kText,
    kOnDisk,
    kIndoms,
    kIndex,
    kData,
    kRaw
  };

  Clause SectionClause() const {
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
      default:
        return "OUT-409"_clause;
    }
  }

  void Note(std::string_view text) {
    Set(&out_.Start(MakeRecord("note", line_ + 1)), "text", text);
  }

  bool Begin(Section section) {
    out_.Flush();
    section_ = section;
    days_.Restart();
    return true;
  }

  bool TakeHeading(std::string_view line) {
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
    if (line.starts_with("Note: ") ||
        (line.starts_with("--- archive ") && line.ends_with(" ---"))) {
      Note(line);
      return true;
    }
    return TakeRecordHeading(line);
  }

  // OUT-409: `STAMP N metric[s]`, `STAMP  <mark>`, with -s `[N bytes]` before it.
  bool TakeRecordHeading(std::string_view line) {
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

  bool AfterEmpty() const { return line_ == 0 || lines_[line_ - 1].empty(); }

  bool TakeLine(std::string_view line) {
    switch (section_) {
      case Section::kText:
        return TakeText(line);
      case Section::kData:
        return line.empty() || TakeData(line);
      case Section::kRaw:
        return TakeRaw(line);
      default:
        break;
    }
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
      default:
        return TakeIndex(line);
    }
  }

  bool TakeDescriptor(std::string_view line) {
    Scan scan(line);
    if (scan.Take("PMID: ")) {
      const std::string_view pmid = TakeIdentifier(&scan);
      if (pmid.empty() || !scan.Take(" (") || !scan.rest().ends_with(')')) return false;
      Record& record = out_.Start(MakeRecord("descriptor", line_ + 1));
      SetNames(scan.rest().substr(0, scan.rest().size() - 1), &record);
      Set(&record, "pmid", pmid);
      return true;
    }
    Record* const record = out_.current();
    if (record == nullptr || record->kind != "descriptor" || !ReadDescriptorLine(line, record)) {
      return false;
    }
    if (const Attribute* type = record->Find("type"); type && !record->Find("semantics")) {
      types_[record->Find("pmid")->json] = type->json.substr(1, type->json.size() - 2);
    }
    return true;
  }

  // OUT-404
  bool TakeLabels(std::string_view line) {
    Scan scan(line);
    if (const auto stamp = TakeStamp(&scan); stamp && scan.AtEnd()) {
      out_.Flush();
      time_ = Record();
      days_.Place(*stamp, &time_);
      return true;
    }
    if (scan.Take("        [")) return TakeLabel(scan);
    static constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
        {"    Context", "context"},
        {"    Domain ", "domain"},
        {"    Cluster ", "cluster"},
        {"    PMID ", "item"},
        {"    InDom ", "indom"}};
    for (const auto& [words, level] : kLevels) {
      if (!scan.Take(words)) continue;
      Record record = Timed("labels");
      const std::string_view of = TakeIdentifier(&scan);
      std::optional<std::int64_t> instance;
      if (scan.Take("[")) {
        instance = scan.TakeNumber<std::int64_t>();
        if (!instance || !scan.Take("]")) return false;
      }
      if (!scan.Take(" labels (") || !scan.TakeNumber() || !scan.Take(" bytes): ")) return false;
      level_ = instance ? "instance" : level;
      of_ = of;
      instance_ = instance;
      SetLevel(&record);
      Set(&record, "json", scan.rest());
      out_.Start(std::move(record));
      return true;
    }
    return false;
  }

  void SetLevel(Record* record) const {
    Set(record, "level", level_);
    if (!of_.empty()) Set(record, "of", of_);
    if (instance_) Set(record, "instance", *instance_);
  }

  bool TakeLabel(Scan scan) {
    const auto index = scan.TakeNumber();
    if (!index || !scan.Take("] name(") || level_.empty()) return false;
    const auto name_offset = scan.TakeNumber();
    if (!name_offset || !scan.Take(",")) return false;
    const auto name_length = scan.TakeNumber();
    if (!name_length || !scan.Take(") : value(")) return false;
    const auto value_offset = scan.TakeNumber();
    if (!value_offset || !scan.Take(",")) return false;
    const auto value_length = scan.TakeNumber();
    if (!value_length || !scan.Take(") [") || !scan.rest().ends_with(']')) return false;
    Record& record = out_.Start(Timed("label"));
    SetLevel(&record);
    Set(&record, "index", *index);
    Set(&record, "name_offset", *name_offset);
    Set(&record, "name_length", *name_length);
    Set(&record, "value_offset", *value_offset);
    Set(&record, "value_length", *value_length);
    Set(&record, "flags", scan.rest().substr(0, scan.rest().size() - 1));
    return true;
  }

  // OUT-405: a text goes on to the next heading of one.
  bool TakeText(std::string_view line) {
    Scan scan(line);
    const bool metric = scan.Take("PMID: ");
    if (metric || scan.Take("InDom: ")) {
      const std::string_view identifier = TakeIdentifier(&scan);
      const bool line_form = scan.Take(" [") && scan.rest().ends_with(']');
      if (!identifier.empty() && (line_form || scan.AtEnd())) {
        Record& record = out_.Start(MakeRecord("text", line_ + 1));
        Set(&record, metric ? "pmid" : "indom", identifier);
        Set(&record, "form", line_form ? "oneline" : "full");
        in_text_ = !line_form;
        if (line_form) Set(&record, "text", scan.rest().substr(0, scan.rest().size() - 1));
        return true;
      }
    }
    if (!in_text_) return line.empty();
    Record* const record = out_.current();
    if (record == nullptr || record->kind != "text") return line.empty();
    if (record->Find("text") == nullptr) Set(record, "text", "");
    std::string& json = record->attributes.back().json;
    json.pop_back();
    const std::string quoted = QuotedJson(line);
    if (json.size() > 1) json += "\\n";
    json.append(quoted, 1);
    return true;
  }

  // OUT-406, OUT-407
  bool TakeInstances(std::string_view line) {
    Scan scan(line);
    if (section_ == Section::kIndoms && scan.Take("InDom: ")) {
      out_.Flush();
      indom_ = TakeIdentifier(&scan);
      days_.Restart();
      return !indom_.empty() && scan.AtEnd();
    }
    if (const auto stamp = TakeStamp(&scan)) {
      std::string_view indom = indom_;
      bool delta = false;
      if (section_ == Section::kOnDisk) {
        if (!scan.Take(" InDom: ")) return false;
        indom = TakeIdentifier(&scan);
        delta = scan.Take(" delta");
      }
      if (indom.empty() || !scan.Take(" ") || !scan.TakeNumber() || !scan.Take(" instance")) {
        return false;
      }
      if (!scan.AtEnd() && scan.rest() != "s") return false;
      Record& record = out_.Start(MakeRecord("instances", line_ + 1));
      days_.Place(*stamp, &record);
      Set(&record, "indom", indom);
      if (section_ == Section::kOnDisk) SetTrue(&record, "on_disk");
      if (delta) SetTrue(&record, "delta");
      record.list = "instances";
      return true;
    }
    Record* const record = out_.current();
    if (record == nullptr || record->list != "instances" || !scan.Take("   ")) return false;
    Item item;
    item.removed = scan.Take("del ");
    if (!item.removed) scan.Take("add ");
    item.instance = scan.TakeNumber<std::int64_t>();
    item.has_instance = true;
    if (!item.instance) return false;
    if (item.removed) {
      if (!scan.AtEnd()) return false;
      out_.Add(std::move(item));
      return true;
    }
    if (!scan.Take(" or ") || !scan.rest().starts_with('"')) return false;
    if (IsOpenString(scan.rest())) return false;
    item.name = std::string(scan.rest().substr(1, scan.rest().size() - 2));
    out_.Add(std::move(item));
    return true;
  }

  // OUT-408
  bool TakeIndex(std::string_view line) {
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

  // OUT-411
  bool TakeRaw(std::string_view line) {
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

  // A record at the time of the one before whose heading that was.
  Record Timed(std::string_view kind) const {
    Record record = MakeRecord(kind, line_ + 1);
    record.has_time = time_.has_time;
    record.time = time_.time;
    record.clock = time_.clock;
    record.digits = time_.digits;
    return record;
  }

  // OUT-422, OUT-423
  bool TakeData(std::string_view line) {
    Scan scan(line);
    if (scan.Take("        ")) return TakeDetail(scan);
    if (!time_.has_time || !scan.Take("    ")) return false;
    const std::string_view pmid = TakeIdentifier(&scan);
    if (pmid.empty()) return false;
    Record record = Timed("");
    record.metric = pmid;
    Set(&record, "pmid", pmid);
    if (scan.Take(" (")) {
      if (TakeEventHeading(scan, record)) return true;
      const auto names = scan.TakeUntil("):");
      if (!names) return false;
      if (!names->empty()) SetNames(*names, &record);
    } else if (!scan.Take(":")) {
      return false;
    }
    record.has_status = true;
    record.status = 0;
    record.list = "values";
    if (scan.AtEnd() || scan.rest() == " No values returned!") {
      out_.Start(std::move(record));
      return true;
    }
    if (!scan.Take(" ")) return false;
    Item item;
    const bool has_value = scan.Take("value ");
    Scan inst = scan;
    if (!has_value && inst.Take("inst ") && TakeInstance(&inst, " value ", &item)) {
      return AddValue(std::move(record), std::move(item), inst.rest());
    }
    if (!has_value) {
      SetError(&record, scan.rest());
      out_.Start(std::move(record));
      return true;
    }
    item.has_instance = true;  // singular
    return AddValue(std::move(record), std::move(item), scan.rest());
  }

  bool AddValue(Record record, Item item, std::string_view text) {
    out_.Start(std::move(record));
    if (AddItem(std::move(item), text)) return true;
    out_.Drop();
    return false;
  }

  bool AddItem(Item item, std::string_view text) {
    const auto type = types_.find(out_.current()->Find("pmid")->json);
    if (type != types_.end()) item.type = type->second;
    return out_.AddValue(std::move(item), text, line_);
  }

  bool TakeEventHeading(Scan scan, const Record& at) {
    const std::size_t end = scan.rest().rfind("): ");
    if (end == std::string_view::npos) return false;
    std::string_view name = scan.rest().substr(0, end);
    Scan heading(scan.rest().substr(end + 3));
    std::uint64_t missed = 0;
    std::optional<std::uint64_t> count = 0;
    if (heading.rest() != "No event records") {
      count = heading.TakeNumber();
      if (!count) return false;
      if (heading.Take(" (and ")) {
        const auto number = heading.TakeNumber();
        if (!number || !heading.Take(" missed)")) return false;
        missed = *number;
      }
      if (!heading.Take(" event record") || (!heading.AtEnd() && heading.rest() != "s")) {
        return false;
      }
    }
    Item item;
    item.has_instance = true;
    if (const std::size_t bracket = name.find('['); bracket != std::string_view::npos) {
      const std::string instance = std::string(name.substr(bracket)) + ";";
      Scan of(instance);
      if (!TakeInstance(&of, ";", &item)) return false;
      name = name.substr(0, bracket);
    }
    Record record = at;
    record.kind = "events";
    if (!name.empty()) SetNames(name, &record);
    SetInstance(item, &record);
    event_ = record;
    Set(&record, "records", *count);
    if (missed > 0) Set(&record, "missed", missed);
    out_.Start(std::move(record));
    return true;
  }

  static void SetInstance(const Item& item, Record* record) {
    if (item.instance) {
      Set(record, "instance", *item.instance);
    } else {
      record->attributes.push_back({"instance", "null"});
    }
    if (item.name) Set(record, "name", *item.name);
  }

  bool TakeDetail(Scan scan) {
    Record* const current = out_.current();
    if (current == nullptr) return false;
    if (current->kind.empty()) {
      Item item;
      if (!scan.Take("inst ") || !TakeInstance(&scan, " value ", &item)) return false;
      return AddItem(std::move(item), scan.rest());
    }
    if (current->kind != "events" && current->kind != "event") return false;
    if (scan.Take("--- event record [")) return TakeEvent(scan);
    if (current->kind != "event") return false;
    if (scan.Take("==> ")) {
      const auto missed = scan.TakeNumber();
      if (!missed || scan.rest() != " missed event records") return false;
      Set(current, "missed", *missed);
      return true;
    }
    if (scan.rest() == "No parameters") return true;
    Item item;
    item.pmid = TakeIdentifier(&scan);
    if (scan.Take(": pmLookupDesc: ")) {
      item.state = scan.rest();
      out_.Add(std::move(item));
      return true;
    }
    if (item.pmid.empty() || !scan.Take(" (")) return false;
    const auto name = scan.TakeUntil("): value ");
    if (!name) return false;
    item.metric = *name;
    return out_.AddValue(std::move(item), scan.rest(), line_);
  }

  bool TakeEvent(Scan scan) {
    const auto index = scan.TakeNumber();
    if (!index || !scan.Take("] timestamp ")) return false;
    const auto stamp = TakeStamp(&scan);
    if (!stamp || !scan.Take(" flags 0x")) return false;
    const auto flags = scan.TakeNumber<std::uint32_t>(16);
    if (!flags || !scan.rest().ends_with(" ---")) return false;
    Record record = event_;
    record.kind = "event";
    record.line = line_ + 1;
    Set(&record, "index", *index);
    Set(&record, "at", ClockTextOf(*stamp));
    Set(&record, "flags", *flags);
    record.list = "parameters";
    out_.Start(std::move(record));
    return true;
  }

  const Lines& lines_;
  Collector out_;
  Days days_;
  Section section_ = Section::kLabel;
  std::size_t line_ = 0;
  std::optional<std::uint64_t> bytes_;
  Record time_;   // of the record or change whose lines these are
  Record event_;  // of the event array
  std::string level_, of_;
  std::optional<std::int64_t> instance_;
  std::string indom_;
  bool in_text_ = false;
  std::unordered_map<std::string, std::string> types_;  // by the PMID in JSON
};

}  // namespace

std::optional<Status> ParsePmdumplog(const Lines& lines, const ParseOptions& options,
                                     const Sink& sink) {
  return Parser(lines, options, sink).Run();
}

}  // namespace pmproof::validator::tool_output
