// SPDX-License-Identifier: Apache-2.0
// DER section 4.

#include "reference/derived/controls.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof::derived {
namespace {

std::string Said(Controls* controls, std::string_view text,
                 Controls::Source source = Controls::Source::kOther) {
  std::string said;
  for (const ControlProblem& problem : controls->Take(text, source)) {
    if (!said.empty()) said += "; ";
    said += (problem.error ? "E " : "W ") + problem.message;
  }
  return said;
}

std::string Said(std::string_view text) {
  Controls controls;
  return Said(&controls, text);
}

TEST(ControlsTest, HaveTheirDefaults) {  // DER-401
  const Controls controls;
  EXPECT_EQ(controls.global_limit(), std::nullopt);
  EXPECT_EQ(controls.context_limit(), std::nullopt);
  EXPECT_FALSE(controls.option_novalue());
}

TEST(ControlsTest, ValuesOutOfRangeAreRefused) {  // DER-401
  Controls controls;
  EXPECT_EQ(static_cast<int>(controls.Set(Control::kGlobalLimit, 0)), -12415);
  EXPECT_EQ(static_cast<int>(controls.Set(Control::kContextLimit, -2)), -12415);
  EXPECT_EQ(static_cast<int>(controls.Set(Control::kDebugEval, 2)), -12415);
  EXPECT_EQ(controls.Set(Control::kContextLimit, 7), ErrorCode::kOk);
  EXPECT_EQ(controls.context_limit(), 7U);
  EXPECT_EQ(Said("option_novalue=2"),
            "W failed to set derived metric control option_novalue=2: Bad value for function "
            "argument");
}

TEST(ControlsTest, WhatTheEnvironmentSetsStays) {  // DER-402
  Controls controls;
  EXPECT_EQ(Said(&controls, "o=1,g=5", Controls::Source::kEnvironment), "");
  EXPECT_EQ(Said(&controls, "o=1"), "");
  EXPECT_EQ(Said(&controls, "g=7,d=1"),
            "W failed to set derived metric control g=7: Try again. Information not currently "
            "available");
  EXPECT_EQ(
      Said(&controls, "o=9,c=0"),
      "W failed to set derived metric control o=9: Try again. Information not currently "
      "available; W failed to set derived metric control c=0: Bad value for function argument");
  EXPECT_EQ(controls.global_limit(), 5U);
  EXPECT_EQ(controls.Get(Control::kDebugSyntax), 1);
}

TEST(ControlsTest, TheEnvironmentItselfMayChangeWhatItHasSet) {  // DER-402
  Controls controls;
  EXPECT_EQ(Said(&controls, "g=4,o=1,g=1,o=0", Controls::Source::kEnvironment), "");
  EXPECT_EQ(controls.global_limit(), 1U);
  EXPECT_FALSE(controls.option_novalue());
  EXPECT_EQ(Said(&controls, "g=1,o=1"),
            "W failed to set derived metric control o=1: Try again. Information not currently "
            "available");
  EXPECT_EQ(Said(&controls, "o=7", Controls::Source::kEnvironment),
            "W failed to set derived metric control o=7: Bad value for function argument");
}

TEST(ControlsTest, WithoutAContextItHasNoLimit) {  // DER-402
  Controls controls(false);
  for (const auto source : {Controls::Source::kEnvironment, Controls::Source::kOther}) {
    EXPECT_EQ(Said(&controls, "c=5,context_limit=-1,g=3", source),
              "W failed to set derived metric control c=5: Attempt to use an illegal context; W "
              "failed to set derived metric control context_limit=-1: Attempt to use an illegal "
              "context");
    EXPECT_EQ(Said(&controls, "c=0", source),
              "W failed to set derived metric control c=0: Bad value for function argument");
  }
  EXPECT_EQ(controls.context_limit(), std::nullopt);
  EXPECT_EQ(controls.global_limit(), 3U);
}

TEST(ControlsTest, TheLastSettingWins) {  // DER-402
  Controls controls;
  EXPECT_EQ(Said(&controls, "o=1,o=0,global_limit=3,global_limit=-1"), "");
  EXPECT_FALSE(controls.option_novalue());
  EXPECT_EQ(controls.global_limit(), std::nullopt);
}

TEST(ControlsTest, AnyPrefixIsAName) {  // DER-403
  EXPECT_EQ(FindControl("o"), Control::kOptionNoValue);
  EXPECT_EQ(FindControl("D"), Control::kDebugSyntax);
  EXPECT_EQ(FindControl("debug_Se"), Control::kDebugSemantics);
  EXPECT_EQ(FindControl(""), Control::kGlobalLimit);
  EXPECT_EQ(FindControl("novalue"), std::nullopt);
  EXPECT_EQ(FindControl("option_novaluex"), std::nullopt);
  EXPECT_EQ(Said("novalue=1"), "W unknown derived metric control (novalue)");
}

TEST(ControlsTest, ProblemsAreSaidAsPcpSaysThem) {  // DER-404
  EXPECT_EQ(Said("global_limit"), "E missing '=' in derived metric control (global_limit)");
  EXPECT_EQ(Said(""), "E missing '=' in derived metric control ()");
  EXPECT_EQ(Said("o=1,"), "E missing '=' in derived metric control ()");
  EXPECT_EQ(Said("="), "W missing value in derived metric control (=)");
  EXPECT_EQ(Said("o=,g=1"), "W missing value in derived metric control (o=,g=1)");
  EXPECT_EQ(Said("o=x,g=5"), "W bad value (x,g=5) for derived metric control (o)");
  EXPECT_EQ(Said("zz=1x"), "W bad value (1x) for derived metric control (zz)");
  EXPECT_EQ(Said("o=1,,g=5"), "W unknown derived metric control (,g)");
  EXPECT_EQ(Said(" o=1"), "W unknown derived metric control ( o)");
}

TEST(ControlsTest, UnknownNamesDoNotEndALineAndBadValuesDo) {  // DER-404
  Controls controls;
  EXPECT_EQ(Said(&controls, "zz=2,g=3"), "W unknown derived metric control (zz)");
  EXPECT_EQ(controls.global_limit(), 3U);
  EXPECT_NE(Said(&controls, "o=1 ,g=5"), "");
  EXPECT_EQ(controls.global_limit(), 3U);
  EXPECT_FALSE(controls.option_novalue());
}

TEST(ControlsTest, NumbersAreThoseOfC) {
  Controls controls;
  EXPECT_EQ(Said(&controls, "g= +7"), "");
  EXPECT_EQ(controls.global_limit(), 7U);
  EXPECT_EQ(Said(&controls, "g=4294967297"), "");
  EXPECT_EQ(controls.global_limit(), 1U);
  EXPECT_EQ(Said(&controls, "g=9223372036854775808"), "");
  EXPECT_EQ(controls.global_limit(), std::nullopt);
  EXPECT_EQ(Said(&controls, "g=-9223372036854775809"),
            "W failed to set derived metric control g=0: Bad value for function argument");
  EXPECT_EQ(Said(&controls, "o=99999999999"),
            "W failed to set derived metric control o=1215752191: Bad value for function argument");
  EXPECT_EQ(Said("g=+ 7"), "W bad value (+ 7) for derived metric control (g)");
  EXPECT_EQ(Said("g= "), "W bad value ( ) for derived metric control (g)");
}

TEST(ControlsTest, ALongTextTakesItsTimeOnce) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "zz=1,";
  Controls controls;
  EXPECT_EQ(controls.Take(text + "o=1").size(), 200'000U);
  EXPECT_TRUE(controls.option_novalue());
  // NOLINTNEXTLINE(bugprone-string-constructor): the length is what is tested
  EXPECT_EQ(controls.Take("o=" + std::string(10'000'000, '0')).size(), 0U);
}

}  // namespace
}  // namespace pmproof::derived
