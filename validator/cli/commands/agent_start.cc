// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/agent_start.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace pmproof::validator {
namespace {

// Empty, or what is wrong with it.
std::string SetTimeout(const std::string& text, agent::Limits* limits) {
  const std::size_t equals = text.find('=');
  const std::string name = equals == std::string::npos ? "answer" : text.substr(0, equals);
  const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
  double seconds = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, seconds);
  if (error != std::errc() || rest != end || !(seconds >= 0.001) || seconds > 86400) {
    return "--timeout " + text + ": " + number + " is not a number of seconds from 0.001 to 86400";
  }
  const auto milliseconds = agent::Limits::Duration(std::llround(seconds * 1000));
  const std::pair<const char*, agent::Limits::Duration*> all[] = {
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

}  // namespace

void AgentStart::DeclareTransport(Options& options) {
  options.Text("--dso", "FILE[:INIT]",
               "The agent is a shared object, loaded by a process of its own; INIT initialises "
               "it (default: "
               "of pmda_NAME.so NAME_init); no COMMAND",
               &dso);
  options.Flag("--pipe", "The agent talks over standard input and output (default)", &pipe);
  options.Text("--unix", "PATH", "COMMAND makes it listen on this unix socket", &unix_path);
  options.Number("--inet", "PORT", "COMMAND makes it listen on this port of the loopback address",
                 1, 65535, &inet_port);
  options.Number("--ipv6", "PORT", "The same, IPv6", 1, 65535, &ipv6_port);
}

void AgentStart::DeclarePatience(Options& options) {
  options.Flag("--notready", "Its entry in pmcd.conf has `notready`: it says when it is ready",
               &notready);
  options.Texts(
      "--timeout", "[NAME=]SECONDS",
      "How long the agent may take to answer (default: 5), or, as NAME=SECONDS, creds=3 from its "
      "start, end=2 to end; how long it is listened to: quiet=0.5, silent=0.2; how long pmproof "
      "waits: late=20, counter=0.2",
      &timeouts);
}

std::string AgentStart::Wrong() const {
  if (dso && !command.empty()) return "--dso takes no COMMAND: the agent is loaded by pmproof";
  const int transports = int{dso.has_value()} + int{pipe} + int{unix_path.has_value()} +
                         int{inet_port.has_value()} + int{ipv6_port.has_value()};
  return transports > 1 ? "only one of --dso, --pipe, --unix, --inet and --ipv6 can be given" : "";
}

tl::expected<StartedSubject, StartError> SubjectOf(const AgentStart& start,
                                                   std::optional<std::uint32_t> domain) {
  agent::Subject subject;
  subject.command.words = start.command;
  if (start.unix_path) subject.address = pmda::Address::Unix(*start.unix_path);
  if (start.inet_port) subject.address = pmda::Address::Inet(*start.inet_port);
  if (start.ipv6_port) subject.address = pmda::Address::Inet6(*start.ipv6_port);
  if (!subject.pipe()) subject.command.streams = pmda::AgentCommand::Streams::kSocket;
  subject.says_ready = start.notready;
  for (const std::string& timeout : start.timeouts) {
    auto wrong = SetTimeout(timeout, &subject.limits);
    if (!wrong.empty()) return tl::unexpected(StartError{.usage = true, .message = wrong});
  }
  if (!start.dso) return StartedSubject{std::move(subject), std::nullopt};
  auto created = HostReportFile::Create();
  if (!created) return tl::unexpected(StartError{.message = created.error().ToText()});
  subject.host_report = created->path();
  subject.command.words = HostCommand(*start.dso, domain, created->path());
  return StartedSubject{std::move(subject), std::move(*created)};
}

}  // namespace pmproof::validator
