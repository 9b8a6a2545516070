// SPDX-License-Identifier: Apache-2.0
#include "reference/core/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace pmproof {
namespace {

std::string Text(std::uint32_t word) { return ToText(Units{word}); }

// A unit word of its six classic fields (ARC-009).
Units Of(int space, int time, int count, int scale_space, int scale_time, int scale_count) {
  const auto nibble = [](int value) { return static_cast<std::uint32_t>(value) & 0xf; };
  return Units{nibble(space) << 28 | nibble(time) << 24 | nibble(count) << 20 |
               nibble(scale_space) << 16 | nibble(scale_time) << 12 | nibble(scale_count) << 8};
}

TEST(Units, AreFieldsOfOneWord) {  // ARC-009, MET-201
  const Units units{0x1f025300};
  EXPECT_EQ(units.dim_space(), 1);
  EXPECT_EQ(units.dim_time(), -1);
  EXPECT_EQ(units.dim_count(), 0);
  EXPECT_EQ(units.scale_space(), 2U);
  EXPECT_EQ(units.scale_time(), 5U);
  EXPECT_EQ(units.scale_count(), 3);
}

TEST(Units, HaveSignedDimensionsAndCountScale) {  // ARC-009
  EXPECT_EQ(Units{0x80000000}.dim_space(), -8);
  EXPECT_EQ(Units{0x08000000}.dim_time(), -8);
  EXPECT_EQ(Units{0x00800000}.dim_count(), -8);
  EXPECT_EQ(Units{0x000f0000}.scale_space(), 15U);
  EXPECT_EQ(Units{0x0000f000}.scale_time(), 15U);
  EXPECT_EQ(Units{0x00000f00}.scale_count(), -1);
}

TEST(Units, HaveASignedExtraUnit) {  // ARC-009, MET-201
  EXPECT_EQ(Units{0x0100501a}.extra_unit(), 3);
  EXPECT_EQ(Units{0x0100501a}.extra_scale(), 2U);
  EXPECT_EQ(Units{0x000000e2}.extra_unit(), -4);
  EXPECT_EQ(Units{0x00000087}.extra_unit(), -16);
}

RC_GTEST_PROP(Units, ClassicFieldsFillTheUpperThreeBytes, (std::uint32_t word)) {
  const Units units{word};
  RC_ASSERT(Of(units.dim_space(), units.dim_time(), units.dim_count(),
               static_cast<int>(units.scale_space()), static_cast<int>(units.scale_time()),
               units.scale_count())
                .word == (word & 0xffffff00));
}

TEST(UnitsText, OfCommonUnits) {  // MET-211, MET-212
  EXPECT_EQ(Text(0x10010000), "Kbyte");
  EXPECT_EQ(Text(0x1f003000), "byte / sec");
  EXPECT_EQ(Text(0x00100000), "count");
  EXPECT_EQ(Text(0x00f00000), "/ count");
  EXPECT_EQ(ToText(Of(1, -1, 0, 2, 3, 0)), "Mbyte / sec");
  EXPECT_EQ(ToText(Of(0, -1, 0, 0, 3, 0)), "/ sec");
}

TEST(UnitsText, IsEmptyWithoutDimensions) {  // MET-211
  EXPECT_EQ(Text(0), "");
  EXPECT_EQ(ToText(Of(0, 0, 0, 3, 2, 0)), "");
}

TEST(UnitsText, IgnoresTheScaleOfAnAbsentDimension) { EXPECT_EQ(Text(0x1f025300), "Mbyte / hour"); }

TEST(UnitsText, NamesEveryScale) {  // MET-202
  const char* const space[] = {"byte",  "Kbyte", "Mbyte", "Gbyte", "Tbyte",
                               "Pbyte", "Ebyte", "Zbyte", "Ybyte"};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(ToText(Of(1, 0, 0, i, 0, 0)), space[i]);
  const char* const time[] = {"nanosec", "microsec", "millisec", "sec", "min", "hour"};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(ToText(Of(0, 1, 0, 0, i, 0)), time[i]);
}

TEST(UnitsText, WritesPowersOfTenOfCounts) {  // MET-212
  EXPECT_EQ(ToText(Of(0, 1, -1, 0, 5, 6)), "hour / count x 10^6");
  EXPECT_EQ(ToText(Of(0, 0, -1, 0, 0, 1)), "/ count x 10");
  EXPECT_EQ(ToText(Of(0, 0, 1, 0, 0, -3)), "count x 10^-3");
  EXPECT_EQ(ToText(Of(0, 0, 3, 0, 0, 3)), "count x 10^3^3");
}

TEST(UnitsText, ShowsACountScaleWithoutAnyDimension) {  // MET-214
  EXPECT_EQ(ToText(Of(0, 0, 0, 0, 0, 3)), "count x 10^3");
  EXPECT_EQ(ToText(Of(0, 0, 0, 0, 0, 1)), "count x 10");
}

TEST(UnitsText, NumbersUnknownScalesAndShowsExponents) {  // MET-211, MET-212
  EXPECT_EQ(ToText(Of(2, -3, 0, 9, 7, 0)), "space-9^2 / time-7^3");
}

TEST(UnitsText, NamesExtraUnitsFirst) {  // MET-211, MET-213, ARC-010
  EXPECT_EQ(Text(0x0f003022), "power (W) / sec");
  EXPECT_EQ(Text(0x0100501a), "current (mA) hour");
  EXPECT_EQ(Text(0x09), "temperature (C)");
  EXPECT_EQ(Text(0x13), "voltage (uV)");
  EXPECT_EQ(Text(0x24), "power (uW)");
}

TEST(UnitsText, PutsANegativeExtraUnitBelowTheLine) {  // MET-201, MET-211
  EXPECT_EQ(Text(0xe2), "/ power (W)");
  EXPECT_EQ(Text(0x100000e2), "byte / power (W)");
}

TEST(UnitsText, NumbersUnknownExtraUnitsAndScales) {  // MET-213
  EXPECT_EQ(Text(0x29), "extra-5");
  EXPECT_EQ(Text(0x80), "/ extra-16");
  EXPECT_EQ(Text(0x27), "power (scale-7)");
  EXPECT_EQ(Text(0x0d), "temperature (scale-");
}

RC_GTEST_PROP(UnitsText, HasAtMost59Characters, (std::uint32_t word)) {  // MET-215
  RC_ASSERT(Text(word).size() <= 59U);
}

TEST(UnitsText, OfTheLongestKindIsNotCut) {  // MET-215
  const Units units{Of(-8, -8, 1, 15, 15, -8).word | 0x0d};
  EXPECT_EQ(ToText(units), "temperature (scale- count x 10^-8 / space-15^8 time-15^8");
  const Units longest{Of(7, 7, -8, 15, 15, -8).word | 0x0d};
  EXPECT_EQ(ToText(longest), "temperature (scale- space-15^7 time-15^7 / count x 10^-8^8");
  EXPECT_EQ(ToText(longest).size(), 58U);
}

}  // namespace
}  // namespace pmproof
