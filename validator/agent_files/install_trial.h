// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_FILES_INSTALL_TRIAL_H_
#define PMPROOF_VALIDATOR_AGENT_FILES_INSTALL_TRIAL_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/transport/agent_process.h"
#include "validator/agent_files/material.h"
#include "validator/protocol_check/verdict.h"

// Install and Remove of an agent, run in a private root (bubblewrap): a copy of the agent's folder,
// a pmcd.conf and a name space of its own, the host's programs read-only, no network, and fakes for
// PCP's programs, its shell library, and what changes users or services. Nothing of the host is
// written.

namespace pmproof::validator::agent_files {

// Files below etc and var of the private root: "file:CONTENT", "link:TARGET", "folder"; a file that
// is too large to compare by its content, "file of N bytes".
using RootState = std::map<std::string, std::string>;

struct ScriptRun {
  std::string words{};                     // "./Install"
  std::optional<pmda::ExitStatus> exit{};  // nothing: it did not end in time
  std::string output{};                    // the end of it

  bool well() const { return exit && exit->success(); }
  // "./Install: exit status 1: cannot find x"
  std::string ToText() const;
};

// One after the other, in one root; a script that did not go well ends it.
struct InstallTrial {
  std::string folder{};  // of the agent in the root: "var/lib/pcp/pmdas/simple"
  RootState before{};
  ScriptRun install{};
  RootState installed{};
  std::map<std::string, std::string> variables{};  // PMD-331, as the script set them
  std::vector<std::string> calls{};                // of fakes, "pmsignal -s HUP pmcd"
  std::optional<ScriptRun> again{};
  RootState installed_again{};
  std::optional<ScriptRun> remove{};
  RootState removed{};

  // Install ended well and has changed nothing outside of the folder: it does without, and has
  // said why.
  bool declined() const;
};

inline constexpr char kConfInRoot[] = "etc/pcp/pmcd/pmcd.conf";
inline constexpr char kNamesInRoot[] = "var/lib/pcp/pmns";

// A root is made when the first check asks for it. One thread at a time.
class InstallTrials {
 public:
  // `material` outlives this. `seconds`: how long each script may take.
  explicit InstallTrials(const Material& material, unsigned seconds = 60)
      : material_(material), seconds_(seconds) {}

  // Not checked: there are no scripts, or there is no way to shut them in.
  const agent::VerdictOr<InstallTrial>& Get();

 private:
  const Material& material_;
  unsigned seconds_;
  std::optional<agent::VerdictOr<InstallTrial>> made_{};
};

}  // namespace pmproof::validator::agent_files

#endif  // PMPROOF_VALIDATOR_AGENT_FILES_INSTALL_TRIAL_H_
