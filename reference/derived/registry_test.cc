// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/registry.h"

#include <gtest/gtest.h>

#include <string>

#include "reference/derived/derived_context.h"
#include "reference/derived/testing/bound_text.h"
#include "reference/derived/testing/named_metrics.h"

// DER section 2, and the names of section 12.

namespace pmproof::derived {
namespace {

using Scope = Registry::Scope;
using Stage = RegistrationError::Stage;

Registry Global(const Dialect& dialect = kV72) { return Registry(Scope::kGlobal, dialect); }

std::string PmidOf(const Registry& registry, const std::string& name) {
  const DefinitionPointer definition = registry.Find(name);
  return definition ? ToText(definition->pmid) : "none";
}

TEST(RegistryTest, ANameIsGivenOnce) {  // DER-202, 203
  Registry global = Global();
  EXPECT_TRUE(global.Register("a.b", "1"));
  EXPECT_TRUE(global.Register("a name with blanks", "1"));
  const auto again = global.Register("a.b", "((");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().stage, Stage::kName);
  EXPECT_EQ(again.error().position, 0);
  EXPECT_EQ(again.error().message, "Duplicate global derived metric name");
  Registry own(Scope::kContext, kV72);
  EXPECT_TRUE(own.Register("a.b", "1"));
  EXPECT_EQ(own.Register("a.b", "1").error().message, "Duplicate per-context derived metric name");
}

TEST(RegistryTest, WhatIsNoExpressionLeavesNothingBehind) {  // DER-205, 206, 207
  Registry global = Global();
  const auto refused = global.Register("a", "1 +");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().stage, Stage::kSyntax);
  EXPECT_EQ(refused.error().position, 2);
  EXPECT_EQ(refused.error().clause, "DER-634"_clause);
  EXPECT_EQ(global.Find("a"), nullptr);
  EXPECT_TRUE(global.Register("b", "no.such"));
  EXPECT_EQ(PmidOf(global, "b"), "511.0.3");
}

TEST(RegistryTest, EventMetricsComeFirstOrLater) {  // DER-208
  Registry v72 = Global();
  EXPECT_EQ(PmidOf(v72, "event.flags"), "511.0.1");
  EXPECT_EQ(PmidOf(v72, "event.missed"), "511.0.2");
  Registry v63 = Global(kV63);
  ASSERT_TRUE(v63.Register("mine", "1"));
  v63.RegisterEventMetrics();
  v63.RegisterEventMetrics();
  EXPECT_EQ(PmidOf(v63, "mine"), "511.0.1");
  EXPECT_EQ(PmidOf(v63, "event.missed"), "511.0.3");
  EXPECT_EQ(Registry(Scope::kContext, kV72).definitions().size(), 0U);
}

TEST(RegistryTest, IdentifiersRollOver) {  // DER-207, 209; test idea 35
  Registry global = Global(kV60);
  Registry own(Scope::kContext, kV60);
  for (int i = 1; i <= 1024; ++i) {
    ASSERT_TRUE(global.Register("m" + std::to_string(i), "1"));
    ASSERT_TRUE(own.Register("m" + std::to_string(i), "1"));
  }
  EXPECT_EQ(PmidOf(global, "m1"), "511.0.1");
  EXPECT_EQ(PmidOf(global, "m1023"), "511.0.1023");
  EXPECT_EQ(PmidOf(global, "m1024"), "511.1.1");
  EXPECT_EQ(PmidOf(own, "m1"), "511.2047.1023");
  EXPECT_EQ(PmidOf(own, "m1023"), "511.2047.1");
  EXPECT_EQ(PmidOf(own, "m1024"), "511.2046.1023");
  for (const Registry* registry : {&global, &own}) {
    for (const auto& [name, definition] : registry->definitions()) {
      EXPECT_TRUE(definition->pmid.domain() == 511 && definition->pmid.cluster() < 2048) << name;
    }
  }
}

TEST(RegistryTest, AnUnregisteredNameMayBeGivenAgain) {  // DER-106, 207, 210
  Registry global = Global();
  ASSERT_TRUE(global.Register("a", "1"));
  const Pmid first = global.Find("a")->pmid;
  EXPECT_TRUE(global.Unregister("a"));
  EXPECT_FALSE(global.Unregister("a"));
  EXPECT_EQ(global.Find(first), nullptr);
  ASSERT_TRUE(global.Register("a", "2"));
  EXPECT_EQ(PmidOf(global, "a"), "511.0.4");
  EXPECT_EQ(global.Find(Pmid::Of(511, 0, 4))->expression->source(), "2");
}

TEST(RegistryTest, LimitsCountDefinitionsByUsers) {  // DER-405
  Registry global = Global();
  global.set_limit(2);
  EXPECT_TRUE(global.Register("a", "1"));
  EXPECT_TRUE(global.Register("b", "1"));
  EXPECT_EQ(global.Register("c", "1").error().message, "Too many global derived metrics");
  EXPECT_EQ(global.Register("a", "((").error().message, "Too many global derived metrics");
  Registry own(Scope::kContext, kV72);
  own.set_limit(0);
  EXPECT_EQ(own.Register("c", "1").error().message, "Too many per-context derived metrics");
}

TEST(RegistryTest, AttributesAreSetOnce) {  // DER-308
  Registry global = Global();
  EXPECT_FALSE(global.SetOneLine("a", "x"));
  ASSERT_TRUE(global.Register("a", "1"));
  EXPECT_TRUE(global.SetOneLine("a", "x"));
  EXPECT_FALSE(global.SetOneLine("a", "y"));
  EXPECT_TRUE(global.SetHelpText("a", "long"));
  EXPECT_EQ(global.Find("a")->oneline, "x");
  EXPECT_EQ(global.Find(global.Find("a")->pmid)->helptext, "long");
}

TEST(RegistryTest, NamesOfConfigurationFiles) {  // DER-202
  for (const char* name : {"a", "a.b", "A1.b_2", "a.b."}) EXPECT_TRUE(IsConfigurationName(name));
  for (const char* name : {"", ".", "1a", "a..b", "a.1", "a b", "_a", "a.b..", "a-b"}) {
    EXPECT_FALSE(IsConfigurationName(name)) << name;
  }
}

TEST(RegistrationMessageTest, ReadsAsThatOfTheCalls) {  // DER-216
  Registry global = Global();
  const auto message = [&](RegistrationCall call, const std::string& name,
                           const std::string& text) {
    const auto taken = global.Register(name, text);
    return taken ? "" : RegistrationMessage(call, name, text, taken.error());
  };
  EXPECT_EQ(message(RegistrationCall::kRegister, "a.b", "1+ "),
            "Error: pmRegisterDerivedMetric(\"a.b\", ...)\n1+ \n  ^\n"
            "Arithmetic expression expected to follow PLUS\n");
  EXPECT_EQ(message(RegistrationCall::kRegister, "a.b", ""),
            "Error: pmRegisterDerivedMetric(\"a.b\", ...)\n\n ^\n");
  EXPECT_EQ(message(RegistrationCall::kAdd, "a.b", "1 2"),
            "Syntax Error: pmAddDerivedMetric(\"a.b\", ...)\n1 2\n  ^\n");
  EXPECT_EQ(message(RegistrationCall::kRegister, "event.flags", "2"),
            "Error: pmRegisterDerivedMetric(\"event.flags\", ...)\n2\n^\n"
            "Duplicate global derived metric name\n");
  EXPECT_EQ(message(RegistrationCall::kAdd, "event.flags", "2"),
            "Error: pmAddDerivedMetric(\"event.flags\", ...): returns -12409\n"
            "Duplicate global derived metric name\n");
  const RegistrationError semantic{Stage::kBind, 0, "Unknown operand metric", {}, {}};
  EXPECT_EQ(
      RegistrationMessage(RegistrationCall::kAdd, "a.b", "no.such", semantic),
      "Semantic Error: pmAddDerivedMetric(\"a.b\", ...)\nno.such\n^\nUnknown operand metric\n");
}

class DerivedContextTest : public testing::Test {
 protected:
  void Define(const std::string& name, const std::string& text) {
    ASSERT_TRUE(global_.Register(name, text)) << text;
  }
  std::string Bound(const std::string& name) {
    const DerivedContext::BoundMetric* bound = context_.Bind(name);
    if (bound == nullptr) return "no definition";
    return *bound ? DescriptorText((*bound)->descriptor()) : bound->error().message;
  }

  NamedMetrics base_;
  Registry global_{Scope::kGlobal, kV72};
  DerivedContext context_{base_, global_};
};

TEST_F(DerivedContextTest, DefinitionsAreBoundWhenTheyAreUsed) {  // DER-201, 205
  Define("x", "delta(u64.c.a.kbyte)");
  Define("y", "avg(str)");
  EXPECT_EQ(Bound("x"), "double instant 60.1 Kbyte");
  EXPECT_EQ(Bound("y"), "Non-arithmetic operand for function");
  EXPECT_EQ(Bound("z"), "no definition");
  Define("z", "1");
  EXPECT_EQ(Bound("z"), "u32 discrete -");
}

TEST_F(DerivedContextTest, BaseMetricsHideDerivedOnes) {  // DER-204, 1203
  Define("u64.a", "1");
  EXPECT_EQ(Bound("u64.a"), "no definition");
  Define("sum", "u64.a + u64.a");
  EXPECT_EQ(Bound("sum"), "u64 instant 60.1");
}

TEST_F(DerivedContextTest, OwnMetricsHideGlobalOnes) {  // DER-201, 203
  Define("x", "mkconst(1,type=double)");
  EXPECT_EQ(context_.Add("x", "mkconst(1,type=float)"), std::nullopt);
  EXPECT_EQ(Bound("x"), "float discrete -");
  DerivedContext other(base_, global_);
  EXPECT_EQ(DescriptorText((*other.Bind("x"))->descriptor()), "double discrete -");
}

TEST_F(DerivedContextTest, AContextLikeAnotherHasTheGlobalDefinitionsAlone) {  // DER-211
  Define("x", "delta(u64)");
  EXPECT_EQ(context_.Add("own", "1"), std::nullopt);
  DerivedContext duplicate(base_, global_);
  EXPECT_TRUE(*duplicate.Bind("x"));
  EXPECT_EQ(duplicate.Bind("own"), nullptr);
}

TEST_F(DerivedContextTest, GlobalDefinitionsMayComeLater) {  // DER-201, 212
  EXPECT_EQ(context_.Add("own", "1"), std::nullopt);
  Define("x", "2.5");
  EXPECT_EQ(Bound("x"), "double discrete -");
  EXPECT_EQ(Bound("own"), "u32 discrete -");
}

TEST_F(DerivedContextTest, AddingBindsAtOnce) {  // DER-206
  const auto error = context_.Add("x", "no.such");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->stage, Stage::kBind);
  EXPECT_EQ(error->message, "Unknown operand metric");
  EXPECT_NE(context_.Definition("x"), nullptr);
  EXPECT_EQ(context_.Add("x", "1")->message, "Duplicate per-context derived metric name");
  EXPECT_EQ(context_.Add("y", "1 2")->stage, Stage::kSyntax);
  EXPECT_EQ(context_.Definition("y"), nullptr);
}

TEST(DerivedContext60Test, AddingAnUnknownOperandIsNoError) {  // DER-206
  const NamedMetrics base;
  const Registry global(Scope::kGlobal, kV60);
  DerivedContext context(base, global);
  EXPECT_EQ(context.Add("x", "no.such"), std::nullopt);
  EXPECT_FALSE(*context.Bind("x"));
  EXPECT_TRUE(context.Add("y", "avg(str)"));
}

TEST_F(DerivedContextTest, AnAliasHasTheDescriptorOfItsMetric) {  // DER-702, 703
  Define("x", "y");
  Define("y", "z");
  Define("z", "u64.c.a.kbyte + u64.c.a.kbyte");
  Define("bad", "-str");
  Define("alias", "bad");
  Define("nested", "y + 1");
  EXPECT_EQ(Bound("x"), "u64 counter 60.1 Kbyte");
  EXPECT_EQ(Bound("alias"), "Metadata for operand metric not available");
  EXPECT_EQ(Bound("nested"), "Illegal nested derived metric");
}

TEST_F(DerivedContextTest, CirclesAreNested) {  // DER-213
  Define("self", "self");
  Define("x", "y");
  Define("y", "z");
  Define("z", "x");
  Define("left", "mkconst(1,meta=right)");
  Define("right", "mkconst(1,meta=left)");
  EXPECT_EQ(Bound("self"), "Illegal nested derived metric");
  EXPECT_EQ(Bound("z"), "Metadata for operand metric not available");
  EXPECT_EQ(Bound("y"), "Illegal nested derived metric");
  EXPECT_EQ(Bound("left"), "Metadata for operand metric not available");
}

TEST_F(DerivedContextTest, ALongChainOfAliasesIsFollowed) {
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    Define("x" + std::to_string(i), "x" + std::to_string(i + 1));
  }
  Define("x" + std::to_string(kCount), "u64");
  EXPECT_EQ(Bound("x0"), "u64 instant -");
}

TEST_F(DerivedContextTest, MissingOperandsCanBeMappedToNovalue) {  // DER-406
  Define("x", "no.such");
  EXPECT_EQ(Bound("x"), "Unknown operand metric");
  DerivedContext lenient(base_, global_, true);
  EXPECT_EQ(DescriptorText((*lenient.Bind("x"))->descriptor()), "32 discrete -");
}

}  // namespace
}  // namespace pmproof::derived
