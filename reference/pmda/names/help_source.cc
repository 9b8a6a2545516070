// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/help_source.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tl/expected.hpp>
#include <unordered_set>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"

namespace pmproof::pmda {
namespace {

// The numbers of "253.0.1", as many as there are with "." between; what follows them is ignored.
// Numbers may have a sign, and those that are too large are cut to 32 bits, as with newhelp [Q].
struct NumericId {
  std::vector<std::uint32_t> parts{};
  bool doubtful = false;  // not just digits and dots, or a number out of its range
};

std::optional<std::uint32_t> TakeNumber(std::string_view& text) {
  std::size_t at = 0;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) ++at;
  const std::size_t first = at;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t number = 0;
  for (; at < text.size() && IsDigit(text[at]); ++at) {
    const int digit = text[at] - '0';
    number = number > (kMost - digit) / 10 ? kMost : number * 10 + digit;
  }
  if (at == first) return std::nullopt;
  text.remove_prefix(at);
  const auto bits = static_cast<std::uint64_t>(number);
  // The smallest number is one further from zero than the largest.
  if (negative) return static_cast<std::uint32_t>(number == kMost ? bits + 1 : ~bits + 1);
  return static_cast<std::uint32_t>(bits);
}

NumericId NumbersOf(std::string_view text) {
  NumericId id;
  constexpr std::size_t kMostParts = 3;
  std::string_view rest = text;
  while (id.parts.size() < kMostParts) {
    const auto number = TakeNumber(rest);
    if (!number) break;
    id.parts.push_back(*number);
    if (id.parts.size() == kMostParts || !rest.starts_with('.')) break;
    rest.remove_prefix(1);
  }
  std::string plain;
  for (const std::uint32_t part : id.parts)
    plain += (plain.empty() ? "" : ".") + std::to_string(part);
  id.doubtful = plain != text;
  return id;
}

std::uint32_t RawId(const HelpId& id) {
  return std::visit([](const auto& value) { return value.value; }, id);
}

bool IsIndom(const HelpId& id) { return std::holds_alternative<Indom>(id); }

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const NameTree& names,
         const HelpLimits& limits)
      : rest_(text), file_(file), names_(names), limits_(limits) {}

  HelpSource Run() {
    while (!rest_.empty()) TakePiece();
    FinishEntry();
    return std::move(source_);
  }

 private:
  enum class State { kOutside, kInEntry, kSkipping };

  // As newhelp reads: up to a newline or as much as fits, and of that up to a NUL byte.
  void TakePiece() {
    std::string_view piece = rest_.substr(0, limits_.line_bytes);
    if (const std::size_t newline = piece.find('\n'); newline != std::string_view::npos) {
      piece = piece.substr(0, newline + 1);
    }
    rest_.remove_prefix(piece.size());
    if (at_line_start_) ++line_;
    at_line_start_ = piece.ends_with('\n');
    piece = piece.substr(0, piece.find('\0'));
    if (piece.empty() || piece.starts_with('#')) return;
    if (piece.starts_with('@')) {
      // Of an entry that is cut, also the next one is lost [Q].
      if (state_ == State::kSkipping) {
        Report(1, "PMD-312"_clause, line_, "the entry after one that was cut is lost");
        state_ = State::kOutside;
        return;
      }
      FinishEntry();
      state_ = State::kInEntry;
      entry_.clear();
      entry_line_ = line_;
      piece = piece.substr(1);
      piece = SkipBlanks(piece);
      if (piece.empty()) {
        Report(1, "PMD-310"_clause, line_, "an entry without identifier is dropped");
        state_ = State::kOutside;
        return;
      }
    }
    if (state_ == State::kInEntry) Append(piece);
  }

  void Append(std::string_view piece) {
    const bool complete = piece.ends_with('\n');
    if (!complete) {
      Report(1, "PMD-312"_clause, line_,
             "a line longer than " + std::to_string(limits_.line_bytes - 1) +
                 " bytes, with a NUL byte, or without newline is split");
    }
    if (entry_.size() + piece.size() + (complete ? 0 : 1) <= limits_.entry_bytes) {
      entry_ += piece;
      if (!complete) entry_ += '\n';
      return;
    }
    Report(1, "PMD-312"_clause, line_,
           "the entry is longer than " + std::to_string(limits_.entry_bytes) + " bytes and is cut");
    entry_ += piece;
    entry_.resize(limits_.entry_bytes - 2, '\n');
    entry_ += '\n';
    FinishEntry();
    state_ = State::kSkipping;
  }

  void FinishEntry() {
    if (state_ != State::kInEntry) return;
    state_ = State::kOutside;
    const std::string_view entry = entry_;
    const std::size_t newline = entry.find('\n');
    const std::string_view first = entry.substr(0, newline);
    const std::string_view identifier = FirstWord(first);
    std::string_view full = entry.substr(newline + 1);
    while (full.ends_with('\n')) full.remove_suffix(1);
    const auto id = Identify(identifier);
    if (!id) return;
    // newhelp looks for a double only in the entry kept before, and not in the first [Q].
    if (source_.entries.size() > 1 && source_.entries.back().id == *id) {
      return Report(2, "PMD-312"_clause, entry_line_,
                    Printable(identifier) + " is that of the entry before: the entry is dropped");
    }
    if (!seen_.insert(std::uint64_t{IsIndom(*id)} << 32 | RawId(*id)).second) {
      Warn("PMD-312"_clause, Printable(identifier) + " has an entry already");
    }
    source_.entries.push_back({*id, std::string(identifier),
                               std::string(SkipBlanks(first.substr(identifier.size()))),
                               std::string(full)});
  }

  std::optional<HelpId> Identify(std::string_view identifier) {
    const NumericId numeric = NumbersOf(identifier);
    if (numeric.parts.size() < 2) return LookUp(identifier);
    HelpId id = Indom::Of(numeric.parts[0], numeric.parts[1]);
    bool doubtful = numeric.doubtful || numeric.parts[0] > kMostDomain;
    if (numeric.parts.size() == 3) {
      const Pmid pmid = Pmid::Of(numeric.parts[0], numeric.parts[1], numeric.parts[2]);
      id = pmid;
      doubtful |= pmid.cluster() != numeric.parts[1] || pmid.item() != numeric.parts[2];
    } else {
      doubtful |= std::get<Indom>(id).serial() != numeric.parts[1];
    }
    if (doubtful) {
      Warn("PMD-310"_clause, Printable(identifier) + " is taken for " + ToShown(id));
    }
    return id;
  }

  std::optional<HelpId> LookUp(std::string_view identifier) {
    const auto pmid = names_.Find(identifier);
    if (pmid) return *pmid;
    Report(2, "PMD-310"_clause, entry_line_,
           Printable(identifier) + (pmid.error() == ErrorCode::kNonLeaf
                                        ? " is not a metric but an inner node: the entry is dropped"
                                        : " is not a metric: the entry is dropped"));
    return std::nullopt;
  }

  static std::string ToShown(const HelpId& id) {
    return std::visit([](const auto& value) { return ToText(value); }, id);
  }

  void Report(int status, Clause clause, std::size_t line, std::string message) {
    source_.status = std::max(source_.status, status);
    AddDiagnosis({Diagnosis::Severity::kError, file_, line, clause, std::move(message)},
                 source_.problems);
  }
  void Warn(Clause clause, std::string message) {
    AddDiagnosis({Diagnosis::Severity::kWarning, file_, entry_line_, clause, std::move(message)},
                 source_.problems);
  }

  static constexpr std::uint32_t kMostDomain = 511;

  std::string_view rest_;
  const std::string& file_;
  const NameTree& names_;
  HelpLimits limits_;
  HelpSource source_;
  State state_ = State::kOutside;
  std::string entry_;
  std::size_t entry_line_ = 0;
  std::size_t line_ = 0;
  bool at_line_start_ = true;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

HelpSource ReadHelpSource(std::string_view text, const std::string& file, const NameTree& names,
                          const HelpLimits& limits) {
  return Reader(text, file, names, limits).Run();
}

}  // namespace pmproof::pmda
