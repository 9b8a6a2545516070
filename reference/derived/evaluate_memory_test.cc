// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/derived/evaluate.h"
#include "reference/derived/testing/evaluated_text.h"

// What an evaluator remembers from fetch to fetch (DER-1113, 1114, 1131..1139).

namespace pmproof::derived {
namespace {

void ExpectEvaluatedInAll(const std::vector<EvaluationCase>& cases) {
  for (const Dialect* dialect : {&kV60, &kV63, &kV72}) ExpectEvaluated(cases, *dialect);
}

TEST(EvaluateMemoryTest, DeltaIsTheDifferenceInItsType) {  // DER-1134; test idea 14
  ExpectEvaluatedInAll(
      {{"delta(u32.c)",
        {"u32.c=3900", "u32.c=4294967290", "u32.c=5300"},
        {"none", "4294963390", "-4294961990"}},
       {"delta(i32)", {"i32=-2147483648", "i32=2147483647"}, {"none", "-1"}},
       {"delta(i64)", {"i64=-9223372036854775808", "i64=1"}, {"none", "-9223372036854775807"}},
       {"delta(u64.c)",
        {"u64.c=5", "u64.c=3", "u64.c=18446744073709551615"},
        {"none", "-2", "1.8446744073709552e+19"}},
       {"delta(flt)", {"flt=16777216", "flt=0.1"}, {"none", "-16777216"}},
       {"delta(dbl)", {"dbl=0.3", "dbl=0.1"}, {"none", "-0.19999999999999998"}}});
}

TEST(EvaluateMemoryTest, TheSeedKeepsTheTypeOfADelta) {  // DER-1506
  ExpectEvaluated({{"delta(u32.c)", {"u32.c=7", "u32.c=5"}, {"none", "4294967294"}},
                   {"delta(u64.c)", {"u64.c=7", "u64.c=5"}, {"none", "18446744073709551614"}}},
                  kSeed);
}

TEST(EvaluateMemoryTest, OnlyInstancesThatWereThereBeforeHaveADelta) {  // DER-1132, 1133
  ExpectEvaluatedInAll(
      {{"delta(i32.a)",
        {"i32.a=0:1,1:2", "i32.a=2:5,1:7,0:3", "i32.a=2:6", "", "i32.a=2:9", "i32.a=2:10"},
        {"none", "1:5 0:2", "2:1", "none", "none", "2:1"}}});
}

TEST(EvaluateMemoryTest, RateDividesByTheTimeBetweenFetches) {  // DER-105, 1135, 1136; ideas 15, 16
  const Lines u32 = {"@0 u32=100", "@10 u32=50"};
  const Lines counter = {"@0 u32.c=100", "@10 u32.c=50"};
  ExpectEvaluatedInAll(
      {{"rate(u32)", u32, {"none", "429496724.60000002"}},
       {"rate(i32.c)", {"@0 i32.c=130", "@10 i32.c=5"}, {"none", "-12.5"}},
       {"rate(dbl)", {"@0.5 dbl=1", "@3 dbl=6"}, {"none", "2"}},
       {"rate(flt)", {"@0 flt=16777216", "@1 flt=0.1"}, {"none", "-16777216"}},
       {"rate(u64)", {"@0 u64=1", "@1 u64=0"}, {"none", "1.8446744073709552e+19"}},
       {"rate(i64.c.a)", {"@0 i64.c.a=0:1,1:2", "@2 i64.c.a=1:8,0:5"}, {"none", "1:3 0:2"}}});
  ExpectEvaluated({{"rate(u32.c)", counter, {"none", "429496724.60000002"}}}, kV60);
  for (const Dialect* dialect : {&kV63, &kV72}) {
    ExpectEvaluated(
        {{"rate(u32.c)", counter, {"none", "none"}},
         {"rate(i64.c.a)", {"@0 i64.c.a=0:9,1:2", "@2 i64.c.a=0:5,1:8"}, {"none", "1:3"}},
         {"rate(dbl.c)", {"@0 dbl.c=2", "@2 dbl.c=1"}, {"none", "none"}}},
        *dialect);
  }
}

TEST(EvaluateMemoryTest, RateOfATimeIsAUtilisation) {  // DER-1137; test idea 17
  ExpectEvaluatedInAll(
      {{"rate(u64.c.nsec)",
        {"@0 u64.c.nsec=2000000000", "@10 u64.c.nsec=2200000000"},
        {"none", "0.019999999999999997"}},
       {"rate(u64.c.msec)", {"@0 u64.c.msec=0", "@10 u64.c.msec=5000"}, {"none", "0.5"}},
       {"rate(u64.c.sec)", {"@0 u64.c.sec=0", "@10 u64.c.sec=5"}, {"none", "0.5"}},
       {"rate(u64.c.hour)", {"@0 u64.c.hour=0", "@10 u64.c.hour=1"}, {"none", "360"}}});
}

TEST(EvaluateMemoryTest, NoTimeDividesByZero) {  // DER-1138
  ExpectEvaluatedInAll({{"rate(i32)",
                         {"@5 i32=1", "@5 i32=1", "@5 i32=2", "@5 i32=1", "@3 i32=5"},
                         {"none", "nan", "inf", "-inf", "-2"}}});
}

TEST(EvaluateMemoryTest, TimesAreOfNanosecondsAndRoundedOnce) {  // DER-1135, O5
  ExpectEvaluatedInAll(
      {{"rate(i32)", {"@0 i32=0", "@1.0000004 i32=1"}, {"none", "0.99999960000015997"}},
       {"rate(i32)", {"@7.177214894 i32=0", "@0 i32=1"}, {"none", "-0.13932981174020287"}}});
}

TEST(EvaluateMemoryTest, ASkippedFetchWidensTheInterval) {  // DER-1106, 1131; ideas 23, 37, 38
  ExpectEvaluatedInAll(
      {{"rate(i32)", {"@0 i32=0", "@20 i32=10"}, {"none", "0.5"}},
       {"delta(i32.c)", {"@0 i32.c=130", "@60 i32.c=5", "@0 i32.c=130"}, {"none", "-125", "125"}}});
}

TEST(EvaluateMemoryTest, ListedTwiceItIsEvaluatedTwice) {  // DER-1102; test idea 22
  ExpectEvaluatedInAll(
      {{"delta(i32)", {"@0 i32=5", "@0 i32=5", "@1 i32=9", "@1 i32=9"}, {"none", "0", "4", "0"}}});
}

TEST(EvaluateMemoryTest, AnErrorComesTwice) {  // DER-1132; test idea 21
  const Lines fetches = {"i32=1", "i32=!-12351", "i32=4", "i32=6", "i32=!-12351", "", "i32=1"};
  ExpectEvaluatedInAll(
      {{"delta(i32)",
        fetches,
        {"none", "error -12351", "error -12351", "2", "error -12351", "none", "none"}},
       {"i32 + 1", {"i32=1", "i32=!-12351", "i32=4"}, {"2", "error -12351", "5"}},
       {"count(i32)", {"i32=1", "i32=!-12351", "i32=4"}, {"1", "0", "1"}}});
  // What is above delta() has no memory of its own; what is beside it waits.
  ExpectEvaluated({{"delta(i32 + 1) + i64",
                    {"i32=1 i64=0", "i32=!-12351 i64=0", "i32=4 i64=0", "i32=6 i64=0"},
                    {"none", "error -12351", "error -12351", "2"}},
                   {"i64 + delta(i32)",
                    {"i32=1 i64=0", "i32=9 i64=!-12357", "i32=4 i64=0"},
                    {"none", "error -12357", "3"}}});
}

TEST(EvaluateMemoryTest, AConstantDoesNotChange) {  // DER-1139
  for (const Dialect* dialect : {&kV63, &kV72}) {
    ExpectEvaluated({{"delta(5)", {"", "", ""}, {"none", "0", "0"}},
                     {"rate(5)", {"@0", "@1"}, {"none", "0"}},
                     {"delta(mkconst(5,type=double))", {"", ""}, {"none", "0"}},
                     {"delta(defined(i32))", {"", "", ""}, {"none", "none", "none"}}},
                    *dialect);
  }
}

TEST(EvaluateMemoryTest, AFilterStandsOutsideOfADelta) {  // DER-1139; test idea 32
  const Lines fetches = {"i32.a=0:1,1:2", "i32.a=0:5,1:4", "i32.a=0:7,1:4"};
  const Lines inside = {"none", "none", "none"};
  const Lines outside = {"none", "0:4", "0:2"};
  for (const Dialect* dialect : {&kV63, &kV72}) {
    ExpectEvaluated({{"(delta(i32.a))[a0]", fetches, outside},
                     {"matchinst(/^a0$/, delta(i32.a))", fetches, outside},
                     {"delta(i32.a[a0])", fetches, inside},
                     {"rate(i32.a[a0])", fetches, inside},
                     {"delta(matchinst(/^a0$/, i32.a))", fetches, outside},               // [U]
                     {"delta(instant(i32.a))", fetches, {"none", "0:4 1:2", "0:2 1:0"}},  // [U]
                     {"delta(delta(i32.a))", fetches, {"none", "none", "0:-2 1:-2"}}},
                    *dialect);
  }
}

TEST(EvaluateMemoryTest, AFilterTakesOneInstance) {  // DER-1113, 1115
  const Lines fetches = {"i32.a=2:9,0:1,1:2"};
  ExpectEvaluatedInAll({{"i32.a[a1]", fetches, {"1:2"}},
                        {"i32.a[a1 one]", fetches, {"1:2"}},
                        {"i32.a[a4]", fetches, {"none"}},
                        {"i32.a[a1]", {"", "i32.a=0:1"}, {"none", "none"}},
                        {"i32[a1]", {"i32=4"}, {"none"}}});
}

TEST(EvaluateMemoryTest, APatternMatchesUpToTheFirstSpace) {  // DER-1114, 1115
  const Lines fetches = {"i32.a=2:9,0:1,1:2,3:4"};
  ExpectEvaluatedInAll({{"matchinst(/1/, i32.a)", fetches, {"1:2"}},
                        {"matchinst(/^a[02]$/, i32.a)", fetches, {"2:9 0:1"}},
                        {"matchinst(!/1/, i32.a)", fetches, {"2:9 0:1"}},
                        {"matchinst(/zero/, i32.a)", fetches, {"none"}},
                        {"matchinst(/a/, i32)", {"i32=4"}, {"none"}},
                        {"matchinst(/a0/,i32.a)/2", fetches, {"0:0.5"}}});
}

// Instances whose names change.
class ChangingNames final : public FetchedOperands {
 public:
  explicit ChangingNames(std::optional<std::int32_t> instance) : instance_(instance) {
    set_.pairs = {{0, Value::Of(std::int32_t{10})}, {1, Value::Of(std::int32_t{11})}};
  }
  Timestamp time() const override { return {}; }
  const ValueSet& Values(std::uint32_t) const override { return set_; }
  std::optional<std::int32_t> FindInstance(Indom, std::string_view) const override {
    return instance_;
  }
  std::optional<std::string> InstanceName(Indom, std::int32_t instance) const override {
    return instance == instance_ ? "x" : "y";
  }
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom) const override { return {}; }

 private:
  std::optional<std::int32_t> instance_;
  ValueSet set_;
};

TEST(EvaluateMemoryTest, WhatAFilterFoundStays) {  // DER-1113, 1114
  for (const char* const text : {"i32.a[x]", "matchinst(/x/, i32.a)"}) {
    auto bound = BindText(text);
    ASSERT_TRUE(bound);
    Evaluator evaluator(std::make_shared<const BoundExpression>(std::move(*bound)), kV72);
    EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(1))), "1:11") << text;
    EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(0))), "1:11") << text;
  }
}

TEST(EvaluateMemoryTest, AFilterLooksUntilItFinds) {  // DER-1113
  auto bound = BindText("i32.a[x]");
  ASSERT_TRUE(bound);
  Evaluator evaluator(std::make_shared<const BoundExpression>(std::move(*bound)), kV72);
  EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(std::nullopt))), "none");
  EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(0))), "0:10");
}

TEST(EvaluateMemoryTest, AFilterLooksOnlyWhereThereAreValues) {  // DER-1113
  auto bound = BindText("(delta(i32.a))[x]");
  ASSERT_TRUE(bound);
  Evaluator evaluator(std::make_shared<const BoundExpression>(std::move(*bound)), kV72);
  EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(0))), "none");
  EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(1))), "1:0");
  EXPECT_EQ(ValueSetText(evaluator.Evaluate(ChangingNames(0))), "1:0");
}

TEST(EvaluateMemoryTest, AnAliasHasNoValues) {  // DER-702; test idea 33
  ExpectEvaluatedInAll({{"derived.i32", {"", ""}, {"none", "none"}}});
  ExpectEvaluated({{"derived.i32 + 1", {}, {"Illegal nested derived metric"}}});
  ExpectEvaluated({{"derived.i32 + 1", {"", ""}, {"none", "none"}}}, kV60);
}

TEST(EvaluateMemoryTest, TheSeedsExampleInFull) {  // DER-1502
  ExpectEvaluatedInAll({{"u32.mbytepersec - delta(u64.c.byte) / delta(u32.c.msec)",
                         {"u32.mbytepersec=100 u64.c.byte=0 u32.c.msec=0",
                          "u32.mbytepersec=100 u64.c.byte=10485760 u32.c.msec=2000"},
                         {"none", "95"}}});
}

}  // namespace
}  // namespace pmproof::derived
