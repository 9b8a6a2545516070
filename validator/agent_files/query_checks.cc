// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>

#include "reference/pmda/names/domain_header.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/transport/agent_process.h"
#include "validator/agent/environment_with.h"
#include "validator/agent_files/check.h"

// 16.7, what Install asks agents in Perl and Python (PMD-333).

namespace pmproof::validator::agent_files {
namespace {

constexpr std::size_t kMostPrinted = 1U << 20;

// "PERL" or "PYTHON", of the interpreter or the program that is started; empty: neither.
std::string LanguageOf(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string file = word.substr(word.rfind('/') + 1);
    if (file.ends_with(".python") || file.ends_with(".py")) return "PYTHON";
    if (file.ends_with(".perl") || file.ends_with(".pl")) return "PERL";
  }
  const std::string program = words.empty() ? "" : words[0].substr(words[0].rfind('/') + 1);
  if (program.starts_with("python")) return "PYTHON";
  return program.starts_with("perl") ? "PERL" : "";
}

// What the agent prints with that variable in its environment, if it ends with status 0.
VerdictOr<std::string> Printed(const agent::Subject& subject, const std::string& variable) {
  pmda::AgentCommand command = subject.command;
  command.streams = pmda::AgentCommand::Streams::kPipes;
  command.environment = agent::EnvironmentWith(subject.command, variable, "1");
  const auto deadline = pmda::Deadline::After(subject.limits.creds + subject.limits.end);
  auto process = pmda::AgentProcess::Start(command, deadline);
  if (!process) return Unchecked(process.error().ToText());
  std::string text;
  std::array<std::uint8_t, 4096> buffer{};
  while (text.size() < kMostPrinted) {
    const auto read = process->transport()->Read(buffer, deadline);
    if (!read.moved()) break;
    text.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(read.size));
  }
  const auto exit = process->WaitForExit(deadline);
  (void)process->End({.by_itself = std::chrono::milliseconds(0)});
  if (!exit) {
    return Failed("with " + variable + " in its environment the agent serves, or does not end");
  }
  if (!exit->success()) return Failed("with " + variable + " the agent ends: " + exit->ToText());
  return text;
}

// CKA-225
Verdict AScriptSaysItsDomainAndNames(Desk& desk) {
  if (desk.running == nullptr) return Verdict::NotChecked("neither COMMAND nor --dso is given");
  const agent::Subject& subject = desk.running->subject;
  const std::string language = LanguageOf(subject.command.words);
  if (language.empty() || subject.host_report) {
    return Verdict::NotChecked("the agent is not one in Perl or Python, as far as COMMAND tells");
  }
  const std::string domain_variable = "PCP_" + language + "_DOMAIN";
  const auto header = Printed(subject, domain_variable);
  if (!header) return header.error();
  const auto read = pmda::ReadDomainHeader(*header, domain_variable);
  if (!read) return Verdict::Fail("the agent does not print its domain: " + read.error().ToText());
  if (desk.material.domain && read->domain != *desk.material.domain) {
    return Verdict::Fail("with " + domain_variable + " the agent prints domain " +
                         std::to_string(read->domain) + ", its files have " +
                         std::to_string(*desk.material.domain));
  }
  const std::string names_variable = "PCP_" + language + "_PMNS";
  const auto text = Printed(subject, names_variable);
  if (!text) return text.error();
  const auto names = pmda::ReadPmns(*text, names_variable, pmda::NoIncludes(), {.fragment = true});
  if (!names) return Verdict::Fail("the agent prints no name space: " + names.error().ToText());
  const auto leaves = *names->names.Traverse("");
  if (leaves.empty()) return Verdict::Fail("with " + names_variable + " the agent prints no name");
  Offences offences;
  for (const auto& leaf : leaves) {
    const bool dynamic = pmda::IsDynamicRoot(leaf.pmid);
    const std::uint32_t domain = dynamic ? leaf.pmid.cluster() : leaf.pmid.domain();
    if (domain == read->domain) continue;
    offences.Add("with " + names_variable + " the agent prints " + leaf.name + " of domain " +
                 std::to_string(domain) + ", with " + domain_variable + " domain " +
                 std::to_string(read->domain));
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {{"CKA-225"_clause, AScriptSaysItsDomainAndNames}};

}  // namespace

std::span<const Check> QueryChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
