// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_LEXER_H_
#define PMPROOF_VALIDATOR_DBPMDA_LEXER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Words of dbpmda's command language (section 15).

namespace pmproof::agent_script {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,      // of the script
    kNewline,  // of a line; a comment is a part of it
    kKeyword,  // "fetch", "indom"
    kName,     // [A-Za-z][A-Za-z0-9_./:-]*
    kPath,     // of a file: what stands there but is none of the others; a name with "./" before it
    kText,     // 'text' or "text", without the quotes
    kNumbers,  // 12, 0x12, 1.2 or 1.2.3: so many of `numbers`
    kNegative,  // -12: in numbers[0] as 32 bits
    kFlag,      // -pdu, without the hyphen
    kComma,
    kOther,  // $name, "=" and "+", which no command takes
  };
  Kind kind = Kind::kEnd;
  std::string text{};
  std::array<std::uint32_t, 3> numbers{};
  int count = 0;

  bool Is(std::string_view keyword) const { return kind == Kind::kKeyword && text == keyword; }
};

// Cuts a script into tokens, as dbpmda does: it knows where it is by the characters it has read of
// the line, that is with the one after a word where it had to look at it. Linear.
class Lexer {
 public:
  // A message about a character that begins no token; reading goes on after its line, within the
  // same command. `echo` is given each character as it is read.
  using Report = std::function<void(const std::string& message)>;
  using Echo = std::function<void(char)>;
  Lexer(std::string_view script, Report report, Echo echo = {})
      : script_(script), report_(std::move(report)), echo_(std::move(echo)) {}

  Token Next() { return Scan(false); }
  // The same where the name of a file may stand.
  Token NextPath() { return Scan(true); }
  // The words up to the end of the line, which is taken: blanks separate, quotes group.
  std::vector<std::string> RestOfLine();

  // Whether nothing at all is after what was taken. Reads nothing.
  bool AtEnd() const { return pending_.empty() && at_ == script_.size(); }
  // Throws away what was not read of the line.
  void SkipLine();

  // Of the last character read, from 1.
  std::size_t line() const { return line_; }
  // "        ^ at or near here": under the last character read after a prompt of 8 characters.
  std::string Caret() const { return "       " + columns_ + "^ at or near here"; }

 private:
  static constexpr int kNothing = -1;

  Token Scan(bool path);
  Token Word();
  Token Number();
  Token File();
  std::size_t TextSize();
  std::size_t WordSize();
  int Read();
  int Peek(std::size_t ahead);
  std::string Take(std::size_t count);

  std::string_view script_;
  Report report_;
  Echo echo_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  char last_ = '\n';
  std::string pending_{};  // read, and not taken from `taken_` on
  std::size_t taken_ = 0;
  std::string columns_{};  // a blank or a tab for each character read of the line
};

bool IsNameCharacter(int c);
// What begins a command, or has a place of its own within one.
bool IsKeyword(std::string_view word);

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_LEXER_H_
