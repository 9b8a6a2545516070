// SPDX-License-Identifier: Apache-2.0
// Sound agents have no failure, and of one that has everything nothing is left unchecked.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <string>

#include "generators/agent/arbitrary_agent.h"
#include "generators/agent/faults/edit_pdu.h"
#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/testing/memory_subject.h"
#include "validator/catalogue/check_catalogue.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::AgentWish;
using generators::Fault;
using generators::FaultContext;
using generators::Request;
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

RC_GTEST_PROP(SoundAgents, WhoseInstancesComeAndGoHaveNoFailure, ()) {
  const Texts failures = Failures(*generators::AnyAgent({.complete = true, .changing = true}));
  if (!failures.empty()) RC_FAIL(ToText(failures));
}

// The domain is {a, b, c} and {a, b, d} in turn, or filled by the first FETCH.
AgentModel ChangingAgent(bool turns, bool by_request, bool filled) {
  using generators::Turns;
  AgentModel model{.name = "moving", .domain = 77};
  model.indoms.push_back({.serial = 3,
                          .instances = {{.number = 0, .name = "a"},
                                        {.number = 1, .name = "b two"},
                                        {.number = 2, .name = "c"}},
                          .filled_by_fetch = filled,
                          .turns_by_request = by_request});
  if (turns) {
    model.indoms[0].instances[2].turns = Turns::kEven;
    model.indoms[0].instances.push_back({.number = 3, .name = "d", .turns = Turns::kOdd});
  }
  model.metrics.push_back({.name = "moving.size", .type = MetricType::kU32, .indom = 3});
  return model;
}

// CKA-043, 044, 047, 048, 061, 063..069, 080..084, PMD-221.
TEST(SoundAgent, MayChangeItsInstancesFromRequestToRequest) {
  const std::vector<Clause> due = {
      "CKA-043"_clause, "CKA-044"_clause, "CKA-047"_clause, "CKA-048"_clause, "CKA-061"_clause,
      "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause, "CKA-067"_clause, "CKA-069"_clause,
      "CKA-080"_clause, "CKA-081"_clause, "CKA-082"_clause, "CKA-083"_clause, "CKA-084"_clause};
  for (const bool turns : {false, true}) {
    for (const bool by_request : {false, true}) {
      for (const bool filled : {false, true}) {
        const AgentModel model = ChangingAgent(turns, by_request, filled);
        const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
        EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "") << generators::ToText(model);
        const Texts passed = testing::Those(report, Outcome::kPass);
        for (const Clause id : due) {
          EXPECT_TRUE(passed.contains(id)) << id.ToString() << generators::ToText(model);
        }
        EXPECT_EQ(passed.contains("CKA-086"_clause), turns) << generators::ToText(model);
      }
    }
  }
}

// An agent forgets, when a client goes, what it was told of its user (PMD-028, PMD-072).
TEST(SoundAgent, MayRefuseAClientThatHasGone) {
  constexpr Fault kForgets{
      .reply = [](FaultContext& context, const Request& request, pdu::Buffer& reply) {
        const auto* const error = request.As<pdu::Error>();
        const bool gone = error != nullptr && error->code == pdu::kErrNotConnected;
        if (gone && request.from == 0) context.count = 1;
        if (context.count != 0 && request.As<pdu::InstanceReq>() != nullptr) {
          reply = generators::ErrorReply(pdu::kErrPermission);
        }
      }};
  generators::Random random(5);
  const AgentModel model = generators::RandomAgent(random, {.complete = true});
  const auto report = testing::CheckModel(testing::MemorySubject(model, &kForgets), model,
                                          {"CKA-157"_clause, "CKA-168"_clause});
  EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "");
  EXPECT_TRUE(testing::Those(report, Outcome::kPass).contains("CKA-157"_clause));
}

// CKA-151, CKA-152, CKA-153.
TEST(SoundAgent, MayNotBeReadyAtFirst) {
  generators::Random random(5);
  const AgentModel model = generators::RandomAgent(
      random, {.complete = true, .readiness = generators::Readiness::kAfterAsking});
  const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
  EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "");
  EXPECT_TRUE(testing::Those(report, Outcome::kPass).contains("CKA-152"_clause));
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

// What a sound agent may lack, the catalogue says it may lack: CKA-156 alone needs a process, which
// agents in memory are not, and CKA-036 a value.
RC_GTEST_PROP(SoundAgents, MissNoRequiredCheck, ()) {
  const auto catalogue = CheckCatalogue::Shipped();
  const AgentModel model = *generators::AnyAgent();
  const bool has_value = std::any_of(model.metrics.begin(), model.metrics.end(),
                                     [](const auto& metric) { return metric.has_value(); });
  if (model.metrics.empty()) return;
  const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
  for (const auto& [id, because] : testing::Those(report, Outcome::kNotChecked)) {
    if (id == "CKA-156"_clause || (id == "CKA-036"_clause && !has_value)) continue;
    if (catalogue.Find(id)->required()) RC_FAIL(id.ToString() + ": " + because);
  }
}

// Of a client; those that the checks use have one each.
std::int64_t BitOf(std::int32_t client) {
  constexpr std::int32_t kBits = 61;
  return client < 0 ? 0 : std::int64_t{1} << client % kBits;
}

// Clients whose user it was told.
void Remember(FaultContext& context, const Request& request, pdu::Buffer&) {
  const auto* const attr = request.As<pdu::Attr>();
  if (attr == nullptr || attr->attribute != pdu::Attribute::kUserId) return;
  if (attr->value != std::to_string(geteuid()) + '\0') return;
  context.count |= BitOf(request.from);
}
void RefuseStrangers(FaultContext& context, const Request& request, pdu::Buffer& reply) {
  if (request.type != pdu::PduType::kFetch && request.type != pdu::PduType::kInstanceReq) return;
  const bool known = (context.count & BitOf(request.from)) != 0;
  if (!known) reply = generators::ErrorReply(pdu::kErrPermission);
}

TEST(SoundAgent, MayRefuseClientsThatItWasNotToldOf) {  // PDU-134, PMD-027: proc does
  constexpr Fault kRefusesStrangers{.request = Remember, .reply = RefuseStrangers};
  for (const std::uint16_t features : {pdu::kFeatureAuth, pdu::kFeatureContainer}) {
    generators::Random random(5);
    AgentModel model = generators::RandomAgent(random, {.complete = true});
    model.features = features;
    const auto report =
        testing::CheckModel(testing::MemorySubject(model, &kRefusesStrangers), model);
    EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "") << features;
    EXPECT_EQ(testing::Those(report, Outcome::kPass).count("CKA-080"_clause), 1U) << features;
  }
}

TEST(SoundAgent, ThatAsksForNoAttributesIsNotTold) {  // PMD-027
  constexpr Fault kDiesOfAttributes{
      .request = [](FaultContext& context, const Request& request, pdu::Buffer&) {
        if (request.type == pdu::PduType::kAttr) context.Die(SIGSEGV);
      }};
  generators::Random random(5);
  const AgentModel model = generators::RandomAgent(random, {.complete = true, .no_features = true});
  const auto report = testing::CheckModel(
      testing::MemorySubject(model, &kDiesOfAttributes), model,
      {"CKA-034"_clause, "CKA-048"_clause, "CKA-060"_clause, "CKA-064"_clause, "CKA-080"_clause});
  EXPECT_EQ(ToText(testing::Those(report, Outcome::kFail)), "");
  EXPECT_EQ(testing::Those(report, Outcome::kPass).size(), 5U);
}

}  // namespace
}  // namespace pmproof::validator::agent
