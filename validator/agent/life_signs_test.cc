// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/life_signs.h"

#include <gtest/gtest.h>

#include "generators/agent/random_agent.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::Fault;
using generators::FaultContext;
using generators::Request;

constexpr std::uint32_t kDomain = 77;

constexpr Fault kDeaf{
    .reply = [](FaultContext&, const Request&, pdu::Buffer& reply) { reply.clear(); }};
constexpr Fault kAnswersLabelsOnly{
    .reply = [](FaultContext&, const Request& request, pdu::Buffer& reply) {
      if (request.type != pdu::PduType::kLabelReq) reply.clear();
    }};
constexpr Fault kNoCreds{.begin = [](FaultContext&, pdu::Buffer& creds) { creds.clear(); }};

generators::AgentModel AnyModel() {
  generators::Random random(11);
  return generators::RandomAgent(random, {.complete = true});
}

// `*starts`: how often it was started.
Subject Counted(const Fault* fault, int* starts) {
  Subject subject = testing::MemorySubject(AnyModel(), fault);
  subject.in_memory = [start = subject.in_memory, starts](const pmda::AgentCommand& command) {
    ++*starts;
    return start(command);
  };
  return subject;
}

TEST(LifeSigns, AreThereIfOneKindOfRequestIsAnswered) {
  int starts = 0;
  LifeSigns signs(Counted(&kAnswersLabelsOnly, &starts), kDomain);
  EXPECT_EQ(signs.Any(), true);
  EXPECT_EQ(starts, 5);
}

TEST(LifeSigns, AreLookedForOnce) {
  int starts = 0;
  LifeSigns signs(Counted(&kDeaf, &starts), kDomain);
  EXPECT_EQ(signs.Any(), false);
  EXPECT_EQ(signs.Any(), false);
  EXPECT_EQ(starts, 6);
}

TEST(LifeSigns, AreLookedForWhileWanted) {
  int starts = 0;
  LifeSigns signs(Counted(&kDeaf, &starts), kDomain);
  signs.Look([&] { return starts < 4; });
  EXPECT_EQ(starts, 4);
  EXPECT_EQ(signs.Any(), false);
  EXPECT_EQ(starts, 6);
}

TEST(LifeSigns, AreLookedForAgainWhereAnAgentCannotBeStartedBesideAnother) {
  bool exclusive = true;
  Subject subject = testing::MemorySubject(AnyModel(), nullptr);
  const Subject refused = testing::MemorySubject(AnyModel(), &kNoCreds);
  subject.in_memory = [&, start = subject.in_memory](const pmda::AgentCommand& command) {
    return exclusive ? refused.in_memory(command) : start(command);
  };
  LifeSigns signs(subject, kDomain);
  signs.Look([] { return true; });
  EXPECT_FALSE(signs.Any().has_value());
  exclusive = false;
  EXPECT_EQ(signs.Any(), true);
}

}  // namespace
}  // namespace pmproof::validator::agent
