// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>

#include "validator/agent_files/check.h"

// 16.7, Install and Remove (PMD-331, PMD-332, PMD-334), run in a private root.

namespace pmproof::validator::agent_files {
namespace {

constexpr std::string_view kFile = "file:";
constexpr std::uint32_t kOtherDomain = 510;  // of the agent that was in pmcd.conf before

VerdictOr<const InstallTrial*> Trial(Desk& desk) {
  const auto& trial = desk.trials.Get();
  if (!trial) return tl::make_unexpected(trial.error());
  return &*trial;
}

// After an Install that went well.
VerdictOr<const InstallTrial*> Installed(Desk& desk) {
  auto trial = Trial(desk);
  if (!trial) return trial;
  if (!(*trial)->install.well()) return Unchecked("Install does not go well (CKA-230)");
  if ((*trial)->declined()) return Unchecked("Install installs nothing (CKA-230)");
  return trial;
}

std::string ContentOf(const RootState& state, const std::string& path) {
  const auto found = state.find(path);
  if (found == state.end() || !found->second.starts_with(kFile)) return "";
  return found->second.substr(kFile.size());
}

// In what two states differ, apart from below `but`.
std::vector<std::string> Differences(const RootState& before, const RootState& after,
                                     const std::vector<std::string>& but) {
  const auto left_out = [&](const std::string& path) {
    return std::ranges::any_of(
        but, [&](const std::string& one) { return path == one || path.starts_with(one + "/"); });
  };
  std::vector<std::string> differences;
  for (const auto& [path, what] : after) {
    if (left_out(path)) continue;
    const auto found = before.find(path);
    if (found == before.end()) {
      differences.push_back("/" + path + " is new");
    } else if (found->second != what) {
      differences.push_back("/" + path + " is another than before");
    }
  }
  for (const auto& [path, what] : before) {
    if (!left_out(path) && !after.contains(path)) differences.push_back("/" + path + " is gone");
  }
  return differences;
}

std::size_t LinesOf(const pmda::PmcdConf& conf, std::uint32_t domain) {
  return static_cast<std::size_t>(std::ranges::count_if(
      conf.agents, [&](const pmda::ConfAgent& agent) { return agent.domain == domain; }));
}

// Files that were merged into the name space.
std::vector<std::string> NewNames(const RootState& before, const RootState& after) {
  std::vector<std::string> names;
  for (const auto& [path, what] : after) {
    if (path.starts_with(std::string(kNamesInRoot) + "/") && !before.contains(path)) {
      names.push_back(path);
    }
  }
  return names;
}

// CKA-230
Verdict InstallDoesItsSteps(Desk& desk) {
  const auto trial = Trial(desk);
  if (!trial) return trial.error();
  const InstallTrial& made = **trial;
  if (!made.install.well()) return Verdict::Fail(made.install.ToText());
  if (made.declined()) {
    return Verdict::NotChecked("Install installs nothing here: " + made.install.ToText());
  }
  const std::string conf_text = ContentOf(made.installed, kConfInRoot);
  const pmda::PmcdConf conf = pmda::ReadPmcdConf(conf_text, "/" + std::string(kConfInRoot));
  Offences offences;
  for (const pmda::Diagnosis& problem : conf.problems) {
    if (problem.severity == pmda::Diagnosis::Severity::kError) {
      offences.Add("Install leaves " + problem.ToText());
    }
  }
  // Some are two agents, each with a domain of its own, as sample and sampledso are.
  for (const pmda::ConfAgent& agent : conf.agents) {
    const std::size_t lines = LinesOf(conf, agent.domain);
    if (lines == 1) continue;
    offences.Add("Install leaves " + std::to_string(lines) + " lines with domain " +
                 std::to_string(agent.domain) + " in pmcd.conf");
  }
  if (LinesOf(conf, *desk.material.domain) == 0) {
    offences.Add("Install adds no line with domain " + std::to_string(*desk.material.domain) +
                 " to pmcd.conf");
  }
  if (LinesOf(conf, kOtherDomain) == 0) {
    offences.Add("Install loses the line of another agent in pmcd.conf");
  }
  if (NewNames(made.before, made.installed).empty()) offences.Add("Install merges no names");
  const bool told = std::ranges::any_of(made.calls, [](const std::string& call) {
    return call.starts_with("pmsignal ") || call.starts_with("systemctl ") ||
           call.starts_with("killall ") || call.starts_with("service ");
  });
  if (!told) offences.Add("Install does not tell pmcd (SIGHUP)");
  return offences.Or(Verdict::Pass());
}

// CKA-231
Verdict WhatInstallNamesIsThere(Desk& desk) {
  const auto trial = Installed(desk);
  if (!trial) return trial.error();
  const auto& variables = (*trial)->variables;
  if (variables.empty()) return Verdict::NotChecked("Install does not use pmdaSetup");
  const auto value = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  Offences offences;
  for (const char* flag :
       {"dso_opt", "daemon_opt", "perl_opt", "python_opt", "pipe_opt", "socket_opt"}) {
    if (value(flag) != "true" && value(flag) != "false") {
      offences.Add(std::string(flag) + " is \"" + value(flag) + "\", neither true nor false");
    }
  }
  if (value("ipc_prot") != "binary" && value("ipc_prot") != "binary notready") {
    offences.Add("ipc_prot is \"" + value("ipc_prot") +
                 "\", where binary or binary notready is due");
  }
  const std::string folder = desk.material.folder + "/";
  const auto has = [&](const std::string& file) {
    return access((folder + file).c_str(), F_OK) == 0;
  };
  const std::string iam = value("iam");
  const std::string program = value("pmda_name");
  std::vector<std::string> due;
  if (value("python_opt") == "true") due.push_back(program + ".python");
  if (value("perl_opt") == "true") {
    due.push_back(program + (has(program + ".pl") ? ".pl" : ".perl"));
  }
  if (value("daemon_opt") == "true" && due.empty()) due.push_back(program);
  if (value("dso_opt") == "true") {
    const std::string dso = value("dso_name");
    due.push_back(dso.substr(dso.rfind('/') + 1));
  }
  for (const std::string& file : due) {
    if (!has(file)) offences.Add("Install is for " + file + ", which is not in the folder");
  }
  if (due.empty()) offences.Add("Install is for no kind of agent at all");
  const bool static_names = value("python_opt") != "true" && value("perl_opt") != "true";
  if (static_names && !value("missing_source").empty()) {
    offences.Add("Install merges the names of " + value("missing_source") +
                 ", which is not in the folder");
  }
  return offences.Or(Verdict::Pass());
}

// CKA-232
Verdict AnotherInstallChangesNothing(Desk& desk) {
  const auto trial = Installed(desk);
  if (!trial) return trial.error();
  const InstallTrial& made = **trial;
  if (!made.again->well()) return Verdict::Fail("a second time " + made.again->ToText());
  Offences offences;
  for (const std::string& one : Differences(made.installed, made.installed_again, {made.folder})) {
    offences.Add("after a second Install " + one);
  }
  return offences.Or(Verdict::Pass());
}

VerdictOr<const InstallTrial*> Removed(Desk& desk) {
  auto trial = Installed(desk);
  if (!trial) return trial;
  if (!(*trial)->remove) return Unchecked("Install does not go well a second time (CKA-232)");
  return trial;
}

// CKA-233
Verdict RemoveUndoesInstall(Desk& desk) {
  const auto trial = Removed(desk);
  if (!trial) return trial.error();
  const InstallTrial& made = **trial;
  if (!made.remove->well()) return Verdict::Fail(made.remove->ToText());
  Offences offences;
  if (ContentOf(made.before, kConfInRoot) != ContentOf(made.removed, kConfInRoot)) {
    offences.Add("pmcd.conf after Remove is another than before Install");
  }
  for (const std::string& names : NewNames(made.before, made.removed)) {
    offences.Add("names are left after Remove: /" + names);
  }
  return offences.Or(Verdict::Pass());
}

// CKA-234
Verdict RemoveLeavesNoFile(Desk& desk) {
  const auto trial = Removed(desk);
  if (!trial) return trial.error();
  const InstallTrial& made = **trial;
  if (!made.remove->well()) return Verdict::NotChecked("Remove does not go well (CKA-233)");
  Offences offences;
  for (const std::string& one :
       Differences(made.before, made.removed, {made.folder, kConfInRoot, kNamesInRoot})) {
    offences.Add("after Remove " + one);
  }
  std::string kept;
  for (const auto& [path, what] : made.removed) {
    if (path.starts_with(made.folder + "/") && !made.before.contains(path)) {
      kept += (kept.empty() ? "" : ", ") + path.substr(made.folder.size() + 1);
    }
  }
  return offences.Or(Verdict::Pass(kept.empty() ? "" : "left in the agent's folder: " + kept));
}

constexpr Check kChecks[] = {
    {"CKA-230"_clause, InstallDoesItsSteps},          {"CKA-231"_clause, WhatInstallNamesIsThere},
    {"CKA-232"_clause, AnotherInstallChangesNothing}, {"CKA-233"_clause, RemoveUndoesInstall},
    {"CKA-234"_clause, RemoveLeavesNoFile},
};

}  // namespace

std::span<const Check> InstallChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
