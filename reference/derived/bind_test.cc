// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/bind.h"

#include <gtest/gtest.h>

#include <string>

#include "reference/derived/testing/bound_text.h"

// DER section 7, 8.4 and the scaling of section 8.3.

namespace pmproof::derived {
namespace {

using Branches = BoundNode::Branches;

const std::string kUnknown = "Unknown operand metric [DER-701]";
const std::string kNested = "Illegal nested derived metric [DER-702]";
const std::string kUnknownBranch = "Unknown metric for ternary expression [DER-707]";
const std::string kScalarBranches = "Non-scalar ternary guard with scalar expressions [DER-876]";
const std::string kTypes = "Different types for ternary operands [DER-861]";

BinaryScaling ScalingOf(const std::string& text, const Dialect& dialect) {
  const auto bound = BindText(text, dialect);
  EXPECT_TRUE(bound) << text;
  if (!bound || bound->nodes().back().index == BoundNode::kNone) return {};
  return bound->scalings()[bound->nodes().back().index];
}

void ExpectScaling(const std::string& text, Scaling left, Scaling right,
                   const Dialect& dialect = kV72) {
  const BinaryScaling scaling = ScalingOf(text, dialect);
  EXPECT_EQ(scaling.left, left) << text << ": " << scaling.left.divisor << " "
                                << scaling.left.multiplier;
  EXPECT_EQ(scaling.right, right) << text << ": " << scaling.right.divisor << " "
                                  << scaling.right.multiplier;
}

TEST(ScalingTest, TheSmallerScaleIsConverted) {  // DER-851
  ExpectScaling("byte + kbyte", {1024, 1}, {});
  ExpectScaling("kbyte + byte", {}, {1024, 1});
  ExpectScaling("mbyte - byte", {}, {1 << 20, 1});
  ExpectScaling("count + kcount", {1000, 1}, {});
  ExpectScaling("msec + hour", {3600000, 1}, {});
  ExpectScaling("hour + sec", {}, {3600, 1});
  ExpectScaling("kcount * percount", {}, {1, 1000});
  ExpectScaling("bytepersec + mbyteperhour", {1 << 20, 3600}, {});
  ExpectScaling("byte * sec", {}, {});
  ExpectScaling("i32 + kcount", {}, {});
  ExpectScaling("byte > kbyte", {}, {});
}

TEST(ScalingTest, ThePowerOfADimensionIsIgnored) {  // DER-852; test idea 27
  ExpectScaling("byte2 + kbyte2", {1024, 1}, {});
}

TEST(ScalingTest, TheDirectionOfTimeIsThatOfTheRightOperand) {  // DER-853; test idea 28
  ExpectScaling("sec * mbyteperhour", {1, 3600}, {});
  ExpectScaling("mbyteperhour * sec", {}, {3600, 1});
}

TEST(ScalingTest, FactorsWrap) {  // DER-854
  ExpectScaling("nsec + hour", {static_cast<std::int32_t>(3600000000000U & 0xffffffff), 1}, {});
  ExpectScaling("byte + tbyte", {0, 1}, {});
}

TEST(ScalingTest, TheSeedConvertsValues) {  // DER-1505
  const auto expect = [](const std::string& text, Scaling left, Scaling right) {
    ExpectScaling(text, left, right, kSeed);
  };
  expect("byte + kbyte", {1024, 1}, {});
  expect("byte2 + kbyte2", {1 << 20, 1}, {});
  expect("sec * mbyteperhour", {3600, 1}, {});
  expect("mbyteperhour * sec", {}, {3600, 1});
  expect("nsec + hour", {3600e9, 1}, {});
  expect("byte + tbyte", {static_cast<double>(1LL << 40), 1}, {});
  expect("bytepersec + mbyteperhour", {1 << 20, 3600}, {});
  expect("kcount * percount", {}, {1, 1000});
}

TEST(BindTest, TheExampleOfTheManual) {  // DER-1502
  const auto bound = BindText("flt.mbytepersec - delta(u64.c.byte) / delta(dbl.msec)");
  ASSERT_TRUE(bound);
  EXPECT_EQ(DescriptorText(bound->descriptor()), "double instant - Mbyte / sec");
  EXPECT_EQ(DescriptorText(bound->nodes()[5].descriptor), "double instant - byte / millisec");
  for (const Dialect* dialect : {&kV72, &kSeed}) {
    ExpectScaling("flt.mbytepersec - delta(u64.c.byte) / delta(dbl.msec)", {}, {1 << 20, 1000},
                  *dialect);
  }
}

TEST(BindTest, OperandsAreWhatHasToBeFetched) {  // DER-1101
  const auto bound =
      BindText("(u32.d + u64) * delta(u32.d) + (defined(i64) ? mkconst(1,meta=flt) : flt.d)");
  ASSERT_TRUE(bound) << bound.error().message;
  ASSERT_EQ(bound->operands().size(), 3U);
  EXPECT_EQ(bound->operands()[0].name, "u32.d");
  EXPECT_EQ(bound->operands()[1].name, "u64");
  EXPECT_EQ(bound->operands()[1].descriptor.type, MetricType::kU64);
}

TEST(BindTest, ManyNamesAreEachThereOnce) {
  std::string text = "1";
  for (int round = 0; round < 2; ++round) {
    for (const char* type : {"i32", "u32", "i64", "u64", "flt", "dbl"}) {
      for (const char* semantics : {"", ".i", ".d"}) text += std::string(" + ") + type + semantics;
    }
  }
  const auto bound = BindText(text);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->operands().size(), 18U);
}

TEST(BindTest, UnknownOperandsComeBeforeAllElse) {  // DER-701, 703
  ExpectBound({{"no.such", kUnknown},
               {"1 + no.such", kUnknown},
               {"avg(str) + no.such", kUnknown},
               {"count(no.such)", kUnknown},
               {"defined(no.such) + no.such", kUnknown},
               {"mkconst(5,meta=no.such)", kUnknown},
               {"bare.x + 1", "Metadata for operand metric not available [DER-703]"}});
}

TEST(BindTest, DerivedMetricsAreNoOperands) {  // DER-702, 705; test idea 33
  ExpectBound({{"derived.u64.c.a.kbyte", "u64 counter 60.1 Kbyte"},
               {"(derived.u64.a)", "u64 instant 60.1"},
               {"derived.u64 + 1", kNested},
               {"avg(derived.a)", kNested},
               {"derived.a[x]", kNested},
               {"defined(derived.a)", kNested},
               {"1 ? 2 : derived.a", kNested},
               {"derived.a + no.such", kNested},
               {"no.such + derived.a", kUnknown},
               {"mkconst(1,meta=derived.u64)", "u64 instant -"}});
  ExpectBound({{"derived.u64 + 1", "u64 instant -"}, {"defined(derived.a)", "u32 discrete -"}},
              kV60);
  const auto alias = BindText("derived.u64");
  ASSERT_TRUE(alias);
  EXPECT_TRUE(alias->IsDerivedAlias());
  // They are asked for, and nobody has them.
  EXPECT_EQ(alias->operands().size(), 1U);
  EXPECT_EQ(BindText("derived.u64 + 1", kV60)->operands().size(), 1U);
  EXPECT_TRUE(BindText("defined(derived.a)", kV60)->operands().empty());
}

TEST(BindTest, AMetricIsNotItsOwnOperand) {  // DER-213
  EXPECT_EQ(BoundText("x.y", kV72, {.name = "x.y"}), kNested);
  EXPECT_EQ(BoundText("x.y + 1", kV60, {.name = "x.y"}), kNested);
  EXPECT_EQ(BoundText("u64.a", kV72, {.name = "u64.a"}), "u64 instant 60.1");  // DER-204
}

TEST(BindTest, BelowATernaryLookingUpIsLazy) {  // DER-704, 707; test idea 30
  ExpectBound({{"1 ? 2 : no.such", "u32 discrete -"},
               {"1 ? 2 : avg(no.such) + no.such", "u32 discrete -"},
               {"1 ? no.such : 2", kUnknownBranch},
               {"i32 ? no.such : 2", kUnknownBranch},
               {"i32 ? 2 : -no.such", kUnknownBranch},
               {"i32 ? delta(no.such) : 2", kUnknownBranch},
               {"i32 ? no.such : avg(str)", "Non-arithmetic operand for function [DER-817]"},
               {"1 ? no.such + avg(str) : 2", "Non-arithmetic operand for function [DER-817]"},
               {"str ? no.such : 1", kUnknownBranch},
               {"i32 ? mkconst(5,meta=no.such) : 1", kUnknownBranch},
               {"1 ? 2 : mkconst(5,meta=no.such)", "u32 discrete -"},
               {"(1 ? 2 : no.such) + no.such", kUnknown},
               {"1 ? (0 ? no.such : 2) : 3", "u32 discrete -"},
               {"i32 ? (no.such ? u32.d.a : u32.d.a) : 1", kUnknownBranch},
               {"u32.d ? defined(no.such) : 1", "u32 discrete -"},
               {"defined(no.such) ? no.such : i32", "32 instant -"},
               {"defined(i32) ? i32 : no.such", "32 instant -"}});
  ExpectBound({{"1 ? 2 : no.such", kUnknown}, {"defined(no.such) ? no.such : i32", kUnknown}},
              kV60);
}

TEST(BindTest, AMissingMetricInAGuardIsSetValued) {  // DER-704, 707, 876; test idea 30
  ExpectBound({{"no.such ? 1 : 2", kScalarBranches},
               {"1 || no.such ? i32 : 2", kScalarBranches},
               {"avg(no.such) ? 1 : 2", "u32 discrete -"},
               {"no.such > 0 ? a : a", "32 instant 60.1"},
               {"-(no.such ? a : a)", "32 instant 60.1"}});
  const auto bound = BindText("no.such > 0 ? a : a");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->nodes()[0].index, BoundNode::kNone);
  EXPECT_EQ(bound->operands().size(), 1U);
}

TEST(BindTest, DefinedIsKnownAtOnce) {  // DER-705
  EXPECT_EQ(BindText("defined(i32)")->nodes().back().known, 1);
  EXPECT_EQ(BindText("defined(no.such)")->nodes().back().known, 0);
  EXPECT_TRUE(BindText("defined(i32)")->operands().empty());
}

Branches InPlay(const std::string& guard, const Dialect& dialect = kV72) {
  const auto bound = BindText(guard + " ? 1 : 2", dialect);
  return bound ? bound->nodes().back().in_play : Branches::kBoth;
}

TEST(BindTest, GuardsMayBeStatic) {  // DER-706
  for (const char* guard :
       {"1", "(7)", "mkconst(007,type=double)", "defined(i32)", "!0", "!defined(no.such)",
        "1 || i32", "0 || 1", "2 && 3", "!(1 && 0)", "0 && i32 || 7"}) {
    EXPECT_EQ(InPlay(guard), Branches::kFirst) << guard;
    EXPECT_EQ(InPlay(guard, kV63), Branches::kFirst) << guard;
    EXPECT_EQ(InPlay(guard, kV60), Branches::kBoth) << guard;
  }
  for (const char* guard : {"0", "000", "defined(no.such)", "!1", "0 && i32", "1 && 0", "0 || 0"}) {
    EXPECT_EQ(InPlay(guard), Branches::kSecond) << guard;
  }
  for (const char* guard :
       {"1.0", "i32", "-1", "1 == 1", "1 + 1", "i32 || 1", "i32 && 0", "0 || i32", "1 && i32",
        "!i32", "mkconst(1.,type=double)", "(1 ? 1 : 1)"}) {
    EXPECT_EQ(InPlay(guard), Branches::kBoth) << guard;
  }
}

TEST(BindTest, OnlyBranchesInPlayAreChecked) {  // DER-706, 878
  ExpectBound({{"1 ? str : avg(str)", "string instant -"},
               {"0 ? avg(str) : str", "string instant -"},
               {"0 ? str : avg(str)", "Non-arithmetic operand for function [DER-817]"},
               {"1 ? 2 : u64.c.a.kbyte", "u32 discrete -"}});
  const auto bound = BindText("0 ? avg(u64) : -i32");
  ASSERT_TRUE(bound);
  EXPECT_FALSE(bound->nodes()[1].bound);
  EXPECT_FALSE(bound->nodes()[2].bound);
  EXPECT_TRUE(bound->nodes()[3].bound);
  EXPECT_EQ(bound->operands().size(), 2U);  // DER-1103: fetched all the same
}

TEST(BindTest, ABranchThatIsNotCheckedHasADomainUnlessItIsALeaf) {  // DER-877
  ExpectBound({{"1 || a ? 2 : 3", kScalarBranches},
               {"1 || a ? 2 : novalue()", kScalarBranches},
               {"1 || a ? 2 : 3 + 4", "u32 discrete -"},
               {"1 || a ? 2 : avg(a)", "u32 discrete -"},
               {"1 || a ? 2 : s[x]", "u32 discrete -"},
               {"1 || a ? 2 : defined(a)", "u32 discrete -"},
               {"1 || a ? 2 : anon(PM_TYPE_32)", "u32 discrete -"},
               {"1 || a ? 2 : mkconst(3,meta=a)", "u32 discrete -"},
               {"0 && a ? -2 : 3", "u32 discrete -"}});
  ExpectBound({{"1 || a ? 2 : 3 + 4", kScalarBranches}}, kV60);
}

TEST(BindTest, BranchesAgree) {  // DER-861..868
  ExpectBound(
      {{"i32 ? u32 : i32", kTypes},
       {"i32 ? a : b", "Different instance domains for ternary operands [DER-862]"},
       {"i32 ? a : e", "Different instance domains for ternary operands [DER-862]"},
       {"i32 ? c : i", "Different semantics for ternary operands [DER-863]"},
       {"i32 ? byte : kbyte", "Different units or scale (space) for ternary operands [DER-864]"},
       {"i32 ? byte : i32", "Different units or scale (space) for ternary operands [DER-864]"},
       {"i32 ? sec : hour", "Different units or scale (time) for ternary operands [DER-865]"},
       {"i32 ? count : kcount", "Different units or scale (count) for ternary operands [DER-866]"},
       {"i32 ? watt : celsius", "Different units or scale (extra) for ternary operands [DER-868]"},
       {"i32 ? watt : kwatt", "Different units or scale (extra) for ternary operands [DER-868]"},
       {"i32 ? str : str", "string instant -"},
       {"a ? a.kbyte : kbyte", "32 instant 60.1 Kbyte"},
       {"s ? c.s.kbyte : c.b.kbyte", "32 counter 60.2 Kbyte"}});
  ExpectBound({{"i32 ? watt : celsius", "32 instant - power (W)"}}, kV63);
}

TEST(BindTest, GuardsAreNumbersAndScalarForScalars) {  // DER-875..877
  ExpectBound({{"str ? i32 : i32", "Non-arithmetic operand for ternary guard [DER-875]"},
               {"str.a ? i32 : i32", "Non-arithmetic operand for ternary guard [DER-875]"},
               {"str ? novalue() : i32", "Non-arithmetic operand for ternary guard [DER-875]"},
               {"a ? i32 : i32", kScalarBranches},
               {"a ? 5 : novalue()", kScalarBranches},
               {"a.byte ? a : i32", "32 instant 60.1"},
               {"a.byte ? b : i32", "32 instant 60.2"}});
}

TEST(BindTest, NovalueTakesTheOtherBranch) {  // DER-878
  ExpectBound({{"i32 ? novalue() : u64.c.a.kbyte", "u64 counter 60.1 Kbyte"},
               {"i32 ? u64.c.a.kbyte : novalue(type=32,units=\"sec\")", "u64 counter 60.1 Kbyte"},
               {"a ? novalue(indom=60.1) : 5", "u32 discrete 60.1"},
               {"a ? novalue(indom=60.1,type=double) : u32.d.b", "u32 discrete 60.1"},
               {"a ? u32.d.b : novalue(type=double,indom=60.1)", "u32 discrete 60.2"},
               {"s ? u32.d.s : novalue(type=double,indom=60.1)", "u32 discrete 60.1"},
               {"1 ? novalue(type=double,indom=60.1) : u32.d.a", "double discrete 60.1"},
               {"0 ? novalue(type=double) : u32.d.a", "u32 discrete 60.1"}});
}

TEST(BindTest, MetaGivesADescriptor) {  // DER-708; test idea 40
  ExpectBound({{"mkconst(5,meta=u64.c.a.kbyte)", "u64 counter 60.1 Kbyte"},
               {"mkconst(5,meta=u64.c.a.kbyte,type=32,units=\"sec\")", "32 counter 60.1 sec"},
               {"mkconst(5,meta=u64.c.a.kbyte,indom=null)", "u64 counter - Kbyte"},
               {"mkconst(1.5,meta=u64)", "u64 instant -"}});
  EXPECT_EQ(BoundText("mkconst(5,meta=u64.c.a.kbyte)", kV72, {.per_context = true}),
            "u32 discrete -");
  EXPECT_EQ(BoundText("mkconst(5,meta=no.such)", kV72, {.per_context = true}), kUnknown);
}

TEST(BindTest, MissingOperandsCanBeNovalue) {  // DER-406
  const BindRequest request{.missing_is_novalue = true};
  EXPECT_EQ(BoundText("no.such", kV72, request), "32 discrete -");
  EXPECT_EQ(BoundText("no.such + 1", kV72, request), "u32 discrete -");
  EXPECT_EQ(BoundText("no.such + byte", kV72, request), "Dimensions are not the same [DER-825]");
  EXPECT_EQ(BoundText("i32 ? no.such : u64.c", kV72, request), "u64 counter -");
  EXPECT_EQ(BoundText("no.such", kV63, request), kUnknown);
  const auto bound = BindText("no.such ? 1 : 2", kV72, request);
  ASSERT_TRUE(bound);
  EXPECT_TRUE(bound->nodes()[0].novalue);
  EXPECT_EQ(BindText("defined(no.such)", kV72, request)->nodes().back().known, 0);
}

TEST(BindTest, AConstantLikeAMissingMetricHasADomain) {  // DER-704, 708
  ExpectBound({{"mkconst(5,meta=no.such) ? 1 : 2", kScalarBranches},
               {"mkconst(5,meta=no.such) ? i32.a : i32.a", "32 instant 60.1"},
               {"1 || a ? mkconst(5,type=64) : mkconst(6,meta=no.such)", "64 discrete -"},
               {"1 || a ? 5 : mkconst(6,meta=no.such,indom=null)", kScalarBranches},
               {"1 || a ? 5 : 6", kScalarBranches}});
  EXPECT_EQ(BoundText("1 || a ? 5 : mkconst(6,meta=no.such)", kV72, {.per_context = true}),
            kScalarBranches);
}

TEST(BindTest, ASubtreeIsBoundAsInTheWhole) {
  const auto whole = BindText("i64.kbyte - 2 * i64.byte < 5 ? i32.a : -(u32.a[x])");
  ASSERT_TRUE(whole);
  const Expression& tree = whole->expression();
  const BoundExpression second = whole->Subtree(Expression::Right(tree.root()));
  EXPECT_EQ(second.descriptor(), whole->nodes()[tree.root() - 1].descriptor);
  EXPECT_EQ(second.nodes().size(), 3U);
  EXPECT_EQ(second.expression().Text(NodeIndex{0}), "u32.a");
  EXPECT_EQ(second.expression().Text(NodeIndex{1}), "x");
  EXPECT_EQ(second.operands()[second.nodes()[0].index].name, "u32.a");
  const BoundExpression difference = whole->Subtree(tree.Left(tree.Guard(tree.root())));
  ASSERT_EQ(difference.expression().nodes().back().kind, NodeKind::kSubtract);
  EXPECT_EQ(difference.scalings()[difference.nodes().back().index].right.divisor, 1024);
}

TEST(BindTest, MessagesNameThePlace) {  // DER-709
  const auto where = [](const std::string& text) {
    const auto bound = BindText(text);
    EXPECT_FALSE(bound) << text;
    return bound ? "" : bound.error().where;
  };
  EXPECT_EQ(where("byte + 5"), "byte + 5");
  EXPECT_EQ(where("1.5 - byte"), "1.5 - byte");
  EXPECT_EQ(where("str && mkconst(5,type=u64)"), "str && 5");
  EXPECT_EQ(where("(a > 1) != b"), "<expr> != b");
  EXPECT_EQ(where("avg(str)"), "AVG(str)");
  EXPECT_EQ(where("rate(-sec7)"), "RATE((null))");
  EXPECT_EQ(where("delta(str[a0])"), "DELTA((null))");
  EXPECT_EQ(where("rate(mkconst(5,units=\"/sec\"))"), "RATE(5)");
  EXPECT_EQ(where("-str[a0]"), "- <expr>");
  EXPECT_EQ(where("-str"), "- str");
  EXPECT_EQ(where("rescale(1+2,\"2 Kbyte/sec\")"), "<expr> RESCALE Kbyte / sec");
  EXPECT_EQ(where("rescale(byte,\"\")"), "byte RESCALE none");
  EXPECT_EQ(where("i32 ? 1 : 2.5"), "1 : 2.5");
  EXPECT_EQ(where("str ? 1 : 2"), "str ? 1 : 2");
  EXPECT_EQ(where("str ? novalue() : 2"), "str ? <expr> : 2");
  EXPECT_EQ(where("no.such + 1"), "operand no.such");
  EXPECT_EQ(where("i32 ? 1 : avg(no.such)"), "operand no.such");
  EXPECT_EQ(ToText(BindText("-str").error(), "x.y"),
            "Semantic error: derived metric x.y: - str: Non-arithmetic operand for unary negation");
}

TEST(BindTest, TheSeedHasRulesOfItsOwn) {  // DER-1501, 1504, 1506
  ExpectBound({{"delta(u32.c)", "u32 instant -"},
               {"delta(u64.c)", "u64 instant -"},
               {"byte + kbyte", "double instant - Kbyte"},
               {"count + 5", "Dimensions are not the same [DER-825]"},
               {"derived.u64", kNested},
               {"c * c", "Illegal operator for counters [DER-821]"},
               {"c + i32", "Illegal operator for counter and non-counter [DER-822]"},
               {"i32 / c", "Illegal operator for non-counter and counter [DER-823]"},
               {"u64.c.byte * sec", "u64 counter - byte sec"},
               {"u64.c.byte / sec", "double counter - byte / sec"},
               {"sec * u64.c.byte", "u64 instant - byte sec"}},
              kSeed);
}

}  // namespace
}  // namespace pmproof::derived
