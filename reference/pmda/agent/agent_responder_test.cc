#include "reference/pmda/agent/agent_responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/pmda/agent/testing/conversation.h"
#include "reference/pmda/names/help_source.h"
#include "reference/pmda/pdu/event_array_builder.h"
#include "reference/pmda/pdu/testing/words.h"

// Chapters 7, 8 and 10, request by request, and the defaults of chapter 12.

namespace pmproof::pmda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint32_t kDomain = 401;

constexpr Pmid Metric(std::uint32_t item) { return Pmid::Of(kDomain, 0, item); }

std::string Error(int code) { return "ERROR from=0 code=" + std::to_string(code); }

class AgentTest : public testing::Test {
 protected:
  std::string Fetch(const std::vector<Pmid>& pmids) {
    std::string text = talk_.Ask(pdu::Fetch{0, pmids});
    const std::string begin = "RESULT from=0 seconds=0 microseconds=0 sets=";
    return text.starts_with(begin) ? text.substr(begin.size()) : text;
  }

  // The only metric of the item, singular, with that sample.
  void Add(std::uint32_t item, MetricType type, Sample sample) {
    agent_.AddMetric({.item = item, .type = type},
                     [sample = std::move(sample)](std::int32_t) { return sample; });
  }

  Agent agent_{{.name = "test", .domain = kDomain}};
  Conversation talk_{agent_};
};

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

// --- Fetches.

TEST_F(AgentTest, ValuesOfEveryType) {  // PDU-102, PDU-105
  Add(0, MetricType::k32, Value::Of(-1));
  Add(1, MetricType::kU32, Value::Of(7U));
  Add(2, MetricType::k64, Value::Of(std::int64_t{-2}));
  Add(3, MetricType::kU64, Value::Of(std::uint64_t{3}));
  Add(4, MetricType::kFloat, Value::Of(100.0F));
  Add(5, MetricType::kDouble, Value::Of(10.0));
  Add(6, MetricType::kString, std::string("hi"));
  Add(7, MetricType::kAggregate, std::string("\1\2", 2));
  pdu::EventArrayBuilder events;
  Add(8, MetricType::kEvent, std::string(AsText(events.body())));
  EXPECT_EQ(Fetch({Metric(0), Metric(1), Metric(2), Metric(3), Metric(4)}),
            "[{401.0.0 insitu -1:ffffffff} {401.0.1 insitu -1:00000007} "
            "{401.0.2 dynamic -1:2/fffffffffffffffe} {401.0.3 dynamic -1:3/0000000000000003} "
            "{401.0.4 dynamic -1:4/42c80000}]");
  EXPECT_EQ(Fetch({Metric(5), Metric(6), Metric(7), Metric(8)}),
            "[{401.0.5 dynamic -1:5/4024000000000000} {401.0.6 dynamic -1:6/686900} "
            "{401.0.7 dynamic -1:7/0102} {401.0.8 dynamic -1:9/00000000}]");
}

TEST_F(AgentTest, AValueOfAnotherTypeIsNotSent) {  // PMD-094's code, on the way out
  Add(0, MetricType::kU64, Value::Of(1));
  Add(1, MetricType::k32, std::string("1"));
  Add(2, MetricType::kString, Value::Of(1));
  EXPECT_EQ(Fetch({Metric(0), Metric(1), Metric(2)}),
            "[{401.0.0 -12362} {401.0.1 -12362} {401.0.2 -12362}]");
}

TEST_F(AgentTest, ABadMetricIsItsOwnBusiness) {  // PMD-081, PMD-084
  Add(0, MetricType::k32, Value::Of(5));
  Add(1, MetricType::k32, pdu::kErrAppVersion);
  Add(2, MetricType::k32, NoValue());
  Add(3, MetricType::kNoSupport, Value::Of(5));
  EXPECT_EQ(Fetch({Metric(9), Metric(0), Metric(1), Metric(2), Metric(3)}),
            "[{401.0.9 -12358} {401.0.0 insitu -1:00000005} {401.0.1 -12350} {401.0.2 0} "
            "{401.0.3 -12350}]");
}

TEST_F(AgentTest, DomainAndFlagOfAPmidCount) {  // CKA-050, PMD-112
  Add(0, MetricType::k32, Value::Of(5));
  EXPECT_EQ(Fetch({Pmid::Of(7, 0, 0), Pmid{Metric(0).value | 0x80000000}}),
            "[{7.0.0 -12358} {401.0.0+flag -12358}]");
  EXPECT_EQ(talk_.Ask(pdu::DescReq{Pmid::Of(7, 0, 0)}), Error(-12358));
}

TEST_F(AgentTest, InstancesThatFailAreLeftOut) {  // PMD-082, PMD-083
  InstanceDomain& indom = agent_.AddIndom(0);
  for (const char* name : {"a", "b", "c"}) indom.Activate(name);
  std::array<Sample, 3> samples;
  agent_.AddMetric({.item = 0, .indom = 0},
                   [&](std::int32_t instance) { return samples.at(std::size_t(instance)); });
  const Sample good = Value::Of(1);
  const Sample bad = ErrorCode::kAgain;
  const Sample worse = pdu::kErrAppVersion;
  const auto values = [&](const Sample& a, const Sample& b, const Sample& c) {
    samples = {a, b, c};
    return Fetch({Metric(0)});
  };
  EXPECT_EQ(values(bad, good, worse), "[{401.0.0 insitu 1:00000001}]");
  EXPECT_EQ(values(bad, NoValue(), worse), "[{401.0.0 -12350}]");
  EXPECT_EQ(values(bad, worse, NoValue()), "[{401.0.0 0}]");
  indom.DeactivateAll();
  EXPECT_EQ(values(good, good, good), "[{401.0.0 0}]");
}

TEST_F(AgentTest, AFetchCanBeRefusedAsAWhole) {
  Add(0, MetricType::k32, Value::Of(5));
  agent_.hooks().before_fetch = [] { return pdu::kErrPermission; };
  EXPECT_EQ(Fetch({Metric(0)}), Error(-12387));
  agent_.hooks().before_fetch = [] { return ErrorCode{5}; };
  EXPECT_EQ(Fetch({Metric(0)}), Error(-12345));
}

TEST_F(AgentTest, ChangesAreToldOnce) {  // PDU-111, CKA-161
  Add(0, MetricType::k32, Value::Of(5));
  agent_.AnnounceChange(pdu::kLabelsChanged);
  agent_.AnnounceChange(pdu::kNamesChanged);
  EXPECT_THAT(talk_.Ask(pdu::Fetch{0, std::array{Metric(0)}}), HasSubstr(" seconds=24 "));
  EXPECT_THAT(talk_.Ask(pdu::Fetch{0, std::array{Metric(0)}}), HasSubstr(" seconds=0 "));
}

TEST_F(AgentTest, TheLargestFetchOfAClientIsAnswered) {  // PDU-005, CKA-046
  Add(0, MetricType::kU32, Value::Of(1U));
  const std::vector<Pmid> pmids(16377, Metric(0));
  pdu::Buffer request;
  ASSERT_TRUE(pdu::Encode({0, pdu::Fetch{0, pmids}}, &request));
  EXPECT_EQ(request.size(), 65536U);
  EXPECT_EQ(talk_.Answer(request).size(), 327564U);
}

// --- Descriptors.

TEST_F(AgentTest, Descriptors) {  // PMD-085, PMD-086
  agent_.AddIndom(3);
  agent_.AddMetric({.cluster = 2,
                    .item = 1,
                    .type = MetricType::kDouble,
                    .indom = 3,
                    .semantics = Semantics::kCounter,
                    .units = Units{0x01003000}},
                   nullptr);
  Add(7, MetricType::kNoSupport, NoValue());
  EXPECT_EQ(talk_.Ask(pdu::DescReq{Pmid::Of(kDomain, 2, 1)}),
            "DESC from=0 descriptor={401.2.1 type=5 indom=401.3 sem=1 units=01003000}");
  EXPECT_EQ(talk_.Ask(pdu::DescReq{Metric(7)}),
            "DESC from=0 descriptor={401.0.7 type=-1 indom=PM_INDOM_NULL sem=0 units=00000000}");
  EXPECT_EQ(talk_.Ask(pdu::DescReq{Metric(8)}), Error(-12358));
  EXPECT_EQ(Fetch({Pmid::Of(kDomain, 2, 1)}), "[{401.2.1 0}]");
}

TEST_F(AgentTest, AnotherDomainNumberIsInAllIdentifiers) {  // PMD-005, CKA-018
  agent_.AddIndom(0).Activate("one");
  agent_.AddMetric({.item = 1, .indom = 0}, [](std::int32_t) { return Value::Of(1); });
  EXPECT_TRUE(agent_.names().Add("a.b", Pmid::Of(0, 0, 1)) == NameTree::Outcome::kAdded);
  agent_.set_domain(77);
  const Pmid pmid = Pmid::Of(77, 0, 1);
  EXPECT_THAT(talk_.Ask(pdu::DescReq{pmid}), HasSubstr("{77.0.1 type=0 indom=77.0 "));
  EXPECT_EQ(Fetch({pmid}), "[{77.0.1 insitu 0:00000001}]");
  EXPECT_THAT(talk_.Ask(pdu::InstanceReq{Indom::Of(77, 0)}), HasSubstr("indom=77.0 "));
  EXPECT_EQ(talk_.Ask(pdu::PmnsNames{false, std::array{pdu::PmnsName{"a.b"}}}),
            "PMNS_IDS from=0 status=0 pmids=[77.0.1]");
  EXPECT_EQ(talk_.Ask(pdu::LabelReq{77, 2}),
            "LABEL from=0 ident=0000004d type=2 sets=[{-1 '{\"agent\":\"test\"}' [2+5/9+6/02]}]");
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{Indom::Of(kDomain, 0)}), Error(-12359));
}

TEST(AgentTableTest, WhatMakesNoSenseIsAFault) {  // DSO-060
  const auto fault = [](const std::function<void(Agent&)>& define) {
    Agent agent({.name = "x", .domain = kDomain});
    define(agent);
    return agent.fault() ? agent.fault()->ToText() : "";
  };
  EXPECT_EQ(fault([](Agent& agent) { agent.AddMetric({.indom = 1}, nullptr); }),
            "agent x: metric 0.0 is of an instance domain that is not there: 1 [DSO-060]");
  EXPECT_THAT(fault([](Agent& agent) {
                agent.AddMetric({.item = 1}, nullptr);
                agent.AddMetric({.item = 1}, nullptr);
              }),
              HasSubstr("metric 0.1 is there twice"));
  EXPECT_THAT(fault([](Agent& agent) { agent.AddMetric({.item = 1024}, nullptr); }),
              HasSubstr("metric 0.1024 is out of range"));
  EXPECT_THAT(fault([](Agent& agent) { agent.AddIndom(1 << 22); }), HasSubstr("out of range"));
  EXPECT_THAT(fault([](Agent& agent) { agent.SetLabels(LabelTarget::Domain(), "{"); }), "");
  EXPECT_THAT(fault([](Agent& agent) { agent.SetLabels(LabelTarget::Domain(), "{a}"); }),
              HasSubstr("no labels"));
  EXPECT_EQ(fault([](Agent& agent) { agent.AddMetric({.item = 1}, nullptr); }), "");
}

// --- Instances.

TEST_F(AgentTest, InstancesByNumberAndByName) {  // PDU-061, PDU-062, PMD-087, PMD-089
  InstanceDomain& indom = agent_.AddIndom(0);
  indom.Add(4, "four");
  const Indom id = Indom::Of(kDomain, 0);
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id}), "INSTANCE from=0 indom=401.0 instances=[4:'four']");
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, 4}),
            "INSTANCE from=0 indom=401.0 instances=[-1:'four']");
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, -1, "four"}),
            "INSTANCE from=0 indom=401.0 instances=[4:'']");
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, 4, "four"}), Error(-12360));
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, 5}), Error(-12360));
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, -5}), Error(-12360));
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{Indom::Of(kDomain, 1)}), Error(-12359));
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{Indom::Null()}), Error(-12359));  // PMD-111
  indom.DeactivateAll();
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id}), "INSTANCE from=0 indom=401.0 instances=[]");
  EXPECT_EQ(talk_.Ask(pdu::InstanceReq{id, 4}), Error(-12360));
}

TEST_F(AgentTest, NamesOfInstancesAreFoundByTheirFirstWord) {  // PMD-088, T44
  InstanceDomain& indom = agent_.AddIndom(0);
  for (const char* name : {"disk one", "cpu", "nic two words"}) indom.Activate(name);
  const auto look_up = [&](std::string_view name) {
    const std::string answer = talk_.Ask(pdu::InstanceReq{Indom::Of(kDomain, 0), -1, name});
    return answer == Error(-12360) ? "none" : answer.substr(answer.find('[') + 1, 1);
  };
  EXPECT_EQ(look_up("disk"), "0");
  EXPECT_EQ(look_up("disk one"), "0");
  EXPECT_EQ(look_up("cpu"), "1");
  EXPECT_EQ(look_up("nic"), "2");
  EXPECT_EQ(look_up("nic two words"), "2");
  for (const char* name :
       {"disk ", "nic two", "one", "cp", "CPU", "disk on", "cpu ", "nic two words "}) {
    EXPECT_EQ(look_up(name), "none") << name;
  }
  EXPECT_EQ(look_up(std::string_view("cpu\0x", 5)), "none");  // CKA-145
}

// --- Help.

TEST_F(AgentTest, HelpTexts) {  // PDU-065, PDU-066, PMD-090
  NameTree names;
  agent_.SetHelp(
      HelpTable(ReadHelpSource("@ 1.0.1 metric\nAll of it.\n@ 1.5 domain\nDomain.\n", "help", names)
                    .entries));
  const std::uint32_t metric = Metric(1).value;
  const std::uint32_t indom = Indom::Of(kDomain, 5).value;
  const auto text = [&](std::uint32_t identifier, std::uint32_t type) {
    const std::string answer = talk_.Ask(pdu::TextReq{identifier, type});
    const std::size_t at = answer.find("text=");
    return at == std::string::npos ? answer : answer.substr(at + 5);
  };
  EXPECT_EQ(text(metric, 5), "'metric'");
  EXPECT_EQ(text(metric, 6), "'All of it.'");
  EXPECT_EQ(text(indom, 9), "'domain'");
  EXPECT_EQ(text(indom, 10), "'Domain.'");
  EXPECT_EQ(text(metric, 15), "'metric'");  // both: PMID, one-line
  EXPECT_EQ(text(metric, 4), "'All of it.'");
  EXPECT_EQ(text(metric, 1), Error(-12349));
  EXPECT_EQ(text(Metric(2).value, 5), Error(-12349));
  EXPECT_EQ(text(Pmid::Of(1, 0, 1).value, 5), Error(-12349));
  EXPECT_THAT(talk_.Ask(pdu::TextReq{metric, 5}), HasSubstr("ident=64400001 "));
}

// --- Labels.

TEST_F(AgentTest, Labels) {  // PMD-091, PDU-075..078
  agent_.AddIndom(1).Add(5, "five");
  agent_.AddIndom(2);
  Add(1, MetricType::k32, NoValue());
  agent_.SetLabels(LabelTarget::Domain(), R"({ "z" : 1, "a":"x" })");
  agent_.SetLabels(LabelTarget::Indom(1), R"({"i":1})");
  agent_.SetLabels(LabelTarget::Cluster(0), R"({"c":{"d":true}})");
  agent_.SetLabels(LabelTarget::Item(0, 1), R"({"m":null})");
  agent_.SetLabels(LabelTarget::Instance(1, 5), R"({"n":"v"})");
  ASSERT_FALSE(agent_.fault());
  const auto sets = [&](std::uint32_t identifier, std::uint32_t type) {
    const std::string answer = talk_.Ask(pdu::LabelReq{identifier, type});
    const std::size_t at = answer.find("sets=");
    return at == std::string::npos ? answer : answer.substr(at + 5);
  };
  const std::uint32_t indom = Indom::Of(kDomain, 1).value;
  EXPECT_EQ(sets(kDomain, 2), "[{-1 '{\"a\":\"x\",\"z\":1}' [2+1/5+3/02 10+1/13+1/02]}]");
  EXPECT_EQ(sets(indom, 4), "[{-1 '{\"i\":1}' [2+1/5+1/04]}]");
  EXPECT_THAT(sets(Metric(9).value, 8), HasSubstr("/48]}]"));
  EXPECT_THAT(sets(Metric(1).value, 16), HasSubstr("\"m\":null"));
  EXPECT_EQ(sets(indom, 32), "[{5 '{\"n\":\"v\"}' [2+1/5+3/20]}]");
  EXPECT_EQ(sets(0xffffffff, 1), "[]");
  EXPECT_EQ(sets(0xffffffff, 2), sets(kDomain, 2));  // as dbpmda asks
  EXPECT_EQ(sets(Indom::Of(kDomain, 2).value, 4), "[]");
  EXPECT_EQ(sets(Indom::Of(kDomain, 9).value, 4), "[]");  // CKA-094
  EXPECT_EQ(sets(Indom::Of(kDomain, 9).value, 32), "[]");
  EXPECT_EQ(sets(Metric(9).value, 16), "[]");
  for (const std::uint32_t type : {0U, 6U, 64U, 128U})
    EXPECT_EQ(sets(kDomain, type), Error(-12397));
  EXPECT_THAT(talk_.Ask(pdu::LabelReq{kDomain, 2 | 0x80}), StartsWith("LABEL from=0 ident=00000191 "
                                                                      "type=130 sets=[{-1 "));
  agent_.SetLabels(LabelTarget::Indom(1), "{}");
  EXPECT_EQ(sets(indom, 4), "[]");
}

TEST(OldAgentTest, KnowsNoLabels) {  // PMD-093
  Agent agent({.name = "old", .domain = kDomain, .labels = false});
  Conversation talk(agent);
  EXPECT_EQ(talk.Ask(pdu::LabelReq{kDomain, 2}), "LABEL from=0 ident=ffffffff type=2 sets=[]");
  EXPECT_EQ(talk.Ask(pdu::LabelReq{kDomain, 64}), "LABEL from=0 ident=ffffffff type=64 sets=[]");
}

// --- Names.

TEST_F(AgentTest, DynamicNames) {  // PMD-096..099, CKA-095..098
  for (const auto& [name, item] :
       {std::pair("t.a", 1U), std::pair("t.b.c", 2U), std::pair("t.b.d", 2U)}) {
    ASSERT_EQ(agent_.names().Add(name, Pmid::Of(0, 0, item)), NameTree::Outcome::kAdded);
  }
  const auto names = [&](std::string_view name) {
    return talk_.Ask(pdu::PmnsNames{false, std::array{pdu::PmnsName{name}}});
  };
  EXPECT_EQ(names("t.a"), "PMNS_IDS from=0 status=0 pmids=[401.0.1]");
  EXPECT_EQ(names("t.b"), Error(-12394));
  EXPECT_EQ(names("t.x"), Error(-12357));
  EXPECT_EQ(
      talk_.Ask(pdu::PmnsNames{false, std::array{pdu::PmnsName{"t.a"}, pdu::PmnsName{"t.a"}}}),
      Error(-12366));
  EXPECT_EQ(talk_.Ask(pdu::PmnsNames{}), Error(-12366));
  EXPECT_EQ(talk_.Ask(pdu::PmnsIds{0, std::array{Metric(2)}}),
            "PMNS_NAMES from=0 names=['t.b.c' 't.b.d']");
  EXPECT_EQ(talk_.Ask(pdu::PmnsIds{0, std::array{Metric(3)}}), Error(-12358));
  EXPECT_EQ(talk_.Ask(pdu::PmnsIds{0, std::array{Pmid::Of(1, 0, 2)}}), Error(-12358));
  EXPECT_EQ(talk_.Ask(pdu::PmnsIds{0, std::array{Metric(2), Metric(2)}}), Error(-12366));
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{1, "t"}), "PMNS_NAMES from=0 names=[0:'a' 1:'b']");
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{0, "t"}), "PMNS_NAMES from=0 names=['a' 'b']");
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{1, "t.a"}), "PMNS_NAMES from=0 names=[]");
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{1, "x"}), Error(-12357));
  EXPECT_EQ(talk_.Ask(pdu::PmnsTraverse{0, "t"}),
            "PMNS_NAMES from=0 names=['t.a' 't.b.c' 't.b.d']");
  EXPECT_EQ(talk_.Ask(pdu::PmnsTraverse{0, "t.a"}), "PMNS_NAMES from=0 names=['t.a']");
  EXPECT_EQ(talk_.Ask(pdu::PmnsTraverse{0, "u"}), Error(-12357));
}

TEST_F(AgentTest, NamesMayComeAndGo) {
  agent_.hooks().before_names = [this] {
    if (agent_.names().size() == 0) (void)agent_.names().Add("late", Pmid::Of(0, 0, 1));
  };
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{0, ""}), "PMNS_NAMES from=0 names=['late']");
}

TEST_F(AgentTest, WithoutDynamicNames) {  // PMD-100, CKA-099
  EXPECT_EQ(talk_.Ask(pdu::PmnsNames{false, std::array{pdu::PmnsName{"a"}}}), Error(-12357));
  EXPECT_EQ(talk_.Ask(pdu::PmnsIds{0, std::array{Metric(1)}}), Error(-12358));
  EXPECT_EQ(talk_.Ask(pdu::PmnsChild{1, "a"}), Error(-12357));
  EXPECT_EQ(talk_.Ask(pdu::PmnsTraverse{0, "a"}), Error(-12357));
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
