// SPDX-License-Identifier: Apache-2.0
// Checks that look at more than one thing go on after an offence, and tell all of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/random_agent.h"
#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::AgentWish;
using generators::ErrorReply;
using generators::Fault;
using generators::FaultContext;
using generators::Request;
using pdu::Buffer;

AgentModel Complete(AgentWish::Names names = AgentWish::Names::kSome) {
  generators::Random random(11);
  return generators::RandomAgent(random, {.complete = true, .dynamic = names, .most_metrics = 0});
}

// What one check says of an agent with that fault: each offence.
std::vector<std::string> OffencesOf(Clause id, const Fault& fault,
                                    const AgentModel& model = Complete()) {
  const auto report = testing::CheckModel(testing::MemorySubject(model, &fault), model, {id});
  const auto made = std::ranges::find(report.checks, id, &CheckOutcome::id);
  if (made == report.checks.end() || made->verdict.outcome != Outcome::kFail) return {};
  std::vector<std::string> offences = {made->verdict.because};
  offences.insert(offences.end(), made->verdict.further.begin(), made->verdict.further.end());
  EXPECT_EQ(offences.size(), made->verdict.offences);
  return offences;
}

std::size_t CountOf(const std::vector<std::string>& offences, const std::string& part) {
  return static_cast<std::size_t>(std::ranges::count_if(offences, [&](const std::string& offence) {
    return offence.find(part) != std::string::npos;
  }));
}

bool IsOther(const FaultContext& context, Pmid pmid) {
  return pmid.flag() || context.model.FindMetric(pmid) == nullptr;
}

TEST(SeveralOffences, OfMetricsInOneFetch) {  // CKA-039, CKA-040
  constexpr Fault kNoValues{
      .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
        const auto* const fetch = request.As<pdu::Fetch>();
        if (fetch == nullptr || fetch->pmids.size() < 2) return;
        if (std::ranges::none_of(fetch->pmids, [&](Pmid pmid) { return IsOther(context, pmid); })) {
          return;
        }
        generators::EditSets(reply, [](auto& sets) {
          for (auto& one : sets) {
            one.values.clear();
            one.set.status = ErrorCode::kOk;
          }
        });
      }};
  const auto offences = OffencesOf("CKA-040"_clause, kNoValues);
  EXPECT_EQ(offences.size(), 3u);
  EXPECT_EQ(CountOf(offences, "which no metric has"), 1u);
  EXPECT_EQ(CountOf(offences, "which has values without it"), 2u);
}

TEST(SeveralOffences, OfClientsAndContexts) {  // CKA-048
  constexpr Fault kOfClientsOnly{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    const auto* const fetch = request.As<pdu::Fetch>();
    if (fetch == nullptr || (request.from == 0 && fetch->context == 0)) return;
    reply = ErrorReply(ErrorCode::kPmid);
  }};
  const auto offences = OffencesOf("CKA-048"_clause, kOfClientsOnly);
  ASSERT_EQ(offences.size(), 2u);
  EXPECT_NE(offences[0].find("from client 7"), std::string::npos) << offences[0];
  EXPECT_NE(offences[1].find("with context -1"), std::string::npos) << offences[1];
}

TEST(SeveralOffences, OfMetricsThatAreNotTheAgents) {  // CKA-050
  constexpr Fault kNone{.reply = [](FaultContext& context, const Request& request, Buffer& reply) {
    const auto* const fetch = request.As<pdu::Fetch>();
    if (fetch == nullptr || fetch->pmids.size() != 1 || !IsOther(context, fetch->pmids[0])) return;
    generators::EditSets(reply, [](auto& sets) { sets[0].set.status = ErrorCode::kOk; });
  }};
  const auto offences = OffencesOf("CKA-050"_clause, kNone);
  ASSERT_EQ(offences.size(), 2u);
  EXPECT_NE(offences[1].find("with the flag bit"), std::string::npos) << offences[1];
}

TEST(SeveralOffences, OfMetricsThatFetchDenies) {  // CKA-051
  constexpr Fault kDenies{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::Fetch>() == nullptr) return;
    generators::EditSets(reply, [](auto& sets) {
      for (auto& one : sets) {
        one.values.clear();
        one.set.status = ErrorCode::kPmid;
      }
    });
  }};
  const AgentModel model = Complete();
  const auto supported = std::ranges::count_if(
      model.metrics, [](const auto& metric) { return metric.type != MetricType::kNoSupport; });
  EXPECT_EQ(OffencesOf("CKA-051"_clause, kDenies, model).size(),
            static_cast<std::size_t>(supported));
}

TEST(SeveralOffences, OfNamesThatThereAreNot) {  // CKA-096, CKA-099
  constexpr Fault kOtherCode{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    const bool names = request.As<pdu::PmnsNames>() != nullptr;
    const bool ids = request.As<pdu::PmnsIds>() != nullptr;
    if ((names || ids) && generators::Is(reply, pdu::PduType::kError)) {
      reply = ErrorReply(ErrorCode::kValue);
    }
  }};
  EXPECT_EQ(OffencesOf("CKA-096"_clause, kOtherCode).size(), 2u);
  EXPECT_EQ(OffencesOf("CKA-099"_clause, kOtherCode, Complete(AgentWish::Names::kNone)).size(), 2u);
}

TEST(SeveralOffences, OfInstancesThatRepeatWhatWasAskedWrongly) {  // CKA-106
  constexpr Fault kWrongly{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    const auto* const asked = request.As<pdu::InstanceReq>();
    if (asked == nullptr || !generators::Is(reply, pdu::PduType::kInstance)) return;
    if (asked->name.empty() && asked->instance == kInstanceNull) {
      constexpr std::size_t kIndom = 12;
      generators::SetU32(reply, kIndom, generators::GetU32(reply, kIndom) ^ 1);
      return;
    }
    generators::EditInstances(reply, [&](std::vector<pdu::InstanceEntry>& entries) {
      if (asked->name.empty()) entries[0].instance = asked->instance + 1;
      if (!asked->name.empty()) entries[0].name = "another";
    });
  }};
  const AgentModel model = Complete();
  const auto offences = OffencesOf("CKA-106"_clause, kWrongly, model);
  const std::size_t indoms = CountOf(offences, "the answer has indom");
  const std::size_t numbers = CountOf(offences, "where -1 is due");
  EXPECT_EQ(indoms, model.indoms.size());
  EXPECT_GT(numbers, 1u);
  EXPECT_EQ(CountOf(offences, "the name \"another\""), numbers);
  EXPECT_EQ(offences.size(), indoms + 2 * numbers);
}

TEST(SeveralOffences, OfHelpThatThereIsNot) {  // CKA-090
  constexpr Fault kOtherCode{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::TextReq>() != nullptr && generators::Is(reply, pdu::PduType::kError)) {
      reply = ErrorReply(ErrorCode::kValue);
    }
  }};
  EXPECT_EQ(OffencesOf("CKA-090"_clause, kOtherCode).size(), 2u);
}

TEST(SeveralOffences, OfMetricsAndInstancesOfTheWrongDomain) {  // CKA-018
  const Fault ignores{.ignores_domain_option = true};
  const AgentModel model = Complete();
  EXPECT_EQ(OffencesOf("CKA-018"_clause, ignores, model).size(),
            model.metrics.size() + model.indoms.size());
}

TEST(SeveralOffences, AreNotSaidAgainOfAnotherDomain) {  // CKA-018
  // As soon as it is started once more, as agents that know some only once names were asked for.
  constexpr Fault kRefuses{
      .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
        if (context.start == 1) return;
        const auto* const desc = request.As<pdu::DescReq>();
        const std::uint32_t first = context.model.metrics.front().pmid(0).value;
        const bool other = desc != nullptr && (desc->pmid.value & 0x3fffff) != first;
        if (other) reply = ErrorReply(ErrorCode::kPmid);
        if (request.As<pdu::InstanceReq>() != nullptr) reply = ErrorReply(ErrorCode::kAgain);
      }};
  const AgentModel model = Complete();
  const auto report = testing::CheckModel(testing::MemorySubject(model, &kRefuses), model,
                                          {"CKA-018"_clause, "CKA-030"_clause});
  EXPECT_TRUE(testing::Those(report, Outcome::kFail).contains("CKA-030"_clause));
  EXPECT_TRUE(testing::Those(report, Outcome::kNotChecked).contains("CKA-018"_clause));
}

// What is seen only when the agent is first met is the failure of a check, too.
TEST(SeveralOffences, ThatAreNotSeenAgain) {
  constexpr Fault kNoCreds{.begin = [](FaultContext& context, Buffer& creds) {
    if (context.start == 1) creds = ErrorReply(pdu::kErrIpc);
  }};
  const AgentModel model = Complete();
  const auto report = testing::CheckModel(testing::MemorySubject(model, &kNoCreds), model);
  EXPECT_EQ(testing::Those(report, Outcome::kFail),
            (std::map<Clause, std::string>{
                {"CKA-001"_clause,
                 "at another start of it: the first thing from the agent must be CREDS, but there "
                 "is ERROR -12366 (PM_ERR_IPC)"}}));
}

// Of few labels each is asked for more than once.
TEST(SeveralOffences, OfLabelsThatAreRightAtFirst) {  // CKA-091
  constexpr Fault kRefusesAgain{
      .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
        if (request.As<pdu::LabelReq>() == nullptr) return;
        const Buffer bytes(request.bytes.begin(), request.bytes.end());
        if (std::ranges::find(context.kept, bytes) != context.kept.end()) {
          reply = ErrorReply(ErrorCode::kAgain);
        }
        context.kept.push_back(bytes);
      }};
  const auto offences = OffencesOf("CKA-091"_clause, kRefusesAgain);
  EXPECT_GT(offences.size(), 1u);
  EXPECT_EQ(CountOf(offences, "where LABEL is due"), offences.size());
}

TEST(SeveralOffences, AreNotSaidAgainOfAnnouncements) {  // CKA-161
  constexpr Fault kRefuses{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::Fetch>() != nullptr) reply = ErrorReply(ErrorCode::kAgain);
  }};
  const AgentModel model = Complete();
  const auto report = testing::CheckModel(testing::MemorySubject(model, &kRefuses), model,
                                          {"CKA-035"_clause, "CKA-161"_clause});
  EXPECT_TRUE(testing::Those(report, Outcome::kFail).contains("CKA-035"_clause));
  EXPECT_TRUE(testing::Those(report, Outcome::kNotChecked).contains("CKA-161"_clause));
}

TEST(SeveralOffences, OfHeadersAfterWhichThereIsNoWayBack) {  // CKA-135
  const Fault stays{.stays = {generators::ChannelEnd::kBadLength}};
  const auto offences = OffencesOf("CKA-135"_clause, stays);
  EXPECT_EQ(offences.size(), 4u);
  EXPECT_EQ(CountOf(offences, "is still running"), 4u);
}

}  // namespace
}  // namespace pmproof::validator::agent
