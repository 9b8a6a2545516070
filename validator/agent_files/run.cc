// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_files/run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace pmproof::validator::agent_files {
namespace {

using agent::AgentReport;
using agent::CheckOutcome;
using Clock = std::chrono::steady_clock;

// As discovery wants it: the names, and whether their domain 0 stands for the agent's.
agent::Discovery DiscoveryOf(const Material& material) {
  agent::Discovery discovery{.domain = material.domain};
  const auto& names = material.names();
  if (names.read) {
    discovery.names = &names.read->names;
    discovery.names_of_domain_0 = !names.read->symbol.empty();
  }
  return discovery;
}

void Tell(const Material& material, AgentReport* report) {
  report->files = material.folder;
  report->domain = material.domain;
  report->names_from = "nothing";
  const auto& names = material.names();
  if (names.read) {
    report->metrics = names.read->names.size();
    report->names_from = names.path;
    for (const pmda::Diagnosis& warning : names.read->warnings) {
      report->remarks.push_back(warning.ToText());
    }
  }
}

void Tell(const agent::Subject& subject, const VerdictOr<agent::Knowledge>& knowledge,
          AgentReport* report) {
  report->command = subject.command.words;
  report->transport = !subject.pipe()
                          ? (subject.address->kind == pmda::Address::Kind::kUnix   ? "unix"
                             : subject.address->kind == pmda::Address::Kind::kInet ? "inet"
                                                                                   : "ipv6")
                          : "pipe";
  if (!knowledge) return;
  report->metrics = knowledge->metrics.size();
  report->indoms = knowledge->instances.size();
  for (const auto& [indom, instances] : knowledge->instances) report->instances += instances.size();
  report->remarks.insert(report->remarks.end(), knowledge->remarks.begin(),
                         knowledge->remarks.end());
}

class Maker {
 public:
  Maker(const Material& material, const std::optional<agent::Subject>& subject)
      : material_(material), trials_(material) {
    if (!subject) return;
    agent::ExchangeLog log;
    knowledge_ = agent::Discover(*subject, DiscoveryOf(material), &log);
    running_.emplace(Running{*subject, knowledge_});
  }

  CheckOutcome Make(const Check& check) {
    const auto began = Clock::now();
    std::optional<agent::Bench> bench;
    if (running_ && knowledge_) bench.emplace(running_->subject, *knowledge_);
    Desk desk{.material = material_,
              .running = running_ ? &*running_ : nullptr,
              .bench = bench ? &*bench : nullptr,
              .trials = trials_};
    CheckOutcome outcome{.id = check.id, .verdict = check.run(desk)};
    if (bench) {
      outcome.exchange = bench->log().Lines();
      outcome.said = bench->log().Outputs();
      outcome.bytes_sent = bench->log().bytes_sent();
      outcome.bytes_received = bench->log().bytes_received();
    }
    outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    return outcome;
  }

  const VerdictOr<agent::Knowledge>& knowledge() const { return knowledge_; }

 private:
  const Material& material_;
  VerdictOr<agent::Knowledge> knowledge_ = Unchecked("there is no agent");
  std::optional<Running> running_{};
  InstallTrials trials_;
};

}  // namespace

std::vector<Check> AllChecks() {
  std::vector<Check> all;
  for (const std::span<const Check> checks : {NameChecks(), HelpChecks(), ConfigurationChecks(),
                                              RunningChecks(), QueryChecks(), InstallChecks()}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  return all;
}

AgentReport CheckFiles(const Question& question, const std::optional<agent::Subject>& subject,
                       const CheckCatalogue& catalogue, const RunOptions& options) {
  const auto began = Clock::now();
  AgentReport report;
  const Material material = ReadMaterial(question);
  Tell(material, &report);
  Maker maker(material, subject);
  if (subject) Tell(*subject, maker.knowledge(), &report);

  const std::vector<Check> checks = AllChecks();
  std::map<Clause, CheckOutcome> outcomes;
  for (const Check& check : checks) {
    if (options.stop && options.stop()) break;
    if (!options.selects || options.selects(check.id)) {
      outcomes.emplace(check.id, maker.Make(check));
    }
    if (options.progress) options.progress(outcomes.size(), checks.size());
  }
  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.subject != CheckEntry::Subject::kFiles) continue;
    if (const auto made = outcomes.find(entry.id); made != outcomes.end()) {
      report.checks.push_back(std::move(made->second));
      continue;
    }
    report.checks.push_back(
        {.id = entry.id, .verdict = Verdict::NotChecked("left out by --check"), .left_out = true});
  }
  report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  return report;
}

}  // namespace pmproof::validator::agent_files
