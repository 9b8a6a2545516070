// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/lexer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pmproof::agent_script {
namespace {

constexpr std::string_view kKeywords[] = {
    "?",        "add",      "all",       "attr",   "children", "close",     "cluster", "context",
    "debug",    "delete",   "desc",      "domain", "dso",      "exit",      "fetch",   "getdesc",
    "getiname", "help",     "indom",     "inet",   "instance", "instances", "ipv6",    "item",
    "label",    "name",     "namespace", "none",   "off",      "on",        "open",    "pipe",
    "pmid",     "profile",  "q",         "quit",   "socket",   "status",    "store",   "text",
    "timer",    "traverse", "unix",      "wait",   "watch"};

constexpr std::size_t kMostColumns = 4096;  // that a caret is put under

bool IsDigit(int c) { return c >= '0' && c <= '9'; }
bool IsLetter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsBlank(int c) { return c == ' ' || c == '\t' || c == '\r'; }

// Decimal, or hexadecimal after 0x. Numbers that are too large are what C's conversion makes of
// them, in 32 bits.
std::uint32_t Value(std::string_view digits, unsigned base) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(c - '0');
    if (value > (std::uint64_t{INT64_MAX} - digit) / base) return 0xffffffff;
    value = value * base + digit;
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

bool IsNameCharacter(int c) {
  return IsLetter(c) || IsDigit(c) || c == '_' || c == '.' || c == '/' || c == ':' || c == '-';
}

bool IsKeyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

int Lexer::Read() {
  if (last_ == '\n') {
    columns_.clear();
    if (at_ < script_.size()) ++line_;
  }
  if (at_ == script_.size()) {
    if (last_ == '\n') last_ = '\0';
    return kNothing;
  }
  last_ = script_[at_++];
  if (last_ != '\n' && columns_.size() < kMostColumns) columns_ += last_ == '\t' ? '\t' : ' ';
  if (echo_) echo_(last_);
  return static_cast<unsigned char>(last_);
}

int Lexer::Peek(std::size_t ahead) {
  while (pending_.size() - taken_ <= ahead) {
    const int c = Read();
    if (c == kNothing) return kNothing;
    pending_ += static_cast<char>(c);
  }
  return static_cast<unsigned char>(pending_[taken_ + ahead]);
}

std::string Lexer::Take(std::size_t count) {
  std::string taken = pending_.substr(taken_, count);
  taken_ += count;
  if (taken_ == pending_.size()) {
    pending_.clear();
    taken_ = 0;
  }
  return taken;
}

void Lexer::SkipLine() {
  while (last_ != '\n' && Read() != kNothing) {
  }
}

Token Lexer::Scan(bool path) {
  for (;;) {
    const int c = Peek(0);
    if (c == kNothing) return {};
    if (IsBlank(c)) {
      Take(1);
      continue;
    }
    if (c == '\n') {
      Take(1);
      return {.kind = Token::Kind::kNewline};
    }
    if (c == '#') {
      std::size_t size = 1;
      while (Peek(size) != '\n' && Peek(size) != kNothing) ++size;
      if (Peek(size) == '\n') {
        Take(size + 1);
        return {.kind = Token::Kind::kNewline};
      }
    } else if (c == '"' || c == '\'') {
      // Where a path may stand, a word that goes on after the quote is one.
      const std::size_t text = TextSize();
      if (path && WordSize() > text) return File();
      if (text != 0 && Peek(text - 1) == '\n') {
        Take(text);
        report_(std::string("Expected ") + static_cast<char>(c));
        continue;
      }
      if (text != 0) return {.kind = Token::Kind::kText, .text = Take(text).substr(1, text - 2)};
    } else if (path) {
      return File();
    } else if (IsLetter(c)) {
      return Word();
    } else if (IsDigit(c) || (c == '-' && IsDigit(Peek(1)))) {
      return Number();
    } else if (c == '-' && IsLetter(Peek(1))) {
      Take(1);
      Token flag = Word();
      flag.kind = Token::Kind::kFlag;
      return flag;
    } else if (c == '$' && IsLetter(Peek(1))) {
      Take(1);
      Token name = Word();
      name.kind = Token::Kind::kOther;
      return name;
    } else if (c == ',' || c == '?' || c == '=' || c == '+') {
      Take(1);
      if (c == ',') return {.kind = Token::Kind::kComma};
      if (c == '?') return {.kind = Token::Kind::kKeyword, .text = "?"};
      return {.kind = Token::Kind::kOther};
    }
    Take(1);
    report_("Illegal character");
  }
}

// Of a text with its quotes, or, where it does not end on its line, to the end of that; 0 if there
// is none: texts are not empty.
std::size_t Lexer::TextSize() {
  const int quote = Peek(0);
  std::size_t size = 1;
  while (Peek(size) != quote && Peek(size) != '\n' && Peek(size) != kNothing) ++size;
  return Peek(size) == kNothing || (Peek(size) == quote && size == 1) ? 0 : size + 1;
}

std::size_t Lexer::WordSize() {
  std::size_t size = 0;
  while (!IsBlank(Peek(size)) && Peek(size) != '\n' && Peek(size) != kNothing) ++size;
  return size;
}

Token Lexer::Word() {
  std::size_t size = 1;
  while (IsNameCharacter(Peek(size))) ++size;
  Token token{.kind = Token::Kind::kName, .text = Take(size)};
  if (IsKeyword(token.text)) token.kind = Token::Kind::kKeyword;
  return token;
}

Token Lexer::Number() {
  Token token{.kind = Token::Kind::kNumbers};
  const bool negative = Peek(0) == '-';
  if (negative) Take(1);
  const auto digits = [this](std::size_t from) {
    std::size_t size = from;
    while (IsDigit(Peek(size))) ++size;
    return size;
  };
  if (negative) {
    token.kind = Token::Kind::kNegative;
    token.numbers[0] = 0U - Value(Take(digits(1)), 10);
    token.count = 1;
  } else if (Peek(0) == '0' && Peek(1) == 'x' && IsDigit(Peek(2))) {
    token.numbers[0] = Value(Take(digits(3)).substr(2), 16);
    token.count = 1;
  } else {
    token.numbers[0] = Value(Take(digits(1)), 10);
    for (token.count = 1; token.count < 3 && Peek(0) == '.' && IsDigit(Peek(1)); ++token.count) {
      token.numbers[static_cast<std::size_t>(token.count)] = Value(Take(digits(2)).substr(1), 10);
    }
  }
  return token;
}

// Numbers and keywords stay what they are; names are of the current folder.
Token Lexer::File() {
  Token token{.kind = Token::Kind::kPath, .text = Take(WordSize())};
  const std::string& text = token.text;
  const bool name = IsLetter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
                      return IsNameCharacter(static_cast<unsigned char>(c));
                    });
  if (text == ",") {
    token.kind = Token::Kind::kComma;
  } else if (IsKeyword(text)) {
    token.kind = Token::Kind::kKeyword;
  } else if (name) {
    token.text.insert(0, "./");
  } else if (text[0] == '-' || text.find_first_not_of("0123456789.") == text.npos) {
    // A file begins with something else. Of a number only its first part counts.
    token.kind = text[0] == '-' ? Token::Kind::kFlag : Token::Kind::kNumbers;
    token.numbers[0] =
        Value(std::string_view(text).substr(0, text.find_first_not_of("0123456789")), 10);
    token.count = static_cast<int>(std::count(text.begin(), text.end(), '.')) + 1;
  }
  return token;
}

std::vector<std::string> Lexer::RestOfLine() {
  std::vector<std::string> words;
  std::string word;
  int quote = kNothing;
  for (;;) {
    const int c = Peek(0);
    if (c == kNothing || c == '\n' || (quote == kNothing && IsBlank(c))) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
      if (c == '\n' && quote != kNothing)
        report_(std::string("Expected ") + static_cast<char>(quote));
      if (c != kNothing) Take(1);
      if (c == kNothing || c == '\n') return words;
    } else {
      Take(1);
      if (c == quote) {
        quote = kNothing;
      } else if (quote == kNothing && (c == '"' || c == '\'')) {
        quote = c;
      } else {
        word += static_cast<char>(c);
      }
    }
  }
}

}  // namespace pmproof::agent_script
