// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <utility>
#include <variant>

#include "validator/agent_files/check.h"

// 16.7, the agent's line in pmcd.conf: of --pmcd-conf, else the one that Install makes.

namespace pmproof::validator::agent_files {
namespace {

namespace fs = std::filesystem;

struct Line {
  pmda::PmcdConf conf{};
  std::string file{};
};

VerdictOr<Line> Conf(Desk& desk) {
  const auto& conf = desk.material.conf;
  if (conf.there) {
    if (conf.read) return Line{*conf.read, conf.path};
    return Failed(conf.wrong);
  }
  const auto& trial = desk.trials.Get();
  if (!trial) return Unchecked("no --pmcd-conf is given, and " + trial.error().because);
  if (!trial->install.well()) return Unchecked("Install does not go well (CKA-230)");
  if (trial->declined()) return Unchecked("Install installs nothing (CKA-230)");
  const auto file = trial->installed.find(kConfInRoot);
  constexpr std::string_view kFile = "file:";
  if (file == trial->installed.end() || !file->second.starts_with(kFile)) {
    return Failed("Install leaves no pmcd.conf");
  }
  return Line{pmda::ReadPmcdConf(std::string_view(file->second).substr(kFile.size()), kConfInRoot),
              kConfInRoot};
}

// The line of the agent's domain; where the domain is not known, the one of its label.
VerdictOr<pmda::ConfAgent> AgentLine(Desk& desk) {
  const auto line = Conf(desk);
  if (!line) return tl::make_unexpected(line.error());
  for (const pmda::ConfAgent& agent : line->conf.agents) {
    if (desk.material.domain ? agent.domain == *desk.material.domain
                             : agent.label == desk.material.iam) {
      return agent;
    }
  }
  return Unchecked("there is no line of the agent (CKA-210)");
}

// CKA-210
Verdict TheLineParses(Desk& desk) {
  const auto line = Conf(desk);
  if (!line) return line.error();
  Offences offences;
  for (const pmda::Diagnosis& problem : line->conf.problems) {
    if (problem.severity == pmda::Diagnosis::Severity::kError) offences.Add(problem.ToText());
  }
  const auto agent = AgentLine(desk);
  // A line that does not parse may be the agent's.
  if (agent || offences.any()) return offences.Or(Verdict::Pass());
  const std::string whom = desk.material.domain ? "domain " + std::to_string(*desk.material.domain)
                                                : "label " + desk.material.iam;
  return Verdict::Fail(line->file + " has no line with " + whom);
}

// Where a file of a command line lies here: in the folder, where it names a folder of that name.
std::optional<std::string> Here(const Material& material, const std::string& word) {
  const fs::path path(word);
  if (!path.is_absolute()) return std::nullopt;
  std::error_code ignored;
  const std::string folder = fs::absolute(material.folder, ignored).filename().string();
  if (path.parent_path().filename() == folder) {
    return (fs::path(material.folder) / path.filename()).string();
  }
  return word;
}

std::string Unlike(const Material& material, const std::string& word, bool program) {
  const auto here = Here(material, word);
  if (!here) return "";
  if (access(here->c_str(), F_OK) != 0) return word + " is not there (" + *here + ")";
  if (program && access(here->c_str(), X_OK) != 0) return *here + " may not be executed";
  return "";
}

// CKA-211
Verdict TheLineFitsTheFolder(Desk& desk) {
  const auto agent = AgentLine(desk);
  if (!agent) return agent.error();
  Offences offences;
  const auto look = [&](const std::string& word, bool program) {
    std::string wrong = Unlike(desk.material, word, program);
    if (!wrong.empty()) offences.Add(std::move(wrong));
  };
  std::vector<std::string> command;
  if (const auto* dso = std::get_if<pmda::DsoAgent>(&agent->kind)) {
    look(dso->path, /*program=*/false);
  } else if (const auto* pipe = std::get_if<pmda::PipeAgent>(&agent->kind)) {
    command = pipe->command;
  } else {
    command = std::get<pmda::SocketAgent>(agent->kind).command;
  }
  if (!command.empty()) look(command.front(), /*program=*/true);
  // "python3 /.../pmdasimple.python": an interpreter and its program.
  if (command.size() > 1) {
    const bool script = command[1].ends_with(".python") || command[1].ends_with(".perl") ||
                        command[1].ends_with(".py") || command[1].ends_with(".pl");
    if (script) look(command[1], /*program=*/false);
  }
  for (std::size_t i = 1; i + 1 < command.size(); ++i) {
    if (command[i] != "-d" || command[i + 1] == std::to_string(agent->domain)) continue;
    offences.Add("the agent is started with -d " + command[i + 1] + ", and its line has domain " +
                 std::to_string(agent->domain));
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-210"_clause, TheLineParses},
    {"CKA-211"_clause, TheLineFitsTheFolder},
};

}  // namespace

std::span<const Check> ConfigurationChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
