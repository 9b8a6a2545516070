#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "validator/agent/commands.h"
#include "validator/agent/render.h"
#include "validator/agent/run.h"
#include "validator/agent_report_schema.h"
#include "validator/command_support.h"
#include "validator/display.h"

namespace pmproof::validator {
namespace {

using agent::Limits;
using agent::ReportFormat;

ReportFormat FormatOf(const std::string& name) {
  if (name == "json") return ReportFormat::kJson;
  if (name == "junit") return ReportFormat::kJunit;
  if (name == "html") return ReportFormat::kHtml;
  return ReportFormat::kText;
}

// A file of its own, or standard output.
struct Output {
  ReportFormat format = ReportFormat::kText;
  std::string path{};
  std::unique_ptr<std::ofstream> file{};
};

tl::expected<std::vector<Output>, std::string> OpenOutputs(const AgentCheckArguments& arguments) {
  std::vector<std::string> formats = arguments.formats;
  if (formats.empty()) formats.emplace_back("text");
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    Output& output = outputs.emplace_back();
    output.format = FormatOf(formats[i]);
    if (i >= arguments.outputs.size() || arguments.outputs[i] == "-") continue;
    output.path = arguments.outputs[i];
    std::error_code error;
    if (!arguments.force && std::filesystem::exists(output.path, error)) {
      return tl::unexpected(output.path + " exists already; see --force");
    }
    output.file = std::make_unique<std::ofstream>(output.path, std::ios::binary | std::ios::trunc);
    if (!*output.file) return tl::unexpected(output.path + " can not be written");
  }
  return outputs;
}

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

// Empty, or what is wrong.
std::string SelectChecks(const AgentCheckArguments& arguments, const CheckCatalogue& catalogue,
                         agent::RunOptions* options) {
  std::vector<Clause> known;
  for (const CheckEntry& entry : catalogue.checks()) known.push_back(entry.id);
  for (const std::string& text : arguments.checks) {
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    const std::string name = is_signed ? text.substr(1) : text;
    const std::optional<Clause> id = ParseIdentifier(name);
    if (!id || catalogue.Find(*id) == nullptr || id->chapter() != Clause::Chapter::kCka) {
      std::string message = "--check: there is no check " + name;
      for (const Clause near : Nearest(name, known)) {
        message += (message.find("; nearest: ") == std::string::npos ? "; nearest: " : ", ") +
                   near.ToString();
      }
      return message;
    }
    (text.starts_with('-') ? options->removed : options->added).push_back(*id);
  }
  return "";
}

agent::Subject SubjectOf(const AgentCheckArguments& arguments) {
  agent::Subject subject;
  subject.command.words = arguments.command;
  if (arguments.unix_path) subject.address = pmda::Address::Unix(*arguments.unix_path);
  if (arguments.inet_port) subject.address = pmda::Address::Inet(*arguments.inet_port);
  if (arguments.ipv6_port) subject.address = pmda::Address::Inet6(*arguments.ipv6_port);
  if (!subject.pipe()) subject.command.streams = pmda::AgentCommand::Streams::kSocket;
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
    return Fail(environment, ExitStatus::kUsage, message + "\nSee pmproof agent check --help.");
  };
  if (const auto missing = MissingArgument(arguments); !missing.empty()) return usage(missing);
  const Result<CheckCatalogue> catalogue = CheckCatalogue::Shipped();
  if (!catalogue) return Fail(environment, ExitStatus::kInternal, catalogue.error().ToText());

  agent::Subject subject = SubjectOf(arguments);
  for (const std::string& timeout : arguments.timeouts) {
    if (const auto wrong = SetTimeout(timeout, &subject.limits); !wrong.empty())
      return usage(wrong);
  }
  agent::RunOptions options{.jobs = common.jobs, .slow = arguments.slow};
  if (const auto wrong = SelectChecks(arguments, *catalogue, &options); !wrong.empty()) {
    return usage(wrong);
  }
  agent::Discovery discovery{
      .domain = arguments.domain, .roots = arguments.roots, .stores = arguments.stores};
  pmda::NameTree names;
  if (arguments.pmns) {
    auto source = pmda::ReadPmnsFile(*arguments.pmns);
    if (!source) return Fail(environment, ExitStatus::kUnreadable, source.error().ToText());
    names = std::move(source->names);
    discovery.names = &names;
  }
  auto outputs = OpenOutputs(arguments);
  if (!outputs) return usage(outputs.error());

  const bool bar = WantsBar(common, environment);
  if (bar) {
    options.progress = [&](std::size_t done, std::size_t all) {
      environment.err << "\r" << done << "/" << all << " checks" << std::flush;
    };
  }
  // An agent that kills its guardian leaves orphans to this process.
  const auto reaper = pmda::OrphanReaper::Become();
  const std::vector<agent::Check> checks = agent::AllChecks();
  const agent::AgentReport report =
      agent::CheckAgent(subject, discovery, checks, *catalogue, options);
  if (reaper) reaper->Sweep(pmda::Deadline::After(std::chrono::seconds(10)));
  if (bar) environment.err << "\r\x1b[K" << std::flush;

  agent::RenderOptions render{
      .fail_on = ParseSeverity(arguments.fail_on).value_or(Severity::kError),
      .quiet = common.quiet};
  bool text_on_stdout = false;
  for (Output& output : *outputs) {
    std::ostream& out = output.file ? *output.file : environment.out;
    render.screen = output.file ? Screen() : environment.out_screen;
    text_on_stdout |= !output.file && output.format == ReportFormat::kText;
    Render(output.format, report, *catalogue, render, out);
    if (!out.flush()) {
      return Fail(
          environment, ExitStatus::kInternal,
          (output.file ? output.path : "standard output") + ": the report could not be written");
    }
  }
  if (!text_on_stdout) {
    if (report.failure) environment.err << "pmproof: " << Displayable(*report.failure) << '\n';
    if (!common.quiet) environment.err << SummaryLine(report, *catalogue) << '\n';
  }
  return agent::ExitStatusOf(report, *catalogue, render.fail_on);
}

}  // namespace pmproof::validator
