// Sound agents have no failure, and of one that has everything nothing is left unchecked.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>

#include "generators/agent/arbitrary_agent.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::AgentWish;
using Texts = std::map<Clause, std::string>;

// Sockets and processes; an agent without names or features, or one that is not ready, or whose
// instances come and go, is another; shared objects are not checked so.
const std::set<std::string> kNotInMemory = {"CKA-015", "CKA-016", "CKA-017", "CKA-086", "CKA-099",
                                            "CKA-101", "CKA-156", "CKA-159", "CKA-160", "CKA-161",
                                            "CKA-162", "CKA-163", "CKA-164", "CKA-165"};

Texts Failures(const AgentModel& model) {
  const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
  return testing::Those(report, Outcome::kFail);
}

std::string ToText(const Texts& texts) {
  std::string text;
  for (const auto& [id, because] : texts) text += id.ToString() + ": " + because + "\n";
  return text;
}

RC_GTEST_PROP(SoundAgents, HaveNoFailure, ()) {
  const Texts failures = Failures(*generators::AnyAgent());
  if (!failures.empty()) RC_FAIL(ToText(failures));
}

RC_GTEST_PROP(SoundAgents, ThatHaveEverythingHaveNoFailure, ()) {
  const Texts failures = Failures(*generators::AnyAgent({.complete = true}));
  if (!failures.empty()) RC_FAIL(ToText(failures));
}

TEST(SoundAgent, ThatHasEverythingIsCheckedThrough) {
  generators::Random random(5);
  const AgentModel model =
      generators::RandomAgent(random, {.complete = true, .dynamic = AgentWish::Names::kSome});
  const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
  std::set<std::string> unchecked;
  for (const auto& [id, because] : testing::Those(report, Outcome::kNotChecked)) {
    unchecked.insert(id.ToString());
  }
  EXPECT_EQ(unchecked, kNotInMemory) << ToText(testing::Those(report, Outcome::kNotChecked));
  EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "");
}

}  // namespace
}  // namespace pmproof::validator::agent
