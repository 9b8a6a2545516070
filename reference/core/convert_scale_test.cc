// SPDX-License-Identifier: Apache-2.0
#include "reference/core/convert_scale.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "reference/core/units_text.h"

namespace pmproof {
namespace {

constexpr PcpVersion kVersions[] = {PcpVersion::k6_0_3, PcpVersion::k6_3_8, PcpVersion::k7_2};

Units Of(std::string_view text) { return ParseUnits(text, PcpVersion::k7_2)->units; }

template <typename Number>
Value Converted(Number number, std::string_view from, std::string_view to,
                PcpVersion version = PcpVersion::k7_2) {
  const auto converted = ConvertScale(Value::Of(number), Of(from), Of(to), version);
  EXPECT_TRUE(converted) << from << " -> " << to;
  return converted.value_or(Value{});
}

ErrorCode Refusal(Units from, Units to, PcpVersion version = PcpVersion::k7_2,
                  Value value = Value::Of(1.0)) {
  const auto converted = ConvertScale(value, from, to, version);
  return converted ? ErrorCode::kOk : converted.error();
}

std::int32_t Of32(std::int32_t number, std::string_view from, std::string_view to) {
  return Converted(number, from, to).AsI32();
}
double OfDouble(double number, std::string_view from, std::string_view to) {
  return Converted(number, from, to).AsDouble();
}

TEST(ConvertScale, RoundsHalfUpAndNegativeTowardsZero) {  // MET-245
  EXPECT_EQ(Of32(1536, "byte", "Kbyte"), 2);
  EXPECT_EQ(Of32(-1536, "byte", "Kbyte"), -1);
  EXPECT_EQ(Of32(1535, "byte", "Kbyte"), 1);
  EXPECT_EQ(Of32(512, "byte", "Kbyte"), 1);
  EXPECT_EQ(Of32(511, "byte", "Kbyte"), 0);
  EXPECT_EQ(Of32(-512, "byte", "Kbyte"), 0);
  EXPECT_EQ(Converted(std::uint64_t{1536}, "byte", "Kbyte").AsU64(), 2U);
  EXPECT_EQ(Converted(std::int64_t{-1536}, "byte", "Kbyte").AsI64(), -1);
}

TEST(ConvertScale, WrapsInTheTypeOfTheValue) {  // MET-243, MET-245
  EXPECT_EQ(Of32(1, "hour", "nanosec"), 817405952);
  EXPECT_EQ(Converted(std::uint32_t{4294967295U}, "hour", "nanosec").AsU32(), 3477561344U);
  EXPECT_EQ(Of32(3, "/ nanosec", "/ hour"), -1842749440);
  EXPECT_EQ(Converted(std::int64_t{2147483647}, "/ nanosec", "/ hour").AsI64(),
            1755362315697872896);
}

TEST(ConvertScale, KeepsTheTypeOfAFloat) {  // MET-245
  EXPECT_EQ(OfDouble(1, "Mbyte / sec", "Kbyte / hour"), 3686400);
  const Value single = Converted(3.0F, "/ nanosec", "/ hour");
  EXPECT_EQ(single.type, MetricType::kFloat);
  EXPECT_EQ(single.AsFloat(), 10799999352832.0F);
}

TEST(ConvertScale, ByEachScale) {  // MET-202, MET-243
  const char* const space[] = {"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte"};
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j)
      EXPECT_EQ(OfDouble(1, space[i], space[j]), std::ldexp(1.0, 10 * (i - j)));
  }
  EXPECT_EQ(OfDouble(7, "hour", "microsec"), 7 * 3600e6);
  EXPECT_EQ(OfDouble(90, "min", "hour"), 1.5);
  EXPECT_EQ(OfDouble(90, "millisec", "sec"), 0.09);
  EXPECT_EQ(OfDouble(3, "count x 10^7", "count x 10^-8"), 3e15);
  EXPECT_EQ(OfDouble(9, "Kbyte^2", "byte^2"), 9 * 1048576.0);
}

TEST(ConvertScale, TakesNoneForACount) {  // MET-241
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Converted(std::uint32_t{5}, "", "count x 10^3", version).AsU32(), 0U);
    EXPECT_EQ(Converted(std::uint32_t{500}, "", "count x 10^3", version).AsU32(), 1U);
    EXPECT_EQ(Converted(std::uint32_t{5}, "count x 10^3", "", version).AsU32(), 5000U);
  }
}

TEST(ConvertScale, RefusesOtherDimensions) {  // MET-241
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Refusal(Of("byte"), Of("sec"), version), ErrorCode::kConversion);
    EXPECT_EQ(Refusal(Of("byte"), Of("byte^2"), version), ErrorCode::kConversion);
    EXPECT_EQ(Refusal(Of("byte"), Of(""), version), ErrorCode::kConversion);
    EXPECT_FALSE(AreCompatible(Of("byte"), Of("sec"), version));
    EXPECT_TRUE(AreCompatible(Of("byte / sec"), Of("Mbyte / hour"), version));
    EXPECT_TRUE(AreCompatible(Of("count x 10"), Of(""), version));
  }
}

TEST(ConvertScale, RefusesScalesWithoutASize) {  // MET-242
  for (const PcpVersion version : kVersions) {
    EXPECT_EQ(Refusal(Of("Zbyte"), Of("byte"), version), ErrorCode::kUnit);
    EXPECT_EQ(Refusal(Of("byte"), Of("Ybyte"), version), ErrorCode::kUnit);
    EXPECT_EQ(Refusal(Of("time-6"), Of("sec"), version), ErrorCode::kUnit);
    // Of an absent dimension the scale means nothing; other dimensions are refused first.
    EXPECT_EQ(Refusal(Units{0x000f0000}, Units{0}, version), ErrorCode::kOk);
    EXPECT_EQ(Refusal(Of("Zbyte"), Of("sec"), version), ErrorCode::kConversion);
  }
}

TEST(ConvertScale, RefusesOtherTypes) {  // MET-246
  for (const auto type : {MetricType::kString, MetricType::kAggregate, MetricType::kNoSupport,
                          MetricType::kEvent, MetricType::kUnknown}) {
    EXPECT_EQ(Refusal(Of("byte"), Of("Kbyte"), PcpVersion::k7_2, Value{type, false, 0, {}}),
              ErrorCode::kConversion);
  }
}

TEST(ConvertScale, AFactorThatDividesByZeroIsAnError) {  // MET-244
  EXPECT_EQ(Refusal(Of("byte^2"), Of("Tbyte^2")), ErrorCode::kConversion);
}

TEST(ConvertScale, OfTemperatures) {  // MET-246
  const struct {
    double number;
    const char* from;
    const char* to;
    double expected;
  } cases[] = {{100, "C", "F", 212},   {212, "F", "C", 100},   {25, "C", "K", 298.15},
               {0, "K", "C", -273.15}, {32, "F", "K", 273.15}, {273.15, "K", "F", 32}};
  for (const auto& one : cases) {
    const auto unit = [](const char* scale) { return "temperature (" + std::string(scale) + ")"; };
    EXPECT_EQ(OfDouble(one.number, unit(one.from), unit(one.to)), one.expected)
        << one.from << " -> " << one.to;
  }
  EXPECT_EQ(Of32(25, "temperature (C)", "temperature (K)"), 298);  // truncated
  EXPECT_EQ(Of32(5, "temperature (F)", "temperature (C)"), -15);
  EXPECT_EQ(Converted(std::uint32_t{5}, "temperature (F)", "temperature (C)").AsU32(), 4294967281U);
}

TEST(ConvertScale, OfElectricUnits) {  // MET-246
  EXPECT_EQ(OfDouble(2, "voltage (V)", "voltage (mV)"), 2000);
  EXPECT_EQ(OfDouble(2, "current (A)", "current (uA)"), 2e6);
  EXPECT_EQ(OfDouble(2, "power (kW)", "power (uW)"), 2e9);
  EXPECT_EQ(OfDouble(2, "power (uW)", "power (W)"), 2e-6);
  EXPECT_EQ(Of32(1999, "voltage (mV)", "voltage (V)"), 1);
  EXPECT_EQ(Converted(0.1F, "voltage (uV)", "voltage (V)").AsFloat(), 1e-7F);
}

TEST(ConvertScale, OfExtraUnitsTogetherWithOthers) {  // MET-243, MET-246
  EXPECT_EQ(OfDouble(100, "Mbyte temperature (C)", "Kbyte temperature (F)"), 184352);
  const auto beside = [](std::uint32_t count_scale, std::uint32_t scale) {
    return Units{count_scale << 8 | 4U << 3 | scale};
  };
  EXPECT_EQ(
      ConvertScale(Value::Of(100.0), beside(1, 1), beside(3, 2), PcpVersion::k7_2)->AsDouble(),
      1000);
}

TEST(ConvertScale, RefusesOtherAndUnknownExtraUnits) {  // MET-241, MET-246
  const auto extra = [](int unit, unsigned scale) {
    return Units{(static_cast<std::uint32_t>(unit) & 31) << 3 | scale};
  };
  EXPECT_EQ(Refusal(extra(1, 1), extra(2, 1)), ErrorCode::kConversion);
  EXPECT_EQ(Refusal(extra(4, 1), extra(0, 0)), ErrorCode::kConversion);
  EXPECT_EQ(Refusal(extra(4, 1), Units{extra(4, 2).word | 0x00100000}), ErrorCode::kConversion);
  EXPECT_EQ(Refusal(extra(5, 1), extra(5, 2)), ErrorCode::kUnit);
  EXPECT_EQ(Refusal(extra(4, 0), extra(4, 2)), ErrorCode::kUnit);
  EXPECT_EQ(Refusal(extra(3, 4), extra(3, 1)), ErrorCode::kUnit);
  EXPECT_EQ(Refusal(extra(1, 4), extra(1, 1)), ErrorCode::kUnit);
  EXPECT_EQ(Refusal(extra(-4, 2), extra(-4, 3)), ErrorCode::kUnit);
  EXPECT_EQ(Refusal(extra(-4, 7), extra(-4, 7)), ErrorCode::kOk);
  // Before 7.2 these bits are padding.
  EXPECT_EQ(Refusal(extra(1, 1), extra(2, 3), PcpVersion::k6_3_8), ErrorCode::kOk);
}

TEST(ConvertScale, TruncatesWhatDoesNotFitAsProcessorsDo) {  // MET-246
  EXPECT_EQ(Of32(2147483647, "voltage (V)", "voltage (uV)"),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(Converted(std::uint32_t{4294967295U}, "voltage (V)", "voltage (uV)").AsU32(),
            4293967296U);
  EXPECT_EQ(
      Converted(std::numeric_limits<std::int64_t>::max(), "voltage (V)", "voltage (uV)").AsI64(),
      std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(
      Converted(std::numeric_limits<std::uint64_t>::max(), "voltage (V)", "voltage (uV)").AsU64(),
      0U);
}

RC_GTEST_PROP(ConvertScale, TakesAnyWords,
              (std::uint32_t from, std::uint32_t to, std::uint64_t bits)) {
  for (const PcpVersion version : kVersions) {
    for (int type = -1; type <= 11; ++type) {
      const Value value{static_cast<MetricType>(type), false, bits, {}};
      ConvertScale(value, Units{from}, Units{to}, version);
      ConvertScale(value, Units{from}, Units{(from & 0xfff000f8) | (to & 0x000fff07)}, version);
    }
  }
}

}  // namespace
}  // namespace pmproof
