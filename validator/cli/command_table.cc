// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/command_table.h"

namespace pmproof::validator {

CommandTable AllCommands() {
  return {
      .commands =
          {{"check", "Validate archives", MakeCheck},
           {"triage", "Say which of many archives need a person, and what to do next", MakeTriage},
           {"certify", "Write down the verdict on archives and the digests of their files",
            MakeCertify},
           {"recheck", "Hold archives against a certificate of them", MakeRecheck},
           {"salvage", "Write what can be saved of a broken archive as a sound one", MakeSalvage},
           {"policy check", "Say what a policy is, and what it does to archives", MakePolicyCheck},
           {"info", "Show what archives hold: label, files, span, counts", MakeInfo},
           {"metrics", "List the metrics of archives: type, semantics, units, instances",
            MakeMetrics},
           {"dump", "Show each record of each file, every byte accounted for", MakeDump},
           {"replay", "Show the values of metrics at chosen times", MakeReplay},
           {"rules list", "List the interpolation profiles", MakeRulesList},
           {"rules diff", "Replay archives under two interpolation profiles, and show what differs",
            MakeRulesDiff},
           {"rules bisect",
            "Find the rule, version and deviations by which an implementation answers",
            MakeRulesBisect},
           {"units", "Read, print and convert units", MakeUnits},
           {"derive", "Parse and bind definitions of derived metrics", MakeDerive},
           {"derive diff", "Show which definitions change their meaning between versions",
            MakeDeriveDiff},
           {"agent check", "Act as the collector, and make the conformance checks on any agent",
            MakeAgentCheck},
           {"agent files", "Check the files of an agent, and try its Install and Remove",
            MakeAgentFiles},
           {"agent serve", "Be a reference agent: trivial or simple", MakeAgentServe},
           {"agent run", "Replay a script in dbpmda's command language", MakeAgentRun},
           {"agent host",
            "Serve a shared-object agent on standard input and output, as a daemon would",
            MakeAgentHost},
           {"collector check",
            "Act as a client of a collector, and make the conformance checks of it",
            MakeCollectorCheck},
           {"collector config",
            "Write what a collector is started with so that all checks can be made",
            MakeCollectorConfig},
           {"collector agent",
            "Be an agent that collector check directs; the collector starts it (see config)",
            MakeCollectorAgent},
           {"compare", "Compare what a tool of PCP printed with what it should print", MakeCompare},
           {"rewrite", "Decode an archive and encode it again", MakeRewrite},
           {"generate", "Synthesise an archive and say what is in it", MakeGenerate},
           {"enumerate", "Write all archives of a few records over a small alphabet",
            MakeEnumerate},
           {"mutate", "Break exactly one rule in a copy of an archive", MakeMutate},
           {"shrink", "Find the smallest archive that keeps a finding", MakeShrink},
           {"testee", "Answer requests of the testee protocol on standard input", MakeTestee},
           {"list", "List the validity rules and the checks of agents and collectors", MakeList},
           {"config", "Show the settings of pmproof.toml and PMPROOF_* that hold here", MakeConfig},
           {"explain", "Explain a rule or check, or print a clause of the specification",
            MakeExplain}},
      .groups = {
          {"policy", "Policies for archives (check --policy): explain one"},
          {"rules",
           "Interpolation profiles: list them, show where two differ, find one by its answers"},
          {"agent", "Agents (PMDAs): check, check their files, serve, run scripts"},
          {"collector", "Collectors (pmcd): check one, prepare one for all checks"}}};
}

}  // namespace pmproof::validator
