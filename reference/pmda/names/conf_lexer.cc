// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/conf_lexer.h"

#include <algorithm>
#include <utility>

#include "reference/pmda/names/characters.h"
#include "reference/pmda/names/pmcd_conf.h"

namespace pmproof::pmda {
namespace {

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool IsMark(char c) { return c == ',' || c == ':' || c == ';' || c == '[' || c == ']'; }

// `\#` and `\"`.
bool IsEscape(std::string_view text, std::size_t at) {
  return text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '#' || text[at + 1] == '"');
}

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

void ConfLexer::Break(std::string why) {
  why_ = std::move(why);
  rest_ = {};
  logical_.clear();
  at_ = 0;
}

bool ConfLexer::ReadLine() {
  logical_.clear();
  at_ = 0;
  if (rest_.empty()) return false;
  line_ = lines_;
  bool more = true;
  while (more && !rest_.empty()) {
    std::string_view part = rest_.substr(0, kMaxConfLine + 1);
    const std::size_t newline = part.find('\n');
    if (newline == std::string_view::npos && part.size() > kMaxConfLine) break;
    part = part.substr(0, newline);
    rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
    ++lines_;
    more = part.ends_with('\\');
    logical_ += part;
    if (more) logical_.back() = ' ';
    if (logical_.size() > kMaxConfLine) break;
    if (!more || rest_.empty()) {
      if (logical_.find('\0') == std::string::npos) return true;
      Break("a NUL byte");
      return false;
    }
  }
  Break("a line longer than " + std::to_string(kMaxConfLine) +
        " bytes, with those that continue it");
  return false;
}

ConfWord ConfLexer::NextWord(bool marks) {
  const std::string_view text = logical_;
  while (at_ < text.size() && IsBlank(text[at_])) ++at_;
  if (at_ == text.size() || text[at_] == '#') {
    at_ = text.size();
    return {.line = line_};
  }
  ConfWord word{ConfWord::Kind::kWord, "", line_};
  if (marks && IsMark(text[at_])) {
    word.kind = ConfWord::Kind::kMark;
    word.text = text[at_++];
    return word;
  }
  const bool quoted = text[at_] == '"';
  if (quoted) ++at_;
  for (; at_ < text.size(); ++at_) {
    if (IsEscape(text, at_)) {
      word.text += text[++at_];
      continue;
    }
    const char c = text[at_];
    if (quoted && c == '"') {
      ++at_;
      return word;
    }
    if (!quoted && (IsBlank(c) || c == '#' || (marks && IsMark(c)))) break;
    word.text += c;
  }
  if (quoted) {
    Break("a quote that is not closed");
    return {.line = line_};
  }
  return word;
}

std::vector<ConfWord> ConfLexer::NextLine() {
  while (ReadLine()) {
    if (SkipBlanks(logical_).starts_with('[')) return {};
    std::vector<ConfWord> words;
    for (ConfWord word = NextWord(false); word.kind != ConfWord::Kind::kEnd;
         word = NextWord(false)) {
      words.push_back(std::move(word));
    }
    if (broken()) return {};
    if (!words.empty()) return words;
  }
  return {};
}

ConfWord ConfLexer::NextInAccess() {
  while (true) {
    ConfWord word = NextWord(true);
    if (word.kind != ConfWord::Kind::kEnd) return word;
    if (broken() || !ReadLine()) return {.line = line_};
  }
}

}  // namespace pmproof::pmda
