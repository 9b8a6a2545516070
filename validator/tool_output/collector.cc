// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/collector.h"

#include <utility>

#include "validator/tool_output/printed_value.h"

namespace pmproof::validator::tool_output {

Collector::Collector(const Lines& lines, const Sink& sink)
    : lines_(lines), sink_(sink), next_quote_(lines.size() + 1), next_empty_(lines.size() + 1) {
  const auto end = static_cast<std::uint32_t>(lines.size());
  next_quote_.back() = next_empty_.back() = end;
  for (std::uint32_t i = end; i-- > 0;) {
    next_quote_[i] = lines[i].ends_with('"') ? i : next_quote_[i + 1];
    next_empty_[i] = lines[i].empty() ? i : next_empty_[i + 1];
  }
}

Record& Collector::Start(Record record) {
  Flush();
  current_ = std::move(record);
  return *current_;
}

void Collector::Flush() {
  EndValue();
  if (current_) sink_(std::move(*current_));
  current_.reset();
}

// A string, not a block of bytes that are shown as one too.
bool Collector::IsText(std::string_view text) const {
  Item item;
  return text.starts_with('"') && (!ReadPrintedValue(text, &item) || item.type == "string");
}

bool Collector::AddValue(Item item, std::string_view text, std::size_t line) {
  if (!current_) return false;
  if (IsText(text)) {
    const bool open = IsOpenString(text);
    if (open && next_quote_[line + 1] == lines_.size()) return false;
    EndValue();
    current_->items.push_back(std::move(item));
    has_text_ = true;
    open_ = open;
    text_ = text;
    return true;
  }
  if (!ReadPrintedValue(text, &item)) return false;
  Add(std::move(item));
  return true;
}

void Collector::Add(Item item) {
  EndValue();
  current_->items.push_back(std::move(item));
}

bool Collector::TakeLabel(std::string_view line, std::size_t number, std::optional<Stamp>* start) {
  Scan scan(line);
  if (scan.Take("Log Label (Log Format Version ")) {
    const auto format = scan.TakeNumber();
    if (!format || scan.rest() != ")") return false;
    Set(&Start(MakeRecord("archive", number)), "format", *format);
    return true;
  }
  std::optional<Stamp> stamp;
  if (!current_ || current_->kind != "archive") return false;
  if (!ReadLabelLine(line, &*current_, &stamp)) return false;
  if (start != nullptr) *start = stamp;
  return true;
}

bool Collector::TakesWithin(std::size_t line) {
  if (!open_) return false;
  text_ += '\n';
  text_ += lines_[line];
  open_ = !lines_[line].ends_with('"');
  return true;
}

bool Collector::TakesBehind(std::size_t line) {
  if (!has_text_ || next_quote_[line] >= next_empty_[line]) return false;
  open_ = true;
  return TakesWithin(line);
}

void Collector::Reject(std::size_t line, Clause clause) {
  Flush();
  sink_(Unparsed(line + 1, clause, lines_[line]));
}

void Collector::EndValue() {
  if (!has_text_) return;
  Item& item = current_->items.back();
  const std::string type = std::move(item.type);
  ReadPrintedValue(text_, &item);
  if (!type.empty()) item.type = type;
  has_text_ = open_ = false;
}

}  // namespace pmproof::validator::tool_output
