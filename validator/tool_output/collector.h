// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COLLECTOR_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COLLECTOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "validator/tool_output/emit.h"
#include "validator/tool_output/record.h"

namespace pmproof::validator::tool_output {

// Makes records of lines that come one after the other: a record is handed on when the next one
// starts. Knows of texts that go on in further lines (OUT-104): what fits no rule after a text is
// part of it, if a quote ends it before the next empty line. A resource of its parser.
class Collector {
 public:
  // `lines` and `sink` outlive it.
  Collector(const Lines& lines, const Sink& sink);
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  Record& Start(Record record);
  Record* current() { return current_ ? &*current_ : nullptr; }
  void Flush();
  // Forgets the record and its items.
  void Drop() {
    current_.reset();
    has_text_ = open_ = false;
  }

  // A line of an archive's label, which is a record of its own (OUT-505, OUT-823). `start`: the
  // time if the line says it.
  bool TakeLabel(std::string_view line, std::size_t number, std::optional<Stamp>* start = nullptr);

  // Adds an item with a value as MET-502..504 print it. False, and nothing is added, if the text is
  // no such value. `line` is an index.
  bool AddValue(Item item, std::string_view text, std::size_t line);
  // Adds an item that has its value.
  void Add(Item item);

  // True if the line belongs to a text that is still open.
  bool TakesWithin(std::size_t line);
  // The same of a line that no rule fits.
  bool TakesBehind(std::size_t line);
  void Reject(std::size_t line, Clause clause);

 private:
  bool IsText(std::string_view text) const;
  void EndValue();

  const Lines& lines_;
  const Sink& sink_;
  std::vector<std::uint32_t> next_quote_;  // the first line from here on that ends with a quote
  std::vector<std::uint32_t> next_empty_;
  std::optional<Record> current_;
  bool has_text_ = false;  // the last item's value is `text_`, not yet read
  bool open_ = false;
  std::string text_;
};

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COLLECTOR_H_
