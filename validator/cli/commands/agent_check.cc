// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "reference/pmda/names/agent_pmns.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent/host/host_report.h"
#include "validator/agent/run.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/protocol_check/report_outputs.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/agent_report_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct AgentCheckArguments : ReportArguments {
  std::vector<std::string> command;
  std::optional<std::string> dso;  // FILE[:INIT]: instead of a command
  bool pipe = false;
  std::optional<std::string> unix_path;
  std::optional<std::uint16_t> inet_port;
  std::optional<std::uint16_t> ipv6_port;
  std::optional<std::uint32_t> domain;
  std::optional<std::string> pmns;
  std::vector<std::string> includes;  // folders
  std::vector<std::string> roots;
  std::vector<std::string> stores;
  std::vector<std::string> timeouts;  // "10", "creds=10"
  bool notready = false;
  bool slow = false;
};

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
    return "--timeout " + text + ": " + number + " is not a number of seconds from 0.001 to 86400";
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

ExitStatus RunAgentCheck(const AgentCheckArguments& arguments, const CommonArguments& common,
                         const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : agent_report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "; see pmproof agent check --help");
  };
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
  auto selection = SelectChecks(arguments, *catalogue, CheckEntry::Subject::kAgent);
  if (!selection) return usage(selection.error());
  options.added = std::move(selection->added);
  options.removed = std::move(selection->removed);
  agent::Discovery discovery{
      .domain = arguments.domain, .roots = arguments.roots, .stores = arguments.stores};
  pmda::NameTree names;
  if (arguments.pmns) {
    auto source = pmda::ReadAgentPmns(*arguments.pmns,
                                      {.domain = arguments.domain, .folders = arguments.includes});
    if (!source) return Fail(environment, ExitStatus::kUnreadable, source.error().ToText());
    for (const pmda::Diagnosis& warning : source->warnings) {
      environment.err << "pmproof: " << Displayable(warning.ToText()) << '\n';
    }
    names = std::move(source->names);
    discovery.names = &names;
    discovery.names_of_domain_0 = !source->symbol.empty();
  }
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);

  // An agent that kills its guardian leaves orphans to this process.
  const auto reaper = pmda::OrphanReaper::Become();
  RunWatch watch("agent check", environment.err,
                 {.hurry =
                      [&] {
                        // Checks whose agents are gone wait for nothing.
                        if (reaper) reaper->Sweep(pmda::Deadline::Passed());
                      },
                  .clean_up = [&] { host_report.reset(); }});

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
    host_report.reset();
    watch.Obey();
  }
  return WriteReports(report, *catalogue, arguments, common, reports, environment);
}

class AgentCheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("COMMAND", "Starts the agent; stands after --, found by PATH, no shell",
                     &arguments_.command);
    DeclareTransport(options);
    DeclareSubject(options);
    DeclareReports(options, &arguments_);
    options
        .Notes(
            "COMMAND is started as pmcd does it, once for nearly every check; nothing that it "
            "starts is left "
            "running. Its metrics are found by --pmns, else by PMNS_TRAVERSE and by asking for one "
            "PMID "
            "after the other. Nothing is stored into a known metric without --store.")
        .Examples(
            {"pmproof agent check -- pmproof agent serve simple",
             "pmproof agent check --dso pmda_simple.so --domain 253 --output junit:agent.xml"})
        .ExitStatuses(
            "0 conformant, or all of a selection (--check) passed; 1 a check as grave as --fail-on "
            "failed; 2 wrong usage, or nothing was checked; 3 the agent cannot be started, does "
            "not get through the handshake, or ends after it; 6 undetermined: no metric was found, "
            "or a required check could not be made");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (arguments_.dso && !arguments_.command.empty()) {
      return "--dso takes no COMMAND: the agent is loaded by pmproof";
    }
    if (!arguments_.dso && arguments_.command.empty()) {
      return "no COMMAND given, which stands after --";
    }
    const int transports = int{arguments_.dso.has_value()} + int{arguments_.pipe} +
                           int{arguments_.unix_path.has_value()} +
                           int{arguments_.inet_port.has_value()} +
                           int{arguments_.ipv6_port.has_value()};
    if (transports > 1) return "only one of --dso, --pipe, --unix, --inet and --ipv6 can be given";
    return arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunAgentCheck(arguments_, common, environment);
  }

 private:
  void DeclareTransport(Options& options) {
    options.Text("--dso", "FILE[:INIT]",
                 "The agent is a shared object, loaded by a process of its own; INIT initialises "
                 "it (default: "
                 "of pmda_NAME.so NAME_init); no COMMAND",
                 &arguments_.dso);
    options.Flag("--pipe", "The agent talks over standard input and output (default)",
                 &arguments_.pipe);
    options.Text("--unix", "PATH", "COMMAND makes it listen on this unix socket",
                 &arguments_.unix_path);
    options.Number("--inet", "PORT", "COMMAND makes it listen on this port of the loopback address",
                   1, 65535, &arguments_.inet_port);
    options.Number("--ipv6", "PORT", "The same, IPv6", 1, 65535, &arguments_.ipv6_port);
  }

  void DeclareSubject(Options& options) {
    options.Number("--domain", "N", "The agent's domain number", 0, 510, &arguments_.domain)
        .Default("that of its metrics");
    options.Text("--pmns", "FILE",
                 "The agent's name space, as PMNS source: its file pmns or root. What stands for "
                 "the domain there is --domain, or what domain.h beside FILE says, or the domain "
                 "by which the agent answers",
                 &arguments_.pmns);
    options.Texts("--include", "FOLDER",
                  "Where #include of FILE looks after FILE's own folder, for stdpmid for example",
                  &arguments_.includes);
    options.Texts("--root", "NAME", "Ask the agent for its names below this one", &arguments_.roots)
        .Default("names taken from COMMAND");
    options.Texts(
        "--store", "METRIC",
        "Values may be stored into this metric (a name, a PMID, or all); checks of stores are not "
        "made on others",
        &arguments_.stores);
    options.Flag("--notready", "Its entry in pmcd.conf has `notready`: it says when it is ready",
                 &arguments_.notready);
    options.Flag("--slow", "Also the checks that wait long by their nature (half a minute)",
                 &arguments_.slow);
    options.Texts(
        "--timeout", "[NAME=]SECONDS",
        "How long the agent may take to answer (default: 5), or, as NAME=SECONDS, creds=3 from its "
        "start, end=2 to end; how long it is listened to: quiet=0.5, silent=0.2; how long pmproof "
        "waits: late=20, counter=0.2",
        &arguments_.timeouts);
  }

  AgentCheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeAgentCheck() { return std::make_unique<AgentCheckCommand>(); }

}  // namespace pmproof::validator
