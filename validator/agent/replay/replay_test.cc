// SPDX-License-Identifier: Apache-2.0
// The failures of faulty agents, recorded, written, read and repeated: the same agent shows the
// failure again, a sound one does not.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "generators/agent/arbitrary_agent.h"
#include "generators/agent/faults/faults.h"
#include "validator/agent/check.h"
#include "validator/agent/replay/judge.h"
#include "validator/agent/replay/play.h"
#include "validator/agent/run.h"
#include "validator/agent/testing/memory_subject.h"
#include "validator/catalogue/check_catalogue.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::Fault;

constexpr std::uint64_t kSeed = 2;

// What shows them is not in an exchange: a name of --pmns, as much as a channel takes.
const std::set<std::string_view> kNotInTheExchange = {"lacks-a-named-metric",
                                                      "loses-requests-of-a-full-channel"};

std::vector<Fault> FaultsInMemory() {
  std::vector<Fault> faults = generators::AllFaults();
  std::erase_if(faults, [](const Fault& fault) { return fault.needs_process; });
  return faults;
}

// Recorded, written, and read again.
ExchangeFile Recorded(const Fault& fault, const AgentModel& model) {
  const auto catalogue = CheckCatalogue::Shipped();
  const pmda::NameTree names = NamesOf(model);
  const Discovery discovery{.domain = model.domain, .names = &names, .stores = {"all"}};
  Knowledge known;
  const Subject subject = testing::MemorySubject(model, &fault);
  const AgentReport report =
      CheckAgent(subject, discovery, AllChecks(), catalogue,
                 {.slow = true, .added = {fault.check}, .record = true, .knowledge = &known});
  std::ostringstream out;
  WriteExchanges(report, known, subject.says_ready, out);
  auto file = ReadExchanges(AsBytes(out.str()), "exchange");
  EXPECT_TRUE(file.has_value()) << file.error().ToText();
  if (!file) return {};
  // Nothing is lost on the way.
  for (const CheckOutcome& outcome : report.checks) {
    if (!outcome.recording) continue;
    for (const RecordedFailure& failure : file->failures) {
      if (failure.check != outcome.id) continue;
      std::vector<ExchangeStep> steps = outcome.recording->steps;
      for (ExchangeStep& step : steps) {
        if (step.kind == ExchangeStep::Kind::kStart) {
          step.words.erase(step.words.begin(), step.words.begin() + std::ssize(report.command));
        }
      }
      EXPECT_EQ(failure.recording.steps, steps);
    }
  }
  return *std::move(file);
}

Judgement After(const ExchangeFile& file, const RecordedFailure& failure, const Subject& subject) {
  // Some agents are sound when they are started for the first time.
  (void)subject.in_memory(subject.command);
  const Played played = Play(subject, failure.recording, {});
  EXPECT_EQ(played.failure, "");
  return Judge(failure, file, played.now, testing::SmallLimits());
}

class RecordedFault : public ::testing::TestWithParam<Fault> {};

TEST_P(RecordedFault, IsSeenAgainInTheSameAgentAndNotInASoundOne) {
  const Fault& fault = GetParam();
  const AgentModel model = FaultyModel(fault, kSeed);
  const ExchangeFile file = Recorded(fault, model);
  const auto failure = std::ranges::find(file.failures, fault.check, &RecordedFailure::check);
  // A check that judges all others has no exchange.
  const std::vector<Check> checks = AllChecks();
  const auto check = std::ranges::find(checks, fault.check, &Check::id);
  if (std::holds_alternative<Check::AfterAll>(check->run)) return;
  ASSERT_NE(failure, file.failures.end()) << fault.does;
  const Judgement again = After(file, *failure, testing::MemorySubject(model, &fault));
  if (kNotInTheExchange.contains(fault.id)) {
    EXPECT_EQ(again.kind, Judgement::Kind::kUnknown) << again.because;
    return;
  }
  EXPECT_EQ(again.kind, Judgement::Kind::kAgain)
      << fault.does << "\nrecorded: " << failure->verdict.because << "\nnow: " << again.because;
  const Judgement sound = After(file, *failure, testing::MemorySubject(model, nullptr));
  EXPECT_EQ(sound.kind, Judgement::Kind::kNotSeen) << fault.does << "\nnow: " << sound.because;
}

INSTANTIATE_TEST_SUITE_P(Faults, RecordedFault, ::testing::ValuesIn(FaultsInMemory()),
                         [](const auto& each) {
                           std::string name =
                               each.param.check.ToString() + "-" + std::string(each.param.id);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pmproof::validator::agent
