// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/testing/memory_subject.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "generators/agent/memory_agent.h"
#include "validator/agent/check.h"
#include "validator/agent/run.h"

namespace pmproof::validator::agent::testing {
namespace {

class Generated final : public AgentInMemory {
 public:
  Generated(const generators::AgentModel& model, const generators::Fault* fault,
            const pmda::AgentCommand& command, int start)
      : agent_(model, fault, command.words, start) {}

  std::unique_ptr<pmda::Transport> TakeTransport() override { return agent_.TakeTransport(); }
  std::optional<pmda::ExitStatus> Exit() override {
    while (agent_.Work()) continue;
    if (!agent_.ended()) return std::nullopt;
    return pmda::ExitStatus{.by_signal = *agent_.ended() != 0, .number = *agent_.ended()};
  }
  pid_t process() const override { return generators::MemoryAgent::kProcess; }

 private:
  generators::MemoryAgent agent_;
};

}  // namespace

Subject MemorySubject(const generators::AgentModel& model, const generators::Fault* fault) {
  Subject subject{.limits = SmallLimits(),
                  .says_ready = model.readiness == generators::Readiness::kAnnounced};
  subject.in_memory = [model, fault,
                       starts = std::make_shared<int>(0)](const pmda::AgentCommand& command) {
    return std::make_unique<Generated>(model, fault, command, ++*starts);
  };
  return subject;
}

Limits SmallLimits() {
  using std::chrono::milliseconds;
  return {.late = milliseconds(0),
          .counter = milliseconds(0),
          .piece = milliseconds(0),
          .cycles = 12,
          .pmids = 4000,
          .alternations = 120,
          .block = 2'000'000,
          .mutations = 1500,
          .requests = 400,
          .timed_requests = 200};
}

AgentReport CheckModel(const Subject& subject, const generators::AgentModel& model,
                       const std::vector<Clause>& only, const std::vector<Clause>& without) {
  const pmda::NameTree names = NamesOf(model);
  const Discovery discovery{.domain = model.domain, .names = &names, .stores = {"all"}};
  return CheckAgent(subject, discovery, AllChecks(), CheckCatalogue::Shipped(),
                    {.slow = true, .added = only, .removed = without});
}

std::map<Clause, std::string> Those(const AgentReport& report, Outcome outcome) {
  std::map<Clause, std::string> those;
  for (const CheckOutcome& check : report.checks) {
    if (check.verdict.outcome == outcome) those.emplace(check.id, check.verdict.because);
  }
  return those;
}

}  // namespace pmproof::validator::agent::testing
