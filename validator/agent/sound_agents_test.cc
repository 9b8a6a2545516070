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
  RC_ASSERT(catalogue.has_value());
  const AgentModel model = *generators::AnyAgent();
  const bool has_value = std::any_of(model.metrics.begin(), model.metrics.end(),
                                     [](const auto& metric) { return metric.has_value(); });
  if (model.metrics.empty()) return;
  const auto report = testing::CheckModel(testing::MemorySubject(model, nullptr), model);
  for (const auto& [id, because] : testing::Those(report, Outcome::kNotChecked)) {
    if (id == "CKA-156"_clause || (id == "CKA-036"_clause && !has_value)) continue;
    if (catalogue->Find(id)->required()) RC_FAIL(id.ToString() + ": " + because);
  }
}

// Clients whose user it was told, a bit for each.
void Remember(FaultContext& context, const Request& request, pdu::Buffer&) {
  const auto* const attr = request.As<pdu::Attr>();
  if (attr == nullptr || attr->attribute != pdu::Attribute::kUserId) return;
  if (attr->value != std::to_string(geteuid()) + '\0') return;
  if (request.from >= 0 && request.from < 63) context.count |= std::int64_t{1} << request.from;
}
void RefuseStrangers(FaultContext& context, const Request& request, pdu::Buffer& reply) {
  if (request.type != pdu::PduType::kFetch && request.type != pdu::PduType::kInstanceReq) return;
  const bool known =
      request.from >= 0 && request.from < 63 && (context.count >> request.from & 1) != 0;
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
