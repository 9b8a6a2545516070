// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_PARSER_H_
#define PMPROOF_VALIDATOR_DBPMDA_PARSER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/pmda/names/name_tree.h"
#include "validator/dbpmda/command.h"
#include "validator/dbpmda/lexer.h"

namespace pmproof::agent_script {

// What the parser tells as it reads: errors with the place they are at (PMD-414), warnings without.
struct Diagnostic {
  std::size_t line = 0;
  std::string message{};  // "Error: syntax error"
  std::string caret{};    // empty for a warning
};

// Reads a script command by command, for what a command means may depend on those before it.
class Parser {
 public:
  using Report = std::function<void(const Diagnostic&)>;
  Parser(std::string_view script, Report report, Lexer::Echo echo);

  // More errors than this end the script.
  static constexpr std::size_t kMostErrors = 1000;

  // The next command; nothing at the end of the script. What is wrong has been reported, and is
  // passed over. `names` is what the names of metrics mean.
  std::optional<Command> Next(const pmda::NameTree& names);

  // Whether an error was reported so far; a warning is none.
  bool failed() const { return failed_; }
  // The line, from 1, that ended the last command.
  std::size_t line() const { return lexer_.line(); }

 private:
  struct Stop {};  // what was read is not a command: reported
  template <typename T>
  using Parsed = tl::expected<T, Stop>;

  Parsed<Command> ParseCommand(const Token& first);
  Parsed<Command> ParseOpen();
  Parsed<Command> ParseSocket();
  Parsed<Command> ParseDso();
  Parsed<Command> ParseFetch();
  Parsed<Command> ParseProfile();
  Parsed<Command> ParseInstance();
  Parsed<Command> ParseLabel();
  Parsed<Command> ParseAttribute();
  Parsed<Command> ParseDebug();
  Parsed<Command> ParseHelp();

  Parsed<Pmid> ToMetric(const Token& token);
  Parsed<Indom> TakeIndom();
  Parsed<Command> EndWith(Command command);
  tl::unexpected<Stop> Fail(const std::string& message);
  tl::unexpected<Stop> SyntaxError() { return Fail("syntax error"); }
  void Error(const std::string& message, const std::string& caret);

  Report report_;
  Lexer lexer_;
  const pmda::NameTree* names_ = nullptr;
  bool failed_ = false;
  std::size_t errors_ = 0;
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_PARSER_H_
