// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent/replay/render.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/agent_start.h"
#include "validator/cli/identifier.h"
#include "validator/cli/report_writing.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_exchange_schema.h"
#include "validator/schema/agent_replay_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct AgentReplayArguments {
  std::string file;
  AgentStart start;
  std::optional<std::string> check;
  OutputOptions outputs{{"text", "json"}};
  bool full = false;
  bool print_schema = false;
  bool print_file_schema = false;
};

Result<std::string> ReadWhole(const std::string& path) {
  const auto unreadable = [&](const char* why) {
    return tl::unexpected(Status{.kind = Status::Kind::kUnreadable, .file = path, .message = why});
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable("cannot be read");
  std::string text;
  std::vector<char> block(std::size_t{1} << 20);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > agent::ExchangeFile::kLargest) return unreadable("larger than 256 MiB");
  }
  if (file.bad()) return unreadable("cannot be read");
  return text;
}

// The failure to repeat; the error: why it is not clear which.
tl::expected<const agent::RecordedFailure*, std::string> Choose(
    const std::vector<agent::RecordedFailure>& failures, const std::optional<std::string>& check) {
  std::string all;
  for (const agent::RecordedFailure& failure : failures) {
    all += (all.empty() ? "" : " ") + failure.check.ToString();
  }
  if (failures.empty()) return tl::unexpected<std::string>("no failure is recorded in FILE");
  if (!check) {
    if (failures.size() == 1) return &failures.front();
    return tl::unexpected("several failures are recorded in FILE: give --check with one of " + all);
  }
  const auto id = ParseIdentifier(*check);
  const auto found = std::ranges::find_if(
      failures, [&](const agent::RecordedFailure& failure) { return id && failure.check == *id; });
  if (found != failures.end()) return &*found;
  return tl::unexpected("--check: no failure of " + *check + " is recorded in FILE, but of " + all);
}

ExitStatus StatusOf(agent::Judgement::Kind kind) {
  switch (kind) {
    case agent::Judgement::Kind::kAgain:
      return ExitStatus::kOk;
    case agent::Judgement::Kind::kAnother:
    case agent::Judgement::Kind::kNotSeen:
      return ExitStatus::kFindings;
    case agent::Judgement::Kind::kUnknown:
      break;
  }
  return ExitStatus::kBudget;
}

ExitStatus RunAgentReplay(const AgentReplayArguments& arguments, const CommonArguments& common,
                          const Environment& environment) {
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent replay --help");
  };
  const auto document = ReadWhole(arguments.file);
  if (!document) return Fail(environment, ExitStatus::kUnreadable, document.error().ToText());
  const auto file = agent::ReadExchanges(AsBytes(*document), arguments.file);
  if (!file) return Fail(environment, ExitStatus::kUnreadable, file.error().ToText());
  const auto failure = Choose(file->failures, arguments.check);
  if (!failure) return usage(failure.error());
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();
  std::optional<std::uint32_t> domain;
  if (file->known.domain_known) domain = file->known.domain;
  auto started = SubjectOf(arguments.start, domain);
  if (!started) {
    return started.error().usage
               ? usage(started.error().message)
               : Fail(environment, ExitStatus::kInternal, started.error().message);
  }
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);

  const auto reaper = pmda::OrphanReaper::Become();
  RunWatch watch("agent replay", environment.err,
                 {.hurry =
                      [&] {
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up = [&] { started->host_report.reset(); }},
                 "step");
  agent::ReplayReport report{.file = arguments.file,
                             .command = started->subject.command.words,
                             .recorded = &*file,
                             .failure = *failure};
  if (const CheckEntry* const entry = catalogue.Find((*failure)->check)) {
    report.title = entry->title;
  }
  report.played =
      agent::Play(started->subject, (*failure)->recording, [&] { return watch.stop(); });
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (watch.Interrupted()) {
    started->host_report.reset();
    watch.Obey();
  }
  if (!report.played.failure.empty()) {
    return Fail(environment, ExitStatus::kTesteeFailed, report.played.failure);
  }
  report.judgement = agent::Judge(**failure, *file, report.played.now);
  const auto failed = reports.Write(
      common, [&](const std::string& format, const Screen& screen, std::ostream& out) {
        if (format == "json") {
          agent::RenderReplayJson(report, out);
        } else {
          agent::RenderReplayText(report, arguments.full, screen, out);
        }
      });
  if (failed) return *failed;
  if (!reports.OnStandardOutput("text") && !common.quiet) {
    environment.err << Displayable(agent::OutcomeLine(report)) << '\n';
  }
  return StatusOf(report.judgement.kind);
}

class AgentReplayCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("FILE", "What agent check --record wrote", &arguments_.file);
    options.Operands("COMMAND", "Starts the agent; stands after --, found by PATH, no shell",
                     &arguments_.start.command);
    options
        .Text("--check", "ID", "The failure to repeat, where FILE has several", &arguments_.check)
        .Default("the only one of FILE");
    options.Flag("--full", "Show all steps, also long runs that are as they were",
                 &arguments_.full);
    arguments_.start.DeclareTransport(options);
    arguments_.start.DeclarePatience(options);
    arguments_.outputs.Declare(options, "Let --output overwrite files");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options.Flag("--file-schema", "Print the JSON Schema of FILE", &arguments_.print_file_schema);
    options
        .Notes(
            "The octets that were sent are sent again, in the same order. In the text > is what "
            "pmproof sends, = an answer as it was, ~ one with other values, ! another one, with "
            "the fields that differ. The agent may be another one: the same after it was mended, "
            "or an older one.")
        .Examples({"pmproof agent replay failures.json -- ./my_agent",
                   "pmproof agent replay failures.json --check CKA-111 -- ./my_agent",
                   "pmproof agent replay failures.json --check CKA-111 -- gdbserver :4000 "
                   "./my_agent"})
        .ExitStatuses(
            "0 the same failure is seen again; 1 it is not, or the check fails for something else; "
            "2 wrong usage; 3 the agent cannot be started; 4 FILE cannot be read, or is no such "
            "file; 5 a report cannot be written; 6 undetermined: what the check saw is not in the "
            "exchange");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema || arguments_.print_file_schema) return "";
    if (arguments_.file.empty()) return "no FILE given";
    if (!arguments_.start.any()) return "no COMMAND given, which stands after --";
    if (auto wrong = arguments_.start.Wrong(); !wrong.empty()) return wrong;
    return arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.print_schema || arguments_.print_file_schema) {
      for (const EmbeddedFile& file :
           arguments_.print_schema ? agent_replay_schema() : agent_exchange_schema()) {
        environment.out << file.content;
      }
      return ExitStatus::kOk;
    }
    return RunAgentReplay(arguments_, common, environment);
  }

 private:
  AgentReplayArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentReplay() { return std::make_unique<AgentReplayCommand>(); }

}  // namespace pmproof::validator
