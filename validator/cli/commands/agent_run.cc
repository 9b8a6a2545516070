#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/agent_run.h"
#include "validator/dbpmda/parser.h"
#include "validator/dbpmda/runner.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kLargestScript = std::size_t{16} << 20;  // bytes

// The error is what is wrong with it.
tl::expected<std::string, std::string> ReadScript(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return tl::unexpected(path + ": can not be read");
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::string script(kLargestScript + 1, '\0');
  in.read(script.data(), static_cast<std::streamsize>(script.size()));
  if (in.bad()) return tl::unexpected(path + ": can not be read");
  script.resize(static_cast<std::size_t>(in.gcount()));
  if (script.size() > kLargestScript) return tl::unexpected(path + ": larger than 16 MiB");
  return script;
}

std::chrono::milliseconds Seconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

}  // namespace

ExitStatus RunAgentScript(const AgentRunArguments& arguments, const Environment& environment) {
  const auto script = ReadScript(arguments.script);
  if (!script) return Fail(environment, ExitStatus::kUnreadable, script.error());
  agent_script::Runner::Options options{
      .patience = {.greeting = Seconds(arguments.greeting), .answer = Seconds(arguments.answer)}};
  if (arguments.names) {
    auto names = pmda::ReadPmnsFile(*arguments.names);
    if (!names) return Fail(environment, ExitStatus::kUnreadable, names.error().ToText());
    options.names = std::move(names->names);
    options.names_file = *arguments.names;
  }
  const auto reaper = pmda::OrphanReaper::Become();
  const std::string name = arguments.script == "-" ? "standard input" : arguments.script;
  std::size_t line = 0;
  const auto place = [&] { return name + ":" + std::to_string(line) + ": "; };
  agent_script::Parser parser(
      *script,
      [&](const agent_script::Diagnostic& diagnostic) {
        if (!diagnostic.caret.empty()) environment.out << diagnostic.caret << '\n';
        environment.err << name << ':' << diagnostic.line << ": " << diagnostic.message << '\n';
      },
      arguments.echo ? agent_script::Lexer::Echo([&](char c) { environment.out << c; })
                     : agent_script::Lexer::Echo());
  bool broken = false;
  {
    agent_script::Runner runner(std::move(options), environment.out, environment.err, place);
    bool going =
        arguments.command.empty() || runner.Run(agent_script::OpenPipe{.words = arguments.command});
    while (going) {
      const auto command = parser.Next(runner.names());
      if (!command) break;
      line = parser.line();
      going = runner.Run(*command);
    }
    runner.CloseAgent();
    broken = runner.broken();
  }
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (broken) return ExitStatus::kTesteeFailed;
  return parser.failed() ? ExitStatus::kUsage : ExitStatus::kOk;
}

}  // namespace pmproof::validator
