// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/status_text.h"

#include <string_view>

namespace pmproof::agent_script {
namespace {

const char* OnOff(bool on) { return on ? "on" : "off"; }

std::string ConnectionText(Conversation& talk) {
  const Connection* agent = talk.agent();
  if (agent == nullptr) return "";
  if (agent->is_dso()) {
    const dso::InitFacts facts = talk.facts();
    return "Connection:             dso\n"
           "DSO Interface Version:  " +
           std::to_string(facts.version) +
           "\n"
           "PMDA PMAPI Version:     " +
           std::to_string(facts.pmapi) + "\n";
  }
  return "Connection:             daemon (pid: " + std::to_string(agent->process()) +
         ")\n"
         "PMDA PMAPI Version:     " +
         (agent->greeted() ? std::to_string(agent->version()) : "unknown!") + "\n";
}

std::string DebugText(const std::vector<bool>& debug) {
  std::string options;
  bool all = true;
  for (std::size_t i = 0; i < debug.size(); ++i) {
    all = all && debug[i];
    if (debug[i]) options += (options.empty() ? "" : " ") + std::string(DebugOptionName(i));
  }
  if (all) return "(all)";
  return options.empty() ? "(none)" : options;
}

std::string ProfileText(const ScriptProfile& profile) {
  std::string text = std::string("Dump Instance Profile state=") +
                     (profile.excludes() ? "EXCLUDE" : "INCLUDE") + ", " +
                     std::to_string(profile.entries().size()) + " profiles\n";
  std::size_t number = 0;
  for (const ScriptProfile::Entry& entry : profile.entries()) {
    text += "\tProfile [" + std::to_string(number++) +
            "] indom=" + std::to_string(entry.indom.value) + " [" + ToText(entry.indom) +
            "] state=" + (entry.excludes ? "EXCLUDE " : "INCLUDE ") +
            std::to_string(entry.instances.size()) + " instances\n";
    if (entry.instances.empty()) continue;
    text += "\t\tInstances:";
    for (const std::int32_t instance : entry.instances) {
      text += " [" + std::to_string(instance) + "]";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

void Settings::Change(const Switch& command) {
  switch (command.what) {
    case Switch::What::kGetdesc:
      getdesc = command.on;
      break;
    case Switch::What::kGetiname:
      getiname = command.on;
      break;
    case Switch::What::kTimer:
      timer = command.on;
      break;
  }
}

void Settings::Change(const Debug& command) {
  for (const std::string& flag : command.flags) {
    const bool clear = flag.starts_with('-') || flag == "none";
    const std::string_view name = std::string_view(flag).substr(flag.starts_with('-') ? 1 : 0);
    if (name == "all" || name == "none") {
      debug.assign(debug.size(), !clear);
    } else if (const auto option = DebugOption(name)) {
      debug[*option] = !clear;
    }
  }
}

std::string StatusText(const std::string& names_file, const Settings& settings,
                       Conversation& talk) {
  return "\nNamespace:              " + (names_file.empty() ? "(default)" : names_file) +
         "\nPMDA:                   " + (talk.agent() == nullptr ? "none" : talk.agent()->name()) +
         "\n" + ConnectionText(talk) + "Debug options:          " + DebugText(settings.debug) +
         "\nTimer:                  " + OnOff(settings.timer) +
         "\nGetdesc:                " + OnOff(settings.getdesc) +
         "\nGetiname:               " + OnOff(settings.getiname) + "\n\n" +
         ProfileText(talk.profile()) + "\n";
}

}  // namespace pmproof::agent_script
