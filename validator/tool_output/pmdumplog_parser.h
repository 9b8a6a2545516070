// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_PMDUMPLOG_PARSER_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_PMDUMPLOG_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "validator/tool_output/collector.h"
#include "validator/tool_output/parser.h"

namespace pmproof::validator::tool_output {

// Reads what pmdumplog prints (section 4), a line at a time: the headings say what the lines below
// them are.
class PmdumplogParser {
 public:
  PmdumplogParser(const Lines& lines, const ParseOptions& options, const Sink& sink)
      : lines_(lines), options_(options), out_(lines, sink), days_(options.start) {}

  std::optional<Status> Run();

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

  // "60.0.1", without what follows.
  static std::string_view TakeIdentifier(Scan* scan);
  Clause SectionClause() const;
  void Note(std::string_view text);
  bool Begin(Section section);
  bool TakeHeading(std::string_view line);
  // OUT-409: `STAMP N metric[s]`, `STAMP  <mark>`, with -s `[N bytes]` before it.
  bool TakeRecordHeading(std::string_view line);
  bool AfterEmpty() const;
  bool TakeLine(std::string_view line);
  // OUT-408
  bool TakeIndex(std::string_view line);
  // OUT-411
  bool TakeRaw(std::string_view line);
  // A record at the time of the one before whose heading that was.
  Record Timed(std::string_view kind) const;
  bool TakeDescriptor(std::string_view line);
  // OUT-404
  bool TakeLabels(std::string_view line);
  void SetLevel(Record* record) const;
  bool TakeLabel(Scan scan);
  // OUT-405: a text goes on to the next heading of one.
  bool TakeText(std::string_view line);
  // OUT-406, OUT-407
  bool TakeInstances(std::string_view line);
  // OUT-422, OUT-423
  bool TakeData(std::string_view line);
  bool AddValue(Record record, Item item, std::string_view text);
  bool AddItem(Item item, std::string_view text);
  bool TakeEventHeading(Scan scan, const Record& at);
  static void SetInstance(const Item& item, Record* record);
  bool TakeDetail(Scan scan);
  bool TakeEvent(Scan scan);

  const Lines& lines_;
  const ParseOptions& options_;
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

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_PMDUMPLOG_PARSER_H_
