// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/derived/testing/bound_text.h"

// DER section 8.1 to 8.3: the descriptor of each operator and function, and what does not fit.

namespace pmproof::derived {
namespace {

TEST(SemanticsTest, LeavesAreWhatTheyAre) {  // DER-610, 801, 802, 815, 816
  ExpectBound({{"u64.c.a.kbyte", "u64 counter 60.1 Kbyte"},
               {"event.d", "event discrete -"},
               {"5", "u32 discrete -"},
               {".5", "double discrete -"},
               {"mkconst(5,type=64)", "64 discrete -"},
               {"mkconst(.5,units=\"sec\")", "double discrete - sec"},
               {"mkconst(5,type=float,semantics=counter,units=\"Mbyte\",indom=60.1)",
                "float counter 60.1 Mbyte"},
               {"anon(PM_TYPE_FLOAT)", "float discrete -"},
               {"defined(i32)", "u32 discrete -"},
               {"defined(no.such)", "u32 discrete -"}});
}

TEST(SemanticsTest, FunctionsHaveTheTypesOfTheTable) {  // DER-803..810
  ExpectBound({{"delta(i32.c.a.kbyte)", "32 instant 60.1 Kbyte"},
               {"delta(u32.c.a.kbyte)", "64 instant 60.1 Kbyte"},
               {"delta(i64.c)", "64 instant -"},
               {"delta(u64.c)", "double instant -"},
               {"delta(flt.d)", "float instant -"},
               {"delta(dbl)", "double instant -"},
               {"rate(i32.c.a.kbyte)", "double instant 60.1 Kbyte / sec"},
               {"rate(u64.c.nsec)", "double instant -"},
               {"rate(i32.c)", "double instant - / sec"},
               {"rate(c.hour)", "double instant -"},
               {"avg(u64.c.a.kbyte)", "float instant - Kbyte"},
               {"max(u64.c.a.kbyte)", "u64 instant - Kbyte"},
               {"min(flt.d.a.kbyte)", "float instant - Kbyte"},
               {"sum(u64.c.a.kbyte)", "u64 counter - Kbyte"},
               {"sum(i32.d.a)", "32 discrete -"},
               {"count(str.c.a.kbyte)", "u32 instant - count"},
               {"instant(u64.c.a.kbyte)", "u64 instant 60.1 Kbyte"},
               {"instant(str.d.a)", "string discrete 60.1"},
               {"scalar(str.c.a.kbyte)", "string counter - Kbyte"}});
}

TEST(SemanticsTest, PrefixesAndFiltersHaveTheTypesOfTheTable) {  // DER-811..814
  ExpectBound({{"-u32.c.a.kbyte", "32 instant 60.1 Kbyte"},
               {"-u64.c", "64 instant -"},
               {"-i32.d", "32 instant -"},
               {"-flt.c", "float instant -"},
               {"!u64.c.a.kbyte", "u64 counter 60.1 Kbyte"},
               {"!str.d", "string discrete -"},
               {"str.c.a.kbyte[x]", "string counter 60.1 Kbyte"},
               {"i32[x]", "32 instant -"},
               {"matchinst(/x/, u64.c.a.kbyte)", "u64 counter 60.1 Kbyte"},
               {"rescale(u64.c.a.kbyte, \"2 Mbyte\")", "u64 counter 60.1 Mbyte"},
               {"rescale(u64.a, \"count x 10^3\")", "u64 instant 60.1 count x 10^3"},
               {"rescale(i32.watt, \"power (kW)\")", "32 instant - power (kW)"}});
}

TEST(SemanticsTest, FunctionsRefuse) {  // DER-817
  const std::string function = "Non-arithmetic operand for function [DER-817]";
  const std::string time = "Incorrect time dimension for operand [DER-817]";
  const std::string dimensions = "Incompatible dimensions [DER-817]";
  ExpectBound({{"delta(str)", function},
               {"rate(str)", function},
               {"avg(str)", function},
               {"max(event)", function},
               {"min(str)", function},
               {"sum(str)", function},
               {"rescale(str, \"byte\")", function},
               {"-str", "Non-arithmetic operand for unary negation [DER-817]"},
               {"rate(persec)", time},
               {"rate(sec7)", time},
               {"rescale(byte, \"sec\")", dimensions},
               {"rescale(tbyte, \"Zbyte\")", dimensions},
               {"rescale(byte, \"power (W)\")", dimensions}});
}

TEST(SemanticsTest, CountersTakeFewOperators) {  // DER-821..823
  const std::string both = "Illegal operator for counters [DER-821]";
  const std::string left = "Illegal operator for counter and non-counter [DER-822]";
  const std::string right = "Illegal operator for non-counter and counter [DER-823]";
  ExpectBound({{"c + c", "32 counter -"},
               {"c - c", "32 counter -"},
               {"c * c", both},
               {"c / c", both},
               {"c * i", "32 counter -"},
               {"c / i", "double counter -"},
               {"c + i", left},
               {"c - 5", left},
               {"i * c", "32 instant -"},
               {"i / c", right},
               {"i + c", right},
               {"5 - c", right},
               {"c > c", "u32 counter -"}});
}

TEST(SemanticsTest, OperandsAreNumbers) {  // DER-824
  ExpectBound({{"str + i32", "Non-arithmetic type for left operand [DER-824]"},
               {"i32 > str", "Non-arithmetic type for right operand [DER-824]"},
               {"str && event", "Non-arithmetic type for left operand [DER-824]"},
               {"str.c * c", "Illegal operator for counters [DER-821]"}});
}

TEST(SemanticsTest, SumsHaveOneDimension) {  // DER-825
  const std::string refused = "Dimensions are not the same [DER-825]";
  ExpectBound({{"byte + kbyte", "double instant - Kbyte"},
               {"byte + sec", refused},
               {"byte + 5", refused},
               {"count + 5", "u32 instant - count"},
               {"5 - count", "u32 instant - count"},
               {"i32 + kcount", "32 instant -"},
               {"kcount + i32", "32 instant - count x 10^3"},
               {"percount + 5", refused},
               {"percount + count", refused},
               {"watt + 5", refused},
               {"watt + celsius", refused},
               {"watt + watt", "32 instant - power (W)"}});
}

TEST(SemanticsTest, U32IsExemptFromTheDimensionsOfRelations) {  // DER-826, E08; test idea 25
  const std::string refused = "Dimensions are not the same [DER-826]";
  ExpectBound({{"u64.kbyte > u64.byte", "u32 instant -"},
               {"u32.byte > u32.sec", "u32 instant -"},
               {"u64.byte > u64.sec", refused},
               {"u64.byte > 1", "u32 instant -"},
               {"u64.byte > 0.5", refused},
               {"0.5 != u64.byte", refused},
               {"u64.byte == u32.sec", "u32 instant -"},
               {"u64.count < u64", "u32 instant -"}});
}

TEST(SemanticsTest, BooleansHaveNoDimension) {  // DER-827
  const std::string refused = "Dimensions are not the same [DER-827]";
  ExpectBound({{"i32 && u64.d", "u32 instant -"},
               {"5 || 3", "u32 discrete -"},
               {"count || 1", refused},
               {"1 && byte", refused},
               {"watt || 1", refused}});
}

TEST(SemanticsTest, BesideACounterThereIsNoDimension) {  // DER-828
  ExpectBound(
      {{"c.byte * byte", "Non-counter and not dimensionless for right operand [DER-828]"},
       {"byte * c.byte", "Non-counter and not dimensionless for left operand [DER-828]"},
       {"c.byte / count", "Non-counter and not dimensionless for right operand [DER-828]"},
       {"u32.c.byte > u32.byte", "Non-counter and not dimensionless for right operand [DER-828]"},
       {"u32.byte > c.byte", "Non-counter and not dimensionless for left operand [DER-828]"},
       {"c.byte * watt", "Non-counter and not dimensionless for right operand [DER-828]"}});
}

TEST(SemanticsTest, ExtraUnitsHardlyMix) {  // DER-829..831, 844
  ExpectBound(
      {{"watt * perwatt", "Extra units not allowed for both operands of * [DER-829]"},
       {"watt * watt", "Extra units not allowed for both operands of * [DER-829]"},
       {"watt / kwatt", "Different extra units not allowed for both operands of / [DER-830]"},
       {"watt / perwatt", "Different extra units not allowed for both operands of / [DER-830]"},
       {"celsius + fahrenheit", "Operands have incompatible extra units or scale [DER-831]"},
       {"watt > u32.celsius", "Operands have incompatible extra units or scale [DER-831]"},
       {"watt / watt", "double instant -"},
       {"watt / 2", "double instant - power (W)"},
       {"1 / watt", "double instant - / power (W)"},
       {"1 / perwatt", "double instant - power (W)"},
       {"2 * watt", "u32 instant - power (W)"},
       {"sec * watt", "32 instant - power (W) sec"},
       {"watt > 1", "u32 instant -"}});
}

TEST(SemanticsTest, ExtraUnitsArePaddingBefore72) {  // DER-109
  ExpectBound({{"watt * celsius", "32 instant - power (W)"},
               {"watt && 1", "u32 instant -"},
               {"1 / watt", "double instant - power (W)"},
               {"watt > 1.5", "u32 instant -"}},
              kV63);
}

TEST(SemanticsTest, OneInstanceDomainOrOneSingular) {  // DER-102, 832, 846
  const std::string refused = "Operands should have the same instance domain [DER-832]";
  ExpectBound({{"a + a", "32 instant 60.1"},
               {"a + s", "32 instant 60.1"},
               {"s + b", "32 instant 60.2"},
               {"5 * b", "u32 instant 60.2"},
               {"a + b", refused},
               {"a && b", refused},
               {"a + e", "32 instant 60.1"},
               {"e > a", "u32 instant 60.5"},
               {"mkconst(5,indom=60.1) + e", "u32 instant 60.5"}});
  ExpectBound({{"a + e", refused}}, kV60);
  ExpectBound({{"a + e", "32 instant 60.1"}}, kV63);
}

TEST(SemanticsTest, TypesArePromoted) {  // DER-842
  ExpectBound({{"dbl + flt", "double instant -"},
               {"flt * u64", "float instant -"},
               {"u64 - i64", "u64 instant -"},
               {"i64 + u32", "64 instant -"},
               {"u32 * i32", "u32 instant -"},
               {"i32 + i32", "32 instant -"},
               {"i32 / i32", "double instant -"},
               {"dbl > flt", "u32 instant -"},
               {"dbl || i32", "u32 instant -"}});
}

TEST(SemanticsTest, TestIdea3) {
  ExpectBound({{"- 2 * 3 + 10", "u32 instant -"},
               {"-2 + -2", "32 instant -"},
               {"2 - -2 * 3", "u32 instant -"}});
}

TEST(SemanticsTest, SemanticsComeFromTheBaseBesideACounter) {  // DER-841, 843; test idea 24
  ExpectBound({{"d + d", "32 discrete -"},
               {"d + i", "32 instant -"},
               {"1 + d", "u32 discrete -"},
               {"c * i", "32 counter -"},
               {"i * c", "32 instant -"},
               {"2 * c", "u32 counter -"},
               {"c > 1000", "u32 counter -"},
               {"1000 < c", "u32 counter -"},
               {"i < c", "u32 instant -"},
               {"c.kbyte > 1000", "u32 counter -"},
               {"mkconst(1,semantics=counter) + c", "u32 counter -"}});
}

TEST(SemanticsTest, DimensionsAddAndSubtract) {  // DER-844, 845; test idea 36
  ExpectBound({{"byte * sec", "32 instant - byte sec"},
               {"byte / sec", "double instant - byte / sec"},
               {"mbyteperhour / 2", "double instant - Mbyte / hour"},
               {"2 / mbyteperhour", "double instant - hour / Mbyte"},
               {"kbyte2 / byte", "double instant - Kbyte"},
               {"kbyte / byte", "double instant -"},
               {"i32 / kcount", "double instant - / count x 10^3"},
               {"bytepersec * hour", "double instant - byte"},
               {"nsec + hour", "double instant - hour"},
               {"kcount * percount", "double instant -"},
               {"sec7 * sec7", "32 instant - / sec^2"}});
}

TEST(SemanticsTest, AConstantOnTheLeftMislabels) {  // DER-845; test idea 26
  ExpectBound({{"mkconst(1,units=\"Kbyte\") + u32.byte", "double instant - byte"},
               {"mkconst(1,units=\"byte\") + u32.kbyte", "double instant - Kbyte"},
               {"u32.byte + mkconst(1,units=\"Kbyte\")", "double instant - Kbyte"},
               {"mkconst(5,units=\"Kbyte\") * sec", "u32 instant - byte sec"}});
}

}  // namespace
}  // namespace pmproof::derived
