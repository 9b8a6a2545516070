// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

#include "reference/pmda/names/help_source.h"
#include "reference/pmda/runtime/testing/agent_fixture.h"

// Chapter 10, request by request: descriptors, instances, help, labels and names; and the defaults
// of chapter 12.

namespace pmproof::pmda {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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
              HasSubstr("not labels"));
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

}  // namespace
}  // namespace pmproof::pmda
