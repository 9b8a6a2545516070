// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/evaluate.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/derived/testing/evaluated_text.h"

// Constants, aggregates, operators, ternaries and rescale (DER-1103..1120, 1141..1161).

namespace pmproof::derived {
namespace {

struct OneCase {
  std::string text;
  std::string fetch;
  std::string result;
};

void ExpectValues(const std::vector<OneCase>& cases, const Dialect& dialect = kV72) {
  for (const OneCase& each : cases) {
    EXPECT_EQ(EvaluatedText(each.text, {each.fetch}, dialect), Lines{each.result})
        << each.text << " in " << dialect.name << " of " << each.fetch;
  }
}

void ExpectValuesInAll(const std::vector<OneCase>& cases) {
  for (const Dialect* dialect : {&kV60, &kV63, &kV72}) ExpectValues(cases, *dialect);
}

TEST(EvaluateTest, OperatorsNestAsTheyBind) {  // test ideas 1, 2, 3
  ExpectValuesInAll({{"1 ? 2 : 0 ? 3 : 4", "", "3"},
                     {"0 ? 1 : 2 ? 3 : 4", "", "3"},
                     {"1 ? 0 ? 5 : 6 : 7", "", "6"},
                     {"1 || 0 && 0", "", "0"},
                     {"2 < 3 < 2", "", "1"},
                     {"3 > 2 == 1", "", "1"},
                     {"!1 == 0", "", "1"},
                     {"!0 && 0", "", "0"},
                     {"!0 + 1", "", "0"},
                     {"- 2 * 3 + 10", "", "4"},
                     {"2 - -2 * 3", "", "8"},
                     {"2 - - 2", "", "4"}});
}

TEST(EvaluateTest, ConstantsHaveTheValueOfTheirType) {  // DER-1111; test idea 7
  ExpectValuesInAll({{".", "", "0"},
                     {"1.", "", "1"},
                     {".5", "", "0.5"},
                     {"0.1", "", "0.10000000000000001"},
                     {"4294967295", "", "4294967295"},
                     {"mkconst(4294967295,type=32)", "", "-1"},
                     {"mkconst(4294967295,type=64)", "", "4294967295"},
                     {"mkconst(7,type=u64)", "", "7"},
                     {"mkconst(0.1,type=float)", "", "0.100000001"},
                     {"mkconst(3,type=double)", "", "3"}});
  ExpectValues(
      {{std::string(400, '9') + ".", "", "inf"}, {"0." + std::string(400, '0') + "1", "", "0"}});
}

TEST(EvaluateTest, AConstantWithADomainHasAPairForEachInstance) {  // DER-1112; test idea 39
  ExpectValues({{"mkconst(5,indom=60.1)", "", "0:5 1:5 2:5"},
                {"mkconst(5,type=u32,indom=60.1) + i32.a", "i32.a=2:1,0:3", "0:8 2:6"},
                {"mkconst(5,indom=60.7)", "", "error -12379"}});
}

TEST(EvaluateTest, AMetricAloneIsItsPairs) {  // DER-1104, 1105
  ExpectValuesInAll({{"i32.a", "i32.a=7:1,2:-3", "7:1 2:-3"},
                     {"i32", "", "none"},
                     {"i32", "i32=!-12351", "error -12351"},
                     {"str", "str=x", "string"},
                     {"anon(PM_TYPE_32)", "", "none"},
                     {"derived.i32", "", "none"}});
}

TEST(EvaluateTest, AnErrorOfAnOperandIsThatOfTheMetric) {  // DER-1103
  ExpectValues({{"i32 + i64", "i32=!-12351 i64=!-12357", "error -12351"},
                {"i64 + i32", "i32=!-12351 i64=!-12357", "error -12357"},
                {"i32 ? i64 : i64", "i32=1 i64=!-12357", "error -12357"},
                {"sum(i32.a)", "i32.a=!-12351", "error -12351"},
                {"i32 + 1", "i32=!-12351", "error -12351"},
                {"1 ? 2 : i32", "i32=!-12351", "2"}});
  ExpectValues({{"1 ? 2 : u32.d", "u32.d=!-12351", "error -12351"}}, kV60);
}

TEST(EvaluateTest, CountIsNeverAnError) {  // DER-1116; test ideas 19, 21
  ExpectValuesInAll({{"count(i32.a)", "i32.a=0:100,1:200,2:300", "3"},
                     {"count(i32.a)", "", "0"},
                     {"count(str)", "str=x", "1"},
                     {"count(i32)", "i32=!-12351", "0"},
                     {"count(i32) + 1", "i32=!-12351", "1"}});
  EXPECT_EQ(EvaluatedText("count(no.such)", {""}, kV72, {.missing_is_novalue = true}), Lines{"0"});
}

TEST(EvaluateTest, SumRunsInTheTypeOfTheMetric) {  // DER-1117; test idea 19
  ExpectValuesInAll({{"sum(i32.a)", "i32.a=0:2147483647,1:1", "-2147483648"},
                     {"sum(u32.a)", "u32.a=0:4294967295,1:6", "5"},
                     {"sum(i64.a)", "i64.a=0:9223372036854775807,1:1", "-9223372036854775808"},
                     {"sum(u64.a)", "u64.a=0:18446744073709551615,1:3", "2"},
                     {"sum(flt.a)", "flt.a=0:16777216,1:1,2:1", "16777216"},
                     {"sum(dbl.a)", "dbl.a=0:0.1,1:0.2", "0.30000000000000004"},
                     {"sum(i32.a)", "", "0"},
                     {"sum(dbl.a)", "", "0"}});
}

TEST(EvaluateTest, AverageIsInSinglePrecisionAtEachStep) {  // DER-1118; test idea 19
  ExpectValuesInAll(
      {{"avg(i32.a)", "i32.a=0:100,1:200,2:300,3:400,4:500,5:600,6:700,7:800,8:900", "499.999969"},
       {"avg(u32.a)", "u32.a=0:1,1:2", "1.5"},
       {"avg(i32.a)", "", "0"}});
}

TEST(EvaluateTest, ExtremesRepeatThemselvesWithoutValues) {  // DER-1119; test idea 20
  ExpectEvaluated({{"max(i32.a)", {"i32.a=0:-5,1:252", "", "i32.a=0:-7"}, {"252", "252", "-7"}},
                   {"min(i32.a)", {"i32.a=0:-5,1:252", "", "i32.a=0:-7"}, {"-5", "-5", "-7"}},
                   {"max(u64.a)", {"u64.a=0:18446744073709551615,1:2"}, {"18446744073709551615"}},
                   {"min(dbl)", {"dbl=nan", "dbl=1"}, {"nan", "1"}},
                   {"max(i32)",
                    {"", "i32=!-12351", "i32=3", "i32=!-12351", ""},
                    {"none", "error -12351", "3", "error -12351", "3"}}});
}

TEST(EvaluateTest, ScalarIsTheFirstPair) {  // DER-1120
  ExpectValuesInAll({{"scalar(i32.a)", "i32.a=2:9,0:8", "9"}, {"scalar(i32.a)", "", "none"}});
}

TEST(EvaluateTest, DefinedIsWhatBindingFound) {  // DER-705; test idea 30
  ExpectValuesInAll({{"defined(i32)", "", "1"}, {"!defined(no.such)", "", "1"}});
  ExpectValues({{"defined(no.such) ? no.such : i32.a", "i32.a=0:4", "0:4"},
                {"no.such ? 1 : 2", "", "Non-scalar ternary guard with scalar expressions"},
                {"no.such > 0 ? i32.a : i32.a", "i32.a=0:4", "none"}});
}

TEST(EvaluateTest, NegationWraps) {  // DER-1141
  ExpectValuesInAll({{"-i32", "i32=-2147483648", "-2147483648"},
                     {"-u32", "u32=5", "-5"},
                     {"-u64", "u64=5", "-5"},
                     {"-i64.a", "i64.a=0:3,1:-4", "0:-3 1:4"},
                     {"-dbl", "dbl=0", "-0"},
                     {"-flt", "flt=1.5", "-1.5"},
                     {"!u32", "u32=0", "1"},
                     {"!i32.a", "i32.a=0:-7,4:0", "0:0 4:1"}});
}

TEST(EvaluateTest, InstantChangesNoValue) {  // DER-1142
  ExpectValuesInAll({{"instant(u32.c.a)", "u32.c.a=3:4,1:2", "3:4 1:2"}});
}

TEST(EvaluateTest, OperandsMeetByInstance) {  // DER-1143
  ExpectValuesInAll({{"i32.a + i64.a", "i32.a=0:1,1:2,2:3 i64.a=2:30,0:10", "0:11 2:33"},
                     {"i32.a + i64.a", "i32.a=2:3,0:1,2:4 i64.a=0:10,2:30", "2:33 0:11 2:34"},
                     {"i32.a + i64.a", "i32.a=0:1 i64.a=1:1", "none"},
                     {"i32.a + i64.a", "i32.a=0:1", "none"},
                     {"i32 - i64.a", "i32=5 i64.a=4:1,2:7", "4:4 2:-2"},
                     {"i64.a - i32", "i32=5 i64.a=4:1,2:7", "4:-4 2:2"},
                     {"i64.a - i32", "i64.a=4:1,2:7", "none"}});
}

TEST(EvaluateTest, MixedSignsAreComparedAsUnsigned) {  // DER-1144; test ideas 4, 25
  ExpectValuesInAll({{"i32 < 0", "i32=-19", "0"},
                     {"i32 < mkconst(0,type=32)", "i32=-19", "1"},
                     {"i64 < 0", "i64=-19", "1"},
                     {"u64 > i64", "u64=5 i64=-1", "0"},
                     {"dbl < 0", "dbl=-0.5", "1"},
                     {"u32.kbyte > u32.byte", "u32.kbyte=1 u32.byte=2", "0"},
                     {"dbl == dbl.i", "dbl=nan dbl.i=nan", "0"},
                     {"dbl != dbl.i", "dbl=nan dbl.i=nan", "1"}});
}

TEST(EvaluateTest, IntegersWrapAndFloatsRound) {  // DER-1145, 1146; test idea 6
  ExpectValuesInAll({{"u32 * i32", "u32=700 i32=-12", "4294958896"},
                     {"u64 + i32", "u64=0 i32=-1", "18446744073709551615"},
                     {"u64 + u32", "u64=0 u32=4294967295", "4294967295"},
                     {"i32 + i32.d", "i32=2147483647 i32.d=1", "-2147483648"},
                     {"i64 * u32", "i64=4611686018427387904 u32=2", "-9223372036854775808"},
                     {"flt + i32", "flt=0 i32=16777217", "16777216"},
                     {"flt * u64", "flt=1 u64=18446744073709551615", "1.84467441e+19"},
                     {"flt + dbl", "flt=0.1 dbl=0", "0.10000000149011612"}});
}

TEST(EvaluateTest, DivisionOfZeroIsZero) {  // DER-1147; test idea 5
  ExpectValuesInAll({{"1/0", "", "inf"},
                     {"0/0", "", "0"},
                     {"-i32/0", "i32=19", "-inf"},
                     {"0.0*-1", "", "-0"},
                     {"dbl/0", "dbl=-0.0", "0"},
                     {"dbl/0", "dbl=nan", "nan"},
                     {"7/2", "", "3.5"}});
}

TEST(EvaluateTest, BooleansTestForZero) {  // DER-1148
  ExpectValuesInAll({{"i32 && dbl", "i32=-1 dbl=0.25", "1"},
                     {"i32 && dbl", "i32=0 dbl=0.25", "0"},
                     {"i32 || dbl", "i32=0 dbl=0", "0"},
                     {"i32 || dbl", "i32=0 dbl=nan", "1"},
                     {"1 || i32", "", "none"}});
}

TEST(EvaluateTest, OperandsComeToTheLargerScale) {  // DER-851..854, 1145; test ideas 26..29
  ExpectValuesInAll({{"mkconst(1,units=\"Kbyte\") + u32.byte", "u32.byte=300", "1.29296875"},
                     {"i32.byte2 + i32.kbyte2", "i32.byte2=1024 i32.kbyte2=1", "2"},
                     {"i32.sec * i32.mbyteperhour", "i32.sec=1 i32.mbyteperhour=1", "3600"},
                     {"i32.mbyteperhour * i32.sec", "i32.sec=3600 i32.mbyteperhour=1", "1"},
                     {"i32.kcount + 5", "i32.kcount=2", "7"},
                     {"i32.percount + 5", "", "Dimensions are not the same"},
                     {"i32.byte + i32.tbyte", "i32.byte=1 i32.tbyte=1", "inf"},
                     {"i32.nsec + i32.hour", "i32.nsec=817405952 i32.hour=1", "2"}});
}

TEST(EvaluateTest, ATernaryPicksByPosition) {  // DER-1151..1153; test idea 31
  const std::string text = "i32.a > 800 ? i32.a : mkconst(5,type=32,semantics=instant)";
  ExpectValuesInAll(
      {{text, "i32.a=0:900,1:700,2:801", "0:900 1:5 2:801"},
       {text, "", "none"},
       {text, "i32.a=!-12351", "error -12351"},
       {"i32 ? i64.a : i64.i.a", "i32=1 i64.a=0:1 i64.i.a=0:2,1:3", "0:1"},
       {"i32 ? i64.a : i64.i.a", "i32=0 i64.a=0:1,5:6 i64.i.a=1:2", "0:2 5:2"},
       {"i32 ? i64.a : i64.i.a", "i32=1 i64.a=0:1,5:6", "none"},
       {"i32 ? i64 : i64.a", "i32=1 i64=9 i64.a=3:1,4:2", "3:9 4:9"},
       {"i32 ? i64 : i64.a", "i32=0 i64=9 i64.a=3:1,4:2", "3:1 4:2"},
       {"i32.a ? i64 : i64.a", "i32.a=7:0,8:1 i64=9 i64.a=3:1,4:2,5:3", "3:1 4:9 5:9"},
       {"dbl ? 1 : 2", "dbl=nan", "1"}});
}

TEST(EvaluateTest, AStaticGuardWithoutValuesGivesNone) {  // DER-1151
  ExpectValues({{"1 || no.such ? i32.a : i64.a", "i32.a=0:1", "none"},
                {"1 || i32 ? i64 : i64.d", "i32=1 i64=4", "4"}});
}

TEST(EvaluateTest, NoValueLeavesPairsOut) {  // DER-1154, 1155
  for (const Dialect* dialect : {&kV63, &kV72}) {
    ExpectValues({{"i32 > 3 ? i32 : novalue()", "i32=4", "4"},
                  {"i32 > 3 ? i32 : novalue()", "i32=2", "none"},
                  {"i32 > 3 ? novalue() : i32", "i32=2", "2"},
                  {"i32 > 3 ? novalue() : i64.a", "i32=2 i64.a=5:1,6:2", "5:1 6:2"},
                  {"i32.a > 3 ? i32.a : novalue()", "i32.a=0:4,1:5,2:1", "0:4 1:5"},
                  {"i32.a > 3 ? i32.a : novalue()", "i32.a=0:4,1:1,2:5", "0:4 2:5"}},
                 *dialect);
  }
}

TEST(EvaluateTest, RescaleKeepsTheType) {  // DER-1161
  ExpectValuesInAll({{"rescale(i32.byte,\"Kbyte\")", "i32.byte=1536", "2"},
                     {"rescale(dbl.byte,\"Kbyte\")", "dbl.byte=1536", "1.5"},
                     {"rescale(u64.kbyte,\"2 byte\")", "u64.kbyte=3", "3072"},
                     {"rescale(i32.a.byte,\"Kbyte\")", "i32.a.byte=4:1024,2:2048", "4:1 2:2"}});
}

TEST(EvaluateTest, DepthTakesNoStack) {  // DER-1401
  constexpr std::size_t kDepth = 200000;
  std::string right;
  for (std::size_t i = 0; i < kDepth; ++i) right += "1+(";
  right += "1" + std::string(kDepth, ')');
  EXPECT_EQ(EvaluatedText(right, {"", ""}), (Lines{"200001", "200001"}));
  std::string left = "i32";
  for (std::size_t i = 0; i < kDepth; ++i) left += "+1";
  EXPECT_EQ(EvaluatedText(left, {"i32=1"}), Lines{"200001"});
}

}  // namespace
}  // namespace pmproof::derived
