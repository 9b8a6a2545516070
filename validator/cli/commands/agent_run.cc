// SPDX-License-Identifier: Apache-2.0
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
#include "validator/cli/command_table.h"
#include "validator/dbpmda/parser.h"
#include "validator/dbpmda/runner.h"

namespace pmproof::validator {
namespace {

struct AgentRunArguments {
  std::string script;  // "-": standard input
  std::vector<std::string> command;
  std::optional<std::string> names;
  double greeting = 3;  // seconds
  double answer = 10;   // seconds
  bool echo = false;
};

constexpr std::size_t kLargestScript = std::size_t{16} << 20;  // bytes

// The error is what is wrong with it.
tl::expected<std::string, std::string> ReadScript(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return tl::unexpected(path + ": cannot be read");
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::string script(kLargestScript + 1, '\0');
  in.read(script.data(), static_cast<std::streamsize>(script.size()));
  if (in.bad()) return tl::unexpected(path + ": cannot be read");
  script.resize(static_cast<std::size_t>(in.gcount()));
  if (script.size() > kLargestScript) return tl::unexpected(path + ": larger than 16 MiB");
  return script;
}

std::chrono::milliseconds Seconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

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

class AgentRunCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("SCRIPT", "The script; - for standard input", &arguments_.script).Required();
    options.Operands("COMMAND", "The agent, as by `open pipe COMMAND` before the script",
                     &arguments_.command);
    options.Text("-n,--namespace", "FILE", "Names of metrics, as PMNS source", &arguments_.names)
        .Default("none");
    options.Flag("-e,--echo-input", "Print the script as it is read", &arguments_.echo);
    options
        .Decimal("-q,--creds-timeout", "SECONDS", "How long an agent may take to greet", 0.001,
                 86400, &arguments_.greeting)
        .Default("3");
    options
        .Decimal("--timeout", "SECONDS", "How long an agent may take to answer", 0.001, 86400,
                 &arguments_.answer)
        .Default("10");
    options
        .Notes(
            "Standard output is what dbpmda prints for the same script, but for addresses, which "
            "are 0x0, "
            "process numbers, and the explanations of `help`; its troubles are on standard error, "
            "after "
            "SCRIPT:LINE.")
        .Examples({"pmproof agent run script -- pmproof agent serve simple"})
        .ExitStatuses(
            "0 done, whatever the agent answered; 2 the script has errors; 3 an agent could not be "
            "started, "
            "did not answer, or broke the protocol; 4 the script cannot be read");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return RunAgentScript(arguments_, environment);
  }

 private:
  AgentRunArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentRun() { return std::make_unique<AgentRunCommand>(); }

}  // namespace pmproof::validator
