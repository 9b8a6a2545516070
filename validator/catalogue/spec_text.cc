// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/spec_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "validator/catalogue/spec_files.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// The identifier that `text` begins with, if it stands alone there: "ARC-207 valfmt", not
// "ARC-207..9".
std::optional<Clause> LeadingClause(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t,:."), text.size());
  return Clause::Parse(text.substr(0, end));
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "| a | b \| c |" -> {"a", "b | c"}
std::vector<std::string> Cells(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  row.remove_prefix(1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += row[++i];
    } else if (row[i] == '|') {
      cells.emplace_back(Trimmed(cell));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
}

bool IsTableRow(std::string_view line) { return line.starts_with("|"); }
bool IsListItem(std::string_view line) { return line.starts_with("- ") || line.starts_with("* "); }
bool IsRuler(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of('-') == std::string_view::npos;
}
bool IsSources(std::string_view line) {
  return line.starts_with("Sources:") || line.starts_with("Verified:");
}

// Goes through the lines of one file and hands each clause to the map.
class Reader {
 public:
  Reader(std::string_view path, std::map<Clause, std::vector<SpecText::Excerpt>>& clauses)
      : file_(path.substr(path.rfind('/') + 1)), clauses_(clauses) {}

  void Read(std::string_view content) {
    while (!content.empty()) {
      const std::size_t end = std::min(content.find('\n'), content.size());
      ReadLine(content.substr(0, end));
      content.remove_prefix(std::min(end + 1, content.size()));
    }
    Close();
  }

 private:
  void ReadLine(std::string_view line) {
    if (line.starts_with("#")) {
      Close();
      heading_ = Trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())));
    } else if (IsRuler(line) || IsSources(line)) {
      Close();
    } else if (line.empty()) {
      header_.clear();
      in_paragraph_ = false;
      if (open_) pending_blank_ = true;
    } else if (IsTableRow(line)) {
      ReadTableRow(line);
    } else {
      header_.clear();
      ReadText(line);
    }
  }

  void ReadTableRow(std::string_view line) {
    const std::vector<std::string> cells = Cells(line);
    in_paragraph_ = false;
    if (header_.empty()) header_ = cells;
    const std::optional<Clause> clause =
        cells.empty() ? std::nullopt : LeadingClause(cells.front());
    if (!clause) {
      Add(std::string(line));
      return;
    }
    Close();
    SpecText::Excerpt excerpt{file_, heading_, {}};
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      excerpt.lines.push_back((i < header_.size() ? header_[i] + ": " : "") + cells[i]);
    }
    clauses_[*clause].push_back(std::move(excerpt));
  }

  void ReadText(std::string_view line) {
    const bool item = IsListItem(line);
    const std::string_view text = item ? Trimmed(line.substr(2)) : line;
    if (const std::optional<Clause> clause =
            in_paragraph_ && !item ? std::nullopt : LeadingClause(text)) {
      Close();
      open_ = &clauses_[*clause];
      open_->push_back({file_, heading_, {}});
      pending_blank_ = false;
      Add(std::string(text));
      in_paragraph_ = true;
      return;
    }
    const bool verbatim = line.starts_with("    ") && !in_paragraph_;
    if (in_paragraph_ && !item && open_ != nullptr) {
      open_->back().lines.back() += " " + std::string(Trimmed(line));
    } else {
      Add(std::string(line));
    }
    in_paragraph_ = !verbatim;
  }

  void Add(std::string line) {
    if (open_ == nullptr) return;
    std::vector<std::string>& lines = open_->back().lines;
    if (pending_blank_ && !lines.empty()) lines.emplace_back();
    pending_blank_ = false;
    lines.push_back(std::move(line));
  }

  void Close() {
    open_ = nullptr;
    pending_blank_ = false;
    in_paragraph_ = false;
  }

  std::string file_;
  std::map<Clause, std::vector<SpecText::Excerpt>>& clauses_;
  std::string heading_;
  std::vector<std::string> header_;                 // of the table that the line before belongs to
  std::vector<SpecText::Excerpt>* open_ = nullptr;  // of the clause that the last lines belong to
  bool in_paragraph_ = false;
  bool pending_blank_ = false;
};

std::string WithoutMarks(std::string_view line) {
  std::string text(line);
  for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at)) {
    text.erase(at, 2);
  }
  return text;
}

// The row "|---|:--|" under the heading of a table.
bool IsTableRuler(std::string_view row) {
  return row.find_first_not_of("|-: ") == std::string_view::npos &&
         row.find("--") != std::string_view::npos;
}

// The rows of a table with columns aligned and a line under the heading.
std::string Table(std::span<const std::string> rows, std::size_t width, std::size_t indent) {
  std::vector<std::vector<std::string>> cells;  // an empty row stands for the line
  std::vector<std::size_t> widths;
  for (const std::string& row : rows) {
    cells.emplace_back();
    if (IsTableRuler(row)) continue;
    for (const std::string& cell : Cells(row)) {
      cells.back().push_back(WithoutMarks(cell));
      widths.resize(std::max(widths.size(), cells.back().size()));
      std::size_t& widest = widths[cells.back().size() - 1];
      widest = std::max(widest, Columns(cells.back().back()));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    std::string line(indent, ' ');
    std::size_t column = indent;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = row.empty()      ? std::string(widths[i], '-')
                               : i < row.size() ? row[i]
                                                : "";
      const bool last = i + 1 == widths.size();
      const std::size_t room = std::max<std::size_t>(width, column + 30);
      if (last) {
        line += row.empty() ? cell.substr(0, room - column) : Wrap(cell, room, column);
      } else {
        line += cell + std::string(widths[i] - Columns(cell) + 2, ' ');
        column += widths[i] + 2;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace

SpecText SpecText::FromMarkdown(std::span<const File> files) {
  SpecText spec;
  for (const File& file : files) Reader(file.path, spec.clauses_).Read(file.content);
  return spec;
}

SpecText SpecText::Shipped() {
  std::vector<File> files;
  for (const EmbeddedFile& file : spec_files()) files.push_back({file.path, file.content});
  return FromMarkdown(files);
}

const std::vector<SpecText::Excerpt>& SpecText::Find(Clause clause) const {
  static const std::vector<Excerpt> kNone;
  const auto found = clauses_.find(clause);
  return found == clauses_.end() ? kNone : found->second;
}

std::string ForReading(const SpecText::Excerpt& excerpt, std::size_t width, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string text;
  for (std::size_t i = 0; i < excerpt.lines.size(); ++i) {
    const std::string& line = excerpt.lines[i];
    if (IsTableRow(line)) {
      const std::size_t first = i;
      while (i + 1 < excerpt.lines.size() && IsTableRow(excerpt.lines[i + 1])) ++i;
      text += Table(std::span(excerpt.lines).subspan(first, i - first + 1), width, indent);
    } else if (line.empty()) {
      text += '\n';
    } else if (line.starts_with("    ")) {
      text += margin + line + '\n';
    } else {
      const std::size_t hanging = IsListItem(line) ? 2 : 0;
      text += margin + (hanging > 0 ? "- " : "") +
              Wrap(WithoutMarks(line.substr(hanging)), width, indent + hanging) + '\n';
    }
  }
  return text;
}

}  // namespace pmproof::validator
