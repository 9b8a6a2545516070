// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/agent_responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/pmda/pdu/testing/wire_words.h"
#include "reference/pmda/runtime/testing/agent_fixture.h"

// Chapters 7, 8 and 10: how a session with an agent begins, and what changes its state.

namespace pmproof::pmda {
namespace {

using testing::ElementsAre;

// --- Set-up.

TEST(HandshakeTest, TheAgentSpeaksFirst) {  // PDU-130
  Agent agent({.domain = kDomain, .features = pdu::kFeatureAuth | pdu::kFeatureContainer});
  AgentResponder responder(agent, 0x4d2);
  pdu::Buffer out;
  responder.Begin(&out);
  EXPECT_EQ(out, pdu::Words({0x14, 0x700c, 0x4d2, 1, 0x01020044}));
}

Responder::Next FirstPdu(std::initializer_list<std::uint32_t> words, pdu::Buffer* out) {
  Agent agent({.domain = kDomain});
  AgentResponder responder(agent, 1);
  return responder.Respond(pdu::Words(words), out);
}

TEST(HandshakeTest, AnyVersionAndUnknownCredentialsAreTaken) {  // PDU-053, PDU-135
  pdu::Buffer out;
  for (const std::uint32_t credential : {0x01020000U, 0x01000000U, 0x01030000U, 0x09000000U}) {
    EXPECT_EQ(FirstPdu({0x14, 0x700c, 7, 1, credential}, &out), Responder::Next::kGoOn);
  }
  EXPECT_EQ(FirstPdu({0x18, 0x700c, 7, 2, 0x01020000, 0x09000000}, &out), Responder::Next::kGoOn);
  EXPECT_TRUE(out.empty());
}

TEST(HandshakeTest, AnotherPduIsSwallowed) {  // PDU-135
  pdu::Buffer out;
  EXPECT_EQ(FirstPdu({0x10, 0x7004, 0, Metric(0).value}, &out), Responder::Next::kGoOn);
  EXPECT_EQ(FirstPdu({0xc, 0x7fff, 0}, &out), Responder::Next::kGoOn);
  EXPECT_EQ(FirstPdu({0xc, 0x7003, 0}, &out), Responder::Next::kGoOn);
  EXPECT_TRUE(out.empty());
}

TEST(HandshakeTest, MalformedCredsEndTheAgent) {  // PDU-135
  pdu::Buffer out;
  EXPECT_EQ(FirstPdu({0x14, 0x700c, 7, 2, 0x01020000}, &out), Responder::Next::kEnd);
  EXPECT_TRUE(out.empty());
}

TEST_F(AgentTest, LaterCredsAreSilent) {  // PMD-071
  EXPECT_EQ(talk_.AskBytes(pdu::Words({0x14, 0x700c, 7, 1, 0x01020000})), "silent");
  EXPECT_EQ(talk_.AskBytes(pdu::Words({0x10, 0x700c, 7, 0})), "silent");
}

// --- Stores.

pdu::Buffer StoreOf(Pmid pmid, const Value& value) {
  pdu::ResultBuilder builder;
  builder.Begin();
  builder.AddSet(pmid);
  builder.Add(kInstanceNull, value);
  pdu::Buffer bytes;
  (void)builder.Finish(pdu::ResultBuilder::Envelope{.seconds = 0x1234, .microseconds = -1}, &bytes);
  return bytes;
}

TEST_F(AgentTest, StoresAreRefusedUnlessTheAgentTakesThem) {  // DSO-056, PMD-094, PMD-095
  EXPECT_EQ(talk_.AskBytes(StoreOf(Metric(0), Value::Of(1))), Error(-12387));
  EXPECT_EQ(talk_.AskBytes(StoreOf(Metric(9), Value::Of(1.0))), Error(-12387));
  EXPECT_EQ(talk_.Ask(pdu::Result{}), Error(0));
  EXPECT_EQ(talk_.Ask(pdu::Result{0, 0, std::array{pdu::ValueSet{Metric(0)}}}), Error(0));
}

TEST_F(AgentTest, TheAgentSeesWhatIsStored) {
  std::vector<double> stored;
  agent_.hooks().store = [&](pdu::List<pdu::ValueSet> sets) {
    EXPECT_EQ(agent_.client(), 0);
    for (const pdu::ValueSet& set : sets) {
      const auto value = pdu::ValueOf(set.values.front(), set.format, MetricType::kDouble);
      if (!value) return ErrorCode::kConversion;
      stored.push_back(value->AsDouble());
    }
    return ErrorCode::kOk;
  };
  EXPECT_EQ(talk_.AskBytes(StoreOf(Metric(0), Value::Of(2.5))), Error(0));
  EXPECT_EQ(talk_.AskBytes(StoreOf(Metric(0), Value::Of(2))), Error(-12362));
  EXPECT_THAT(stored, ElementsAre(2.5));
}

// --- Clients.

TEST_F(AgentTest, ClientsComeAndGoInSilence) {  // PMD-020, PMD-021, PMD-072, CKA-100, CKA-134
  std::vector<std::string> events;
  agent_.hooks().attribute = [&](pdu::Attribute attribute, std::string_view value) {
    events.push_back(std::to_string(agent_.client()) + " has " +
                     std::to_string(static_cast<int>(attribute)) + "=" + std::string(value));
  };
  agent_.hooks().end_of_client = [&](std::int32_t client) {
    events.push_back(std::to_string(client) + " left");
  };
  const std::string_view with_nul("1000\0", 5);
  EXPECT_EQ(talk_.Ask(pdu::Attr{pdu::Attribute::kUserId, with_nul}, 3), "silent");
  EXPECT_EQ(talk_.Ask(pdu::Attr{pdu::Attribute{99}, "x"}, 3), "silent");
  EXPECT_EQ(talk_.Ask(pdu::Error{pdu::kErrNotConnected}, 3), "silent");
  EXPECT_EQ(talk_.Ask(pdu::Error{pdu::kErrIpc}, 4), "silent");
  EXPECT_EQ(talk_.Ask(pdu::Error{ErrorCode::kOk}), "silent");
  EXPECT_THAT(events, ElementsAre("3 has 11=1000", "3 has 99=x", "3 left"));
}

// --- Not ready.

TEST_F(AgentTest, NotReadyIsSaidOnceAndThenReady) {  // PMD-048, PMD-101, CKA-159
  Add(0, MetricType::k32, Value::Of(5));
  AgentResponder& responder = talk_.responder();
  agent_.SetNotReadyUntil(Deadline::Never());
  EXPECT_FALSE(responder.waiting());
  EXPECT_EQ(talk_.Ask(pdu::Profile{}), "silent");
  EXPECT_FALSE(responder.waiting());
  EXPECT_EQ(Fetch({Metric(0)}), Error(-13394));
  EXPECT_TRUE(responder.waiting());
  pdu::Buffer out;
  responder.Wake(&out);  // too soon
  EXPECT_TRUE(out.empty());
  agent_.SetNotReadyUntil(Deadline::Passed());
  responder.Wake(&out);
  EXPECT_EQ(AllToText(out), Error(-13393));
  EXPECT_FALSE(responder.waiting());
  EXPECT_EQ(Fetch({Metric(0)}), "[{401.0.0 insitu -1:00000005}]");
}

TEST_F(AgentTest, WhoIsReadyBeforeItIsAskedSaysNothing) {
  Add(0, MetricType::k32, Value::Of(5));
  agent_.SetNotReadyUntil(Deadline::Never());
  agent_.SetNotReadyUntil(Deadline::Passed());
  EXPECT_EQ(Fetch({Metric(0)}), "[{401.0.0 insitu -1:00000005}]");
}

TEST(NotReadyTest, AnEntryWithThatKeywordIsToldWhenItIsReady) {  // PMD-049, CKA-160
  for (const bool at_once : {true, false}) {
    Agent agent({.domain = kDomain});
    agent.set_announces_ready(true);
    if (!at_once) agent.SetNotReadyUntil(Deadline::Never());
    AgentResponder responder(agent, 1);
    pdu::Buffer out;
    responder.Begin(&out);
    out.clear();
    (void)responder.Respond(pdu::Words({0x14, 0x700c, 7, 1, 0x01020000}), &out);
    EXPECT_EQ(AllToText(out), at_once ? Error(-13393) : "silent");
    EXPECT_EQ(responder.waiting(), !at_once);
    if (at_once) continue;
    agent.SetNotReadyUntil(Deadline::Passed());
    responder.Wake(&out);
    EXPECT_EQ(AllToText(out), Error(-13393));
  }
}

}  // namespace
}  // namespace pmproof::pmda
