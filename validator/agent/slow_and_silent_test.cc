// SPDX-License-Identifier: Apache-2.0
// What is done while an agent says nothing, and what is not done any more after it.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "generators/agent/random_agent.h"
#include "reference/pmda/transport/memory_transport.h"
#include "validator/agent/check.h"
#include "validator/agent/run.h"
#include "validator/agent/testing/memory_subject.h"
#include "validator/catalogue/check_catalogue.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::Fault;
using generators::FaultContext;
using generators::Request;
using std::chrono::milliseconds;
using std::chrono::seconds;

AgentModel AnyModel() {
  generators::Random random(11);
  return generators::RandomAgent(random, {.complete = true});
}

// How many agents have been started. Any thread.
class Starts {
 public:
  Subject Counting(Subject subject) {
    subject.in_memory = [this, start = subject.in_memory](const pmda::AgentCommand& command) {
      const std::scoped_lock lock(mutex_);
      ++count_;
      changed_.notify_all();
      return start(command);
    };
    return subject;
  }
  bool WaitFor(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(10), [&] { return count_ >= count; });
  }
  int count() {
    const std::scoped_lock lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_{};
  std::condition_variable changed_{};
  int count_ = 0;
};

// Of the test that runs: faults are functions without a state.
Starts* starts = nullptr;
bool others_came = false;

constexpr const char* kBudgetUsedUp = "the budget of the run (--budget) was used up";

class SlowOrSilent : public ::testing::Test {
 protected:
  void SetUp() override {
    starts = &starts_;
    others_came = false;
  }

  Starts starts_;
};

// The first agent gives its first answer only when three others have been started.
void WaitForOthers(FaultContext& context, const Request& request, pdu::Buffer&) {
  if (context.start > 1 || context.count > 0 || !pdu::AgentAnswers(request.type)) return;
  context.count = 1;
  others_came = starts->WaitFor(4);
}

TEST_F(SlowOrSilent, OneThatIsSlowToAnswerIsNotWaitedForAlone) {
  constexpr Fault kSlow{.request = WaitForOthers};
  const AgentModel model = AnyModel();
  const auto catalogue = CheckCatalogue::Shipped();
  const std::vector<Clause> made = {"CKA-001"_clause, "CKA-002"_clause, "CKA-003"_clause,
                                    "CKA-005"_clause, "CKA-009"_clause, "CKA-030"_clause};
  const AgentReport report =
      CheckAgent(starts_.Counting(testing::MemorySubject(model, &kSlow)), {.domain = model.domain},
                 AllChecks(), catalogue, {.jobs = 2, .added = made});
  EXPECT_TRUE(others_came);
  EXPECT_EQ(report.failure, std::nullopt);
  EXPECT_EQ(report.metrics, model.metrics.size());
  EXPECT_EQ(testing::Those(report, Outcome::kPass).size(), made.size());
}

TEST_F(SlowOrSilent, OneThatAnswersNothingIsAskedOneOfEachRequest) {
  constexpr Fault kDeaf{
      .reply = [](FaultContext&, const Request&, pdu::Buffer& reply) { reply.clear(); }};
  const AgentModel model = AnyModel();
  const auto report =
      testing::CheckModel(starts_.Counting(testing::MemorySubject(model, &kDeaf)), model);
  EXPECT_EQ(report.failure,
            "whatever it is asked after the handshake, the agent gives no answer "
            "(within 5 s)");
  constexpr int kRequests = 6;
  constexpr int kBasicChecks = 7;
  EXPECT_EQ(starts_.count(), 1 + kRequests + kBasicChecks);
}

// Says nothing, and does not end.
class Nothing final : public AgentInMemory {
 public:
  std::unique_ptr<pmda::Transport> TakeTransport() override { return std::move(pair_.collector); }
  std::optional<pmda::ExitStatus> Exit() override { return std::nullopt; }
  pid_t process() const override { return 4711; }

 private:
  pmda::MemoryPair pair_ = pmda::MakeMemoryPair();
};

Subject NothingAtAll() {
  Subject subject;
  subject.in_memory = [](const pmda::AgentCommand&) { return std::make_unique<Nothing>(); };
  return subject;
}

TEST_F(SlowOrSilent, OneThatSaysNothingIsWaitedForOnce) {
  const AgentReport report = testing::CheckModel(NothingAtAll(), AnyModel());
  EXPECT_NE(report.failure->find("(within 3 s)"), std::string::npos) << *report.failure;
  int waits = 0;
  for (const CheckOutcome& check : report.checks) {
    const std::string& because = check.verdict.because;
    if (because.find("(within") == std::string::npos) continue;
    ++waits;
    EXPECT_NE(because.find("as it was silent for 3 s before"), std::string::npos)
        << check.id.ToString() << ": " << because;
  }
  EXPECT_EQ(waits, 7);
}

TEST_F(SlowOrSilent, OneThatSaysNothingWithinTheBudgetIsNotBlamed) {
  const auto catalogue = CheckCatalogue::Shipped();
  const AgentReport report =
      CheckAgent(NothingAtAll(), {}, AllChecks(), catalogue, {.budget = milliseconds(0)});
  EXPECT_EQ(report.failure, kBudgetUsedUp);
  for (const CheckOutcome& check : report.checks) {
    EXPECT_EQ(check.verdict.outcome, Outcome::kNotChecked);
    if (check.id == "CKA-008"_clause) continue;
    EXPECT_EQ(check.verdict.because, report.failure) << check.id.ToString();
  }
}

// The budget is used up while the second agent is listened to.
constexpr milliseconds kBudget{1000};
void OutlastTheBudget(FaultContext& context, pdu::Buffer&) {
  if (context.start != 2 || context.count > 0) return;
  context.count = 1;
  std::this_thread::sleep_for(kBudget);
}

// What that check says of such an agent, which is not checked.
std::string WhyNotChecked(const Fault& fault, Clause id) {
  const AgentModel model = AnyModel();
  const auto catalogue = CheckCatalogue::Shipped();
  AgentReport report = CheckAgent(testing::MemorySubject(model, &fault), {.domain = model.domain},
                                  AllChecks(), catalogue, {.added = {id}, .budget = kBudget});
  EXPECT_EQ(report.failure, std::nullopt);
  return testing::Those(report, Outcome::kNotChecked)[id];
}

TEST_F(SlowOrSilent, NothingPassesForASilenceAfterTheBudget) {
  constexpr Fault kLate{.idle = OutlastTheBudget};
  EXPECT_EQ(WhyNotChecked(kLate, "CKA-002"_clause), kBudgetUsedUp);
}

TEST_F(SlowOrSilent, NothingFailsForWhatOthersDidNotReportWithinTheBudget) {
  // CKA-003 leaves that to CKA-001.
  constexpr Fault kSecondHasNoCreds{.begin =
                                        [](FaultContext& context, pdu::Buffer& creds) {
                                          if (context.start == 2) creds.clear();
                                        },
                                    .idle = OutlastTheBudget};
  EXPECT_EQ(WhyNotChecked(kSecondHasNoCreds, "CKA-003"_clause), kBudgetUsedUp);
}

TEST_F(SlowOrSilent, OneThatHadToBeKilledIsKilledSoonerNextTime) {
  const Subject subject = NothingAtAll();
  EXPECT_EQ(subject.waits->ForCleanUp(/*silent=*/false).terminated, milliseconds(200));
  {
    ExchangeLog log;
    const auto session = Session::Start(subject, 1, &log);
    ASSERT_TRUE(session.has_value());
  }
  EXPECT_EQ(subject.waits->ForCleanUp(/*silent=*/false).terminated, milliseconds(20));
}

}  // namespace
}  // namespace pmproof::validator::agent
