// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_EMIT_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_EMIT_H_

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "validator/tool_output/parser.h"
#include "validator/tool_output/record.h"
#include "validator/tool_output/scan.h"
#include "validator/tool_output/stamp.h"

// What the parsers of all tools share.

namespace pmproof::validator::tool_output {

std::string QuotedJson(std::string_view text);

void Set(Record* record, std::string_view name, std::string_view text);
inline void Set(Record* record, std::string_view name, const std::string& text) {
  Set(record, name, std::string_view(text));
}
inline void Set(Record* record, std::string_view name, const char* text) {
  Set(record, name, std::string_view(text));
}
template <typename Number>
requires std::integral<Number>
void Set(Record* record, std::string_view name, Number number) {
  record->attributes.push_back({std::string(name), std::to_string(number)});
}
void SetTrue(Record* record, std::string_view name);
void SetTime(Record* record, std::string_view name, const Stamp& stamp);

Record MakeRecord(std::string_view kind, std::size_t line);
Record MakeValues(std::string_view metric, std::size_t line);
Record Unparsed(std::size_t line, Clause clause, std::string_view text);

// A record that says the error whose text the tool printed (OUT-105).
void SetError(Record* record, std::string_view text);

// `[N or "I"]`, `[N or ???]` and `[N]` (OUT-310, OUT-422); what follows stays. The name ends at the
// last
// `"] ` that `then` follows, for it may hold any characters.
bool TakeInstance(Scan* scan, std::string_view then, Item* item);

// One event of an array: a record of its own, of the metric, time and instance of `values`.
Record MakeEvent(const Record& values, std::size_t line, std::uint64_t index, const Stamp& stamp,
                 std::uint32_t flags);
// ` flags 0xH (F) ---`, or ` ---` of an event without any: the flags (OUT-221, OUT-311, OUT-423).
std::optional<std::uint32_t> TakeEventFlags(Scan* scan);
// `N] timestamp STAMP` and the flags (OUT-311, OUT-423).
std::optional<Record> ReadEventLine(Scan scan, const Record& values, std::size_t line);

// "a or b" -> the first is the metric, all are its names.
void SetNames(std::string_view names, Record* record);

// `InDom: X 0xH`: null, or the text.
void SetIndom(std::string_view text, Record* record);

// The two lines of a descriptor (MET-135), the first of which may stand alone. False if the line is
// neither.
bool ReadDescriptorLine(std::string_view line, Record* record);
// "32-bit int" -> "32"; empty for what is not a type.
std::string_view TypeOfLongText(std::string_view text);

// Lines of a label (OUT-401, OUT-402, OUT-505): the first begins a record, the others go into it.
bool ReadLabelLine(std::string_view line, Record* record, std::optional<Stamp>* start);

// OUT-102: `Note: timezone set to ...`. Nothing if the line is not a note of a time zone.
struct ZoneNote {
  std::optional<Status> refused;  // it is another zone than the one that times are read in
};
std::optional<ZoneNote> ReadZoneNote(std::string_view line, std::size_t number,
                                     const ParseOptions& options);
Status Refusal(Clause clause, std::size_t line, std::string_view message);

using Lines = std::vector<std::string_view>;

std::optional<Status> ParsePmdumplog(const Lines& lines, const ParseOptions& options,
                                     const Sink& sink);
std::optional<Status> ParsePmval(const Lines& lines, const ParseOptions& options, const Sink& sink);
std::optional<Status> ParsePminfo(const Lines& lines, const ParseOptions& options,
                                  const Sink& sink);
std::optional<Status> ParsePmrep(const Lines& lines, const ParseOptions& options, const Sink& sink);
std::optional<Status> ParsePmlogsummary(const Lines& lines, const ParseOptions& options,
                                        const Sink& sink);
std::optional<Status> ParsePmprobe(const Lines& lines, const ParseOptions& options,
                                   const Sink& sink);
std::optional<Status> ParsePmlogcheck(const Lines& lines, const ParseOptions& options,
                                      const Sink& sink);
std::optional<Status> ParsePmlogsize(const Lines& lines, const ParseOptions& options,
                                     const Sink& sink);
std::optional<Status> ParsePmstat(const Lines& lines, const ParseOptions& options,
                                  const Sink& sink);

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_EMIT_H_
