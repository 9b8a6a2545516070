// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/collector/checks.h"
#include "validator/collector/configuration.h"
#include "validator/collector/unix_stub_agents.h"
#include "validator/protocol_check/report_outputs.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/schema/collector_report_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct CollectorCheckArguments : ReportArguments {
  std::optional<std::string> host;
  std::optional<std::uint16_t> port;
  std::optional<std::string> unix_path;
  std::optional<std::string> setup;  // the folder that `config` has made
  std::optional<std::string> version;
  std::vector<std::string> timeouts;  // "reply=5"
};

using collector::CollectorUnderTest;
using collector::Layout;
using collector::Limits;

constexpr std::uint16_t kPort = 44321;

// Empty, or what is wrong with it.
std::string SetTimeout(const std::string& text, Limits* limits) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  double seconds = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, seconds);
  if (error != std::errc() || rest != end || !(seconds >= 0.001) || seconds > 86400) {
    return "--timeout " + text + ": " + number + " is not a number of seconds from 0.001 to 86400";
  }
  const std::pair<const char*, Limits::Duration*> all[] = {
      {"reply", &limits->reply}, {"lateness", &limits->lateness}, {"patience", &limits->patience}};
  for (const auto& [known, limit] : all) {
    if (name != known) continue;
    *limit = Limits::Duration(std::llround(seconds * 1000));
    return "";
  }
  return "--timeout " + text + ": there is no " + name + "; there are reply, lateness, patience";
}

pmda::Address AddressOf(const CollectorCheckArguments& arguments) {
  if (arguments.unix_path) return pmda::Address::Unix(*arguments.unix_path);
  if (arguments.setup && !arguments.port && !arguments.host) {
    return pmda::Address::Unix(Layout{*arguments.setup}.Socket(collector::Instance::kChecks));
  }
  pmda::Address address = pmda::Address::Inet(arguments.port.value_or(kPort));
  address.host = arguments.host.value_or("");
  return address;
}

CollectorUnderTest::Door DoorTo(const pmda::Address& address, Limits limits) {
  return
      [address, limits] { return pmda::Connect(address, pmda::Deadline::After(limits.patience)); };
}

// By what the collector is checked; `stubs` is opened where there is a set-up.
Result<CollectorUnderTest> MakeCollectorUnderTest(
    const CollectorCheckArguments& arguments, const Limits& limits,
    std::unique_ptr<collector::UnixStubAgents>* stubs) {
  const pmda::Address address = AddressOf(arguments);
  CollectorUnderTest subject{.door = DoorTo(address, limits),
                             .by_unix_socket = address.kind == pmda::Address::Kind::kUnix,
                             .limits = limits};
  if (!arguments.setup) return subject;
  const Layout layout{*arguments.setup};
  auto opened = collector::UnixStubAgents::Open(layout.control());
  if (!opened) return tl::unexpected(opened.error());
  *stubs = *std::move(opened);
  subject.stubs = stubs->get();
  const auto door = [&](collector::Instance instance) {
    return DoorTo(pmda::Address::Unix(layout.Socket(instance)), limits);
  };
  subject.denied = door(collector::Instance::kDenied);
  subject.limited = door(collector::Instance::kLimited);
  subject.read_only = door(collector::Instance::kReadOnly);
  return subject;
}

// Sets the version whose behaviour is due, and says where that is from.
void SetVersion(const CollectorCheckArguments& arguments, CollectorUnderTest* subject,
                agent::CollectorFacts* facts) {
  if (arguments.version) {
    subject->version = collector::Version::Parse(*arguments.version);
    facts->version_from = "--collector-version";
  } else {
    subject->version = collector::AskVersion(*subject);
    facts->version_from = subject->version ? "pmcd.version" : "nothing";
  }
  if (subject->version) facts->version = subject->version->ToText();
}

std::vector<agent::CheckOutcome> Outcomes(const CheckCatalogue& catalogue,
                                          std::vector<collector::CheckResult> results) {
  std::vector<agent::CheckOutcome> outcomes;
  auto result = results.begin();
  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.subject != CheckEntry::Subject::kCollector) continue;
    agent::CheckOutcome& outcome = outcomes.emplace_back();
    outcome.id = entry.id;
    while (result != results.end() && result->id < entry.id) ++result;
    if (result == results.end() || result->id != entry.id) {
      outcome.verdict = agent::Verdict::NotChecked("left out by --check");
      outcome.left_out = true;
      continue;
    }
    outcome.verdict = std::move(result->verdict);
    outcome.exchange = result->log.Lines();
    outcome.bytes_sent = result->log.bytes_sent();
    outcome.bytes_received = result->log.bytes_received();
    outcome.took = result->took;
  }
  return outcomes;
}

agent::AgentReport CheckCollector(const CollectorCheckArguments& arguments,
                                  CollectorUnderTest subject, collector::UnixStubAgents* stubs,
                                  const CheckSelection& selection, RunWatch& watch,
                                  const CheckCatalogue& catalogue) {
  const auto begin = std::chrono::steady_clock::now();
  agent::AgentReport report;
  report.collector =
      agent::CollectorFacts{.address = AddressOf(arguments).ToText(), .agents = stubs != nullptr};
  std::vector<collector::Check> checks;
  for (const collector::Check& check : collector::AllChecks()) {
    if (selection.Selects(check.id)) checks.push_back(check);
  }
  if (const auto refusal = collector::WhyUnreachable(subject)) {
    report.failure = *refusal;
    report.checks = Outcomes(catalogue, {});
    for (agent::CheckOutcome& outcome : report.checks) {
      if (selection.Selects(outcome.id)) {
        outcome.verdict = agent::Verdict::NotChecked("the collector cannot be reached");
        outcome.left_out = false;
      }
    }
    return report;
  }
  if (stubs != nullptr) {
    const auto missing = stubs->AwaitAll(pmda::Deadline::After(subject.limits.patience));
    if (!missing.empty()) {
      std::string remark = "agents that the collector should have, but has not:";
      for (const std::string_view name : missing) remark += " " + std::string(name);
      report.remarks.push_back(remark);
    }
  }
  SetVersion(arguments, &subject, &*report.collector);
  report.checks = Outcomes(
      catalogue, collector::RunChecks(subject, checks, [&](std::size_t done, std::size_t all) {
        watch.Progress(done, all);
        return !watch.stop();
      }));
  report.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return report;
}

ExitStatus RunCheck(const CollectorCheckArguments& arguments, const CommonArguments& common,
                    const Environment& environment) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : collector_report_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  const auto usage = [&](const std::string& message) {
    return Fail(environment, ExitStatus::kUsage, message + "\nSee pmproof collector check --help.");
  };
  const CheckCatalogue catalogue = CheckCatalogue::Shipped();
  Limits limits;
  for (const std::string& timeout : arguments.timeouts) {
    if (const auto wrong = SetTimeout(timeout, &limits); !wrong.empty()) return usage(wrong);
  }
  if (arguments.version && !collector::Version::Parse(*arguments.version)) {
    return usage("--collector-version " + *arguments.version + " is not a version such as 6.3.8");
  }
  const auto selection = SelectChecks(arguments, catalogue, CheckEntry::Subject::kCollector);
  if (!selection) return usage(selection.error());
  ReportWriting reports(arguments.outputs, environment);
  if (const auto refusal = reports.Refuse({}); !refusal.empty()) return usage(refusal);
  std::unique_ptr<collector::UnixStubAgents> stubs;
  RunWatch watch("collector check", environment.err,
                 {.hurry = {}, .clean_up = [&] {
                    if (arguments.setup) {
                      pmda::RemoveSocketFile(Layout{*arguments.setup}.control());
                    }
                  }});
  auto subject = MakeCollectorUnderTest(arguments, limits, &stubs);
  if (!subject) return Fail(environment, ExitStatus::kUnreadable, subject.error().ToText());
  const agent::AgentReport report =
      CheckCollector(arguments, *std::move(subject), stubs.get(), *selection, watch, catalogue);
  if (watch.Interrupted()) {
    stubs.reset();
    watch.Obey();
  }
  return WriteReports(report, catalogue, arguments, common, reports, environment);
}

class CollectorCheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Text("--host", "HOST", "Where the collector is", &arguments_.host)
        .Default("the loopback address");
    options.Number("--port", "N", "Its port", 1, 65535, &arguments_.port).Default("44321");
    options.Text("--unix", "PATH", "Its unix socket", &arguments_.unix_path)
        .Excludes({"--host", "--port"});
    options
        .Text("--setup", "DIR",
              "The folder that pmproof collector config has made, and from which the collector was "
              "started: "
              "all checks are made, by its unix socket unless --port is given",
              &arguments_.setup)
        .Excludes({"--unix"});
    options
        .Text("--collector-version", "VERSION", "The version of PCP whose behaviour is due",
              &arguments_.version)
        .Default("what the metric pmcd.version says, else that of any");
    options.Texts("--timeout", "NAME=SECONDS",
                  "reply=5, the collector's time limit for clients and agents (pmcd -t); "
                  "lateness=5, how much "
                  "later it may act; patience=30, how long anything is waited for",
                  &arguments_.timeouts);
    DeclareReports(options, &arguments_);
    options
        .Notes(
            "Without --unix, --port and --setup the collector is at port 44321 of this machine. It "
            "is "
            "expected to have the agents pmcd, sample, trivial and simple, and no agent of domain "
            "99; the "
            "value of simple.numfetch is changed. The checks of what a collector does with agents "
            "that "
            "misbehave need such agents: see pmproof collector config --help.")
        .Examples({"pmproof collector check",
                   "pmproof collector check --setup /tmp/setup --output json:pmcd.json"})
        .ExitStatuses(
            "0 conformant, or all of a selection (--check) passed; 1 a check as grave as --fail-on "
            "failed; 2 wrong usage, or nothing was checked; 3 the collector cannot be reached, or "
            "does not let clients in; 6 undetermined: a required check could not be made");
  }

  std::string Wrong(const Catalogue&) override {
    return arguments_.print_schema ? "" : arguments_.outputs.Wrong();
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return RunCheck(arguments_, common, environment);
  }

 private:
  CollectorCheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCollectorCheck() { return std::make_unique<CollectorCheckCommand>(); }

}  // namespace pmproof::validator
