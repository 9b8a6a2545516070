// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/agent/check.h"
#include "validator/agent/host/host_report.h"

// What 16.6 asks of agents that are shared objects. All other checks see them as daemons, through
// their host; these read what the host had to say.

namespace pmproof::validator::agent {
namespace {

// The report of the hosts that served the agent so far; the error: it is not a shared object.
VerdictOr<HostReport> ReportOf(const Bench& bench) {
  if (!bench.subject().host_report) return Unchecked("the agent is not a shared object (--dso)");
  HostReport report = HostReport::Read(*bench.subject().host_report);
  if (report.hosts == 0) return Unchecked("no host of it could be started");
  return report;
}

// CKA-163
Verdict FunctionsKeepTheInterface(const std::vector<Done>& others, Bench& bench) {
  const auto report = ReportOf(bench);
  if (!report) return report.error();
  if (!report->violations.empty()) {
    std::string because;
    for (const HostReport::Violation& violation : report->violations) {
      because += (because.empty() ? "" : "; ") + violation.function +
                 (violation.function.empty() ? "" : "() ") + violation.message + " [" +
                 violation.clause.ToString() + "]";
    }
    return Verdict::Fail(because);
  }
  std::size_t made = 0;
  for (const Done& done : others) made += done.verdict.outcome != Outcome::kNotChecked;
  if (made == 0) return Verdict::NotChecked("no other check was made");
  return Verdict::Pass(std::to_string(made) + " checks were made through the functions");
}

// CKA-164
Verdict InitSetsTheInterface(Bench& bench) {
  const auto report = ReportOf(bench);
  if (!report) return report.error();
  const dso::LoadFacts& load = *report->load;
  if (!load.loaded) return Verdict::NotChecked("it cannot be loaded: " + load.problem);
  if (!load.init_found) return Verdict::Fail("there is no such function: " + load.problem);
  if (!report->init) return Verdict::Fail("init did not return");
  const dso::InitFacts& init = *report->init;
  if (!init.refused.empty()) return Verdict::Fail(init.refused);
  if (!init.missing.empty()) {
    std::string names;
    for (const std::string& name : init.missing) names += (names.empty() ? "" : ", ") + name;
    return Verdict::Fail("interface " + std::to_string(init.version) +
                         " has null functions: " + names);
  }
  return Verdict::Pass("interface " + std::to_string(init.version) + ", PMAPI " +
                       std::to_string(init.pmapi));
}

// CKA-165
Verdict AllSymbolsAreThere(Bench& bench) {
  const auto report = ReportOf(bench);
  if (!report) return report.error();
  if (report->load->all_resolved) return Verdict::Pass();
  return Verdict::Fail("with RTLD_NOW: " + report->load->problem);
}

constexpr Check kChecks[] = {
    {"CKA-163"_clause, FunctionsKeepTheInterface},
    {"CKA-164"_clause, InitSetsTheInterface, Check::kBasic},
    {"CKA-165"_clause, AllSymbolsAreThere, Check::kBasic},
};

}  // namespace

std::span<const Check> DsoChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
