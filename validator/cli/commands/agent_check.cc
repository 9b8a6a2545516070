#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent/host/host_report.h"
#include "validator/agent/run.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/agent_check.h"
#include "validator/protocol_check/report_outputs.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_report_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using agent::Limits;

// Empty, or what is wrong with it.
std::string SetTimeout(const std::string& text, Limits* limits) {
  const std::size_t equals = text.find('=');
  const std::string name = equals == std::string::npos ? "answer" : text.substr(0, equals);
  const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
  double seconds = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, seconds);
  if (error != std::errc() || rest != end || !(seconds >= 0.001) || seconds > 86400) {
    return "--timeout " + text + ": " + number + " is no number of seconds from 0.001 to 86400";
  }
  const auto milliseconds = Limits::Duration(std::llround(seconds * 1000));
  const std::pair<const char*, Limits::Duration*> all[] = {
      {"answer", &limits->answer},  {"creds", &limits->creds},   {"end", &limits->end},
      {"quiet", &limits->quiet},    {"silent", &limits->silent}, {"late", &limits->late},
      {"counter", &limits->counter}};
  for (const auto& [known, limit] : all) {
    if (name != known) continue;
    *limit = milliseconds;
    return "";
  }
  return "--timeout " + text + ": there is no " + name +
         "; there are answer, creds, end, quiet, silent, late, counter";
}

agent::Subject SubjectOf(const AgentCheckArguments& arguments) {
  agent::Subject subject;
  subject.command.words = arguments.command;
  if (arguments.unix_path) subject.address = pmda::Address::Unix(*arguments.unix_path);
  if (arguments.inet_port) subject.address = pmda::Address::Inet(*arguments.inet_port);
  if (arguments.ipv6_port) subject.address = pmda::Address::Inet6(*arguments.ipv6_port);
  if (!subject.pipe()) subject.command.streams = pmda::AgentCommand::Streams::kSocket;
  subject.says_ready = arguments.notready;
  return subject;
}

}  // namespace

ExitStatus RunAgentCheck(const AgentCheckArguments& arguments, const CommonArguments& common,
                         const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : agent_report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent check --help");
  };
  if (const auto missing = MissingArgument(arguments); !missing.empty()) return usage(missing);
  const Result<CheckCatalogue> catalogue = CheckCatalogue::Shipped();
  if (!catalogue) return Fail(environment, ExitStatus::kInternal, catalogue.error().ToText());

  agent::Subject subject = SubjectOf(arguments);
  std::optional<HostReportFile> host_report;
  if (arguments.dso) {
    auto created = HostReportFile::Create();
    if (!created) return Fail(environment, ExitStatus::kInternal, created.error().ToText());
    host_report.emplace(std::move(*created));
    subject.host_report = host_report->path();
    subject.command.words = HostCommand(*arguments.dso, arguments.domain, host_report->path());
  }
  for (const std::string& timeout : arguments.timeouts) {
    if (const auto wrong = SetTimeout(timeout, &subject.limits); !wrong.empty())
      return usage(wrong);
  }
  agent::RunOptions options{.jobs = common.jobs, .slow = arguments.slow};
  auto selection = SelectChecks(arguments, *catalogue, Clause::Chapter::kCka);
  if (!selection) return usage(selection.error());
  options.added = std::move(selection->added);
  options.removed = std::move(selection->removed);
  agent::Discovery discovery{
      .domain = arguments.domain, .roots = arguments.roots, .stores = arguments.stores};
  pmda::NameTree names;
  if (arguments.pmns) {
    auto source = pmda::ReadPmnsFile(*arguments.pmns);
    if (!source) return Fail(environment, ExitStatus::kUnreadable, source.error().ToText());
    names = std::move(source->names);
    discovery.names = &names;
  }
  // An agent that kills its guardian leaves orphans to this process.
  const auto reaper = pmda::OrphanReaper::Become();
  std::vector<ReportOutput> outputs;
  RunWatch watch("agent check", environment.err,
                 {.hurry =
                      [&] {
                        // Checks whose agents are gone wait for nothing.
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up =
                      [&] {
                        outputs.clear();
                        host_report.reset();
                      }});
  auto opened = OpenOutputs(arguments);
  if (!opened) return usage(opened.error());
  outputs = *std::move(opened);

  const bool bar = WantsBar(common, environment);
  options.stop = [&] { return watch.stop(); };
  options.progress = [&](std::size_t done, std::size_t all) {
    watch.Progress(done, all);
    if (bar) environment.err << "\r" << done << "/" << all << " checks" << std::flush;
  };
  const std::vector<agent::Check> checks = agent::AllChecks();
  const agent::AgentReport report =
      agent::CheckAgent(subject, discovery, checks, *catalogue, options);
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (bar) environment.err << "\r\x1b[K" << std::flush;
  if (watch.Interrupted()) {
    outputs.clear();
    host_report.reset();
    watch.Obey();
  }
  return WriteReports(report, *catalogue, arguments, common, outputs, environment);
}

}  // namespace pmproof::validator
