// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent_bench/render_bench.h"
#include "validator/agent_bench/run_bench.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/agent_names.h"
#include "validator/cli/commands/agent_start.h"
#include "validator/cli/report_time.h"
#include "validator/cli/report_writing.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_bench_schema.h"
#include "validator/testee/client/command_words.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// A letter and a colour for each.
constexpr std::size_t kMostAgents = 6;
constexpr std::uint64_t kMostClients = 1000;

struct AgentBenchArguments {
  AgentStart start;
  AgentNames names;
  std::vector<std::string> beside;  // commands
  double duration = 2;              // s
  std::optional<std::uint64_t> count;
  std::uint64_t warm_up = 100;
  std::vector<std::string> metrics;  // numbers, "all"
  std::vector<std::string> clients;  // numbers
  OutputOptions outputs{{"text", "json", "html"}};
  bool print_schema = false;
};

// What is wrong with one of a list, or "".
std::string WrongNumber(const std::string& option, const std::string& text, std::uint64_t most,
                        std::uint64_t* number) {
  const std::string wrong = TakeUnsigned(text, 1, most, number);
  return wrong.empty() ? "" : option + " " + text + ": " + wrong;
}

std::string Choose(const AgentBenchArguments& arguments, agent_bench::BenchOptions* options) {
  std::uint64_t number = 0;
  for (const std::string& text : arguments.metrics) {
    if (text == "all") {
      options->metrics.emplace_back(std::nullopt);
      continue;
    }
    auto wrong = WrongNumber("--metrics", text, agent_bench::kMostMetrics, &number);
    if (!wrong.empty()) return wrong;
    options->metrics.emplace_back(number);
  }
  if (!arguments.clients.empty()) options->clients.clear();
  for (const std::string& text : arguments.clients) {
    auto wrong = WrongNumber("--clients", text, kMostClients, &number);
    if (!wrong.empty()) return wrong;
    options->clients.push_back(number);
  }
  options->effort = {.duration = std::chrono::nanoseconds(std::llround(arguments.duration * 1e9)),
                     .count = arguments.count,
                     .warm_up = arguments.warm_up};
  return "";
}

// Adds an agent for each --beside, on a pipe. Returns what is wrong, or "".
std::string AddBeside(const AgentBenchArguments& arguments, std::vector<agent::Subject>* subjects) {
  for (const std::string& command : arguments.beside) {
    auto words = CommandWords(command);
    if (!words || words->empty()) {
      return "--beside " + command + ": no command, or a quote in it that does not end";
    }
    agent::Subject subject = subjects->front();
    subject.command = {.words = *std::move(words)};
    subject.address.reset();
    subject.host_report.reset();
    subject.waits = std::make_shared<agent::WaitLimits>();
    subjects->push_back(std::move(subject));
  }
  if (subjects->size() <= kMostAgents) return "";
  return "--beside: no more than " + std::to_string(kMostAgents) + " agents at once";
}

ExitStatus StatusOf(const agent_bench::BenchReport& report) {
  ExitStatus status = ExitStatus::kOk;
  for (const agent_bench::BenchAgent& agent : report.agents) {
    if (!agent.failure) continue;
    if (!agent.started || agent.metrics > 0) return ExitStatus::kTesteeFailed;
    status = ExitStatus::kBudget;  // no metric was found
  }
  return status;
}

void SayFailures(const agent_bench::BenchReport& report, const Environment& environment) {
  for (const agent_bench::BenchAgent& agent : report.agents) {
    if (!agent.failure) continue;
    std::string words;
    for (const std::string& word : agent.command) words += (words.empty() ? "" : " ") + word;
    environment.err << "pmproof: " << Displayable(words + ": " + *agent.failure) << '\n';
  }
}

ExitStatus RunAgentBench(const AgentBenchArguments& arguments, const CommonArguments& common,
                         const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : agent_bench_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent bench --help");
  };
  agent_bench::BenchOptions options;
  if (const auto wrong = Choose(arguments, &options); !wrong.empty()) return usage(wrong);
  auto started = SubjectOf(arguments.start, arguments.names.domain);
  if (!started) {
    return started.error().usage
               ? usage(started.error().message)
               : Fail(environment, ExitStatus::kInternal, started.error().message);
  }
  std::vector<agent::Subject> subjects{started->subject};
  if (const auto wrong = AddBeside(arguments, &subjects); !wrong.empty()) return usage(wrong);
  pmda::NameTree names;
  const auto discovery = arguments.names.Read(environment, &names);
  if (!discovery) return Fail(environment, ExitStatus::kUnreadable, discovery.error());
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);

  // An agent that kills its guardian leaves orphans to this process.
  const auto reaper = pmda::OrphanReaper::Become();
  RunWatch watch("agent bench", environment.err,
                 {.hurry =
                      [&] {
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up = [&] { started->host_report.reset(); }},
                 "measurement");
  const bool bar = WantsBar(common, environment);
  options.stop = [&] { return watch.stop(); };
  options.progress = [&](std::size_t done, std::size_t all) {
    watch.Progress(done, all);
    if (bar) environment.err << "\r" << done << "/" << all << " measurements" << std::flush;
  };
  const agent_bench::BenchReport report = agent_bench::RunBench(subjects, *discovery, options);
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (bar) environment.err << "\r\x1b[K" << std::flush;
  if (watch.Interrupted()) {
    started->host_report.reset();
    watch.Obey();
  }
  const auto failed = reports.Write(
      common, [&](const std::string& format, const Screen& screen, std::ostream& out) {
        if (format == "json") return agent_bench::RenderBenchJson(report, out);
        if (format == "html") return agent_bench::RenderBenchHtml(report, TimeOfPage(), out);
        agent_bench::RenderBenchText(report, screen, out);
      });
  if (failed) return *failed;
  if (!reports.OnStandardOutput("text")) SayFailures(report, environment);
  return StatusOf(report);
}

class AgentBenchCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("COMMAND", "Starts the agent; stands after --, found by PATH, no shell",
                     &arguments_.start.command);
    options.Texts("--beside", "COMMAND",
                  "Another agent, measured beside it: its words in one, with quotes as in a shell; "
                  "on a pipe",
                  &arguments_.beside);
    options
        .Decimal("--duration", "SECONDS", "How long each agent is measured for each line", 0.001,
                 86400, &arguments_.duration)
        .Default("2");
    options
        .Number("--count", "N", "How many fetches, in place of a duration", 1, kMostNumber,
                &arguments_.count)
        .Excludes({"--duration"});
    options
        .Number("--warm-up", "N",
                "Fetches before each measurement that do not count, within a second", 0,
                kMostNumber, &arguments_.warm_up)
        .Default("100");
    options
        .Texts("--metrics", "N,...",
               "How many metrics a fetch asks for, or `all`. Where the agent has fewer, for the "
               "same ones again",
               &arguments_.metrics)
        .Default("1, 10, 100 ... below what it has, and all")
        .Delimiter(',');
    options
        .Texts("--clients", "N,...",
               "How many clients fetch in turn, each with a context of its own: of several, "
               "PROFILE goes before each FETCH",
               &arguments_.clients)
        .Default("1,8")
        .Delimiter(',');
    arguments_.start.DeclareTransport(options);
    arguments_.names.Declare(options);
    arguments_.start.DeclarePatience(options);
    arguments_.outputs.Declare(options, "Let --output overwrite files");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Plays pmcd, which asks an agent one thing at a time: a fetch begins when the one "
            "before it has its answer. Says how many fetches a second there are, how long they "
            "take (p50: half of them no longer), what CPU time and memory the agent uses. Several "
            "agents are measured in turn, a tenth of a second each, so that a busy machine meets "
            "all of them. The options of the agent are for all, but --dso, --unix, --inet and "
            "--ipv6, which are for COMMAND.")
        .Examples({"pmproof agent bench -- pmproof agent serve simple",
                   "pmproof agent bench --metrics 1,all --beside './new -d 253' -- ./old -d 253",
                   "pmproof agent bench --output html:bench.html -- ./my_agent"})
        .ExitStatuses(
            "0 measured; 2 wrong usage; 3 an agent cannot be started, does not get through the "
            "handshake, or ends, is silent or answers with something other than RESULT; 4 --pmns "
            "cannot be read; 6 no metric was found");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (!arguments_.start.any()) return "no COMMAND given, which stands after --";
    if (auto wrong = arguments_.start.Wrong(); !wrong.empty()) return wrong;
    return arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunAgentBench(arguments_, common, environment);
  }

 private:
  AgentBenchArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentBench() { return std::make_unique<AgentBenchCommand>(); }

}  // namespace pmproof::validator
