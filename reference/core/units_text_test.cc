// SPDX-License-Identifier: Apache-2.0
#include "reference/core/units_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "reference/core/extra_units.h"

namespace pmproof {
namespace {

constexpr PcpVersion kVersions[] = {PcpVersion::k6_0_3, PcpVersion::k6_3_8, PcpVersion::k7_2};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// "WORD MULTIPLIER", or the message.
std::string Read(std::string_view text, PcpVersion version = PcpVersion::k7_2) {
  const auto parsed = ParseUnits(text, version);
  if (!parsed) return parsed.error().message;
  char shown[64];
  std::snprintf(shown, sizeof shown, "%08x %.17g", parsed->units.word, parsed->multiplier);
  return shown;
}

constexpr char kBadNumber[] = "invalid floating point literal";
constexpr char kBadUnit[] = "unrecognized or duplicate base unit";

struct Case {
  const char* text;
  const char* expected;
};

void Check(std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    for (const PcpVersion version : kVersions) {
      EXPECT_EQ(Read(one.text, version), one.expected) << one.text;
    }
  }
}

TEST(ReadUnits, MultiplierAndScaleOfBothSides) {  // MET-221, MET-222, MET-227
  Check({{"2 KB / 4 s", "1f013000 2"},
         {"2KB", "10010000 0.5"},
         {"", "00000000 1"},
         {"/", "00000000 1"},
         {" \t/\n", "00000000 1"},
         {"/ sec", "0f003000 1"},
         {"byte^-3/ count", "d0f00000 1"},
         {"a/b/c", kBadUnit},
         {"sec / min / h", kBadUnit},
         {"1/0 s", "0f003000 0"},
         {"0.1 0.2 0.3 s / 0.7 0.9 ms", "00000000 0.10499999999999998"}});
}

TEST(ReadUnits, NumbersAsTheCLibraryReadsThem) {  // MET-223
  Check({{".5 ms", "01002000 2"},
         {"0x10 s", "01003000 0.0625"},
         {"0x1p3s", "01003000 0.125"},
         {"5e3s", "01003000 0.00020000000000000001"},
         {".5.5s", "01003000 4"},
         {"-inf s", "01003000 -0"},
         {"0e-400 s", "01003000 inf"},
         {"1e400 s", kBadNumber},
         {"1e-400 s", kBadNumber},
         {"1e-310 s", kBadNumber},
         {"-", kBadNumber},
         {".", kBadNumber},
         {".e5 s", kBadNumber},
         {"- 1s", kBadNumber},
         {"+3 s", kBadUnit},
         {"inf s", kBadUnit},
         {"nan s", kBadUnit},
         {"1e s", kBadUnit},
         {"1_ s", kBadUnit}});
  EXPECT_TRUE(std::isnan(ParseUnits("-nan s", PcpVersion::k7_2)->multiplier));
}

TEST(ReadUnits, EachKeyword) {  // MET-224
  const std::vector<std::vector<std::string>> time = {
      {"nanosecond", "nanoseconds", "nanosec", "ns", "time-0"},
      {"microsecond", "microseconds", "microsec", "us", "time-1"},
      {"millisecond", "milliseconds", "millisec", "ms", "time-2"},
      {"second", "seconds", "sec", "s", "time-3"},
      {"minute", "minutes", "min", "time-4"},
      {"hour", "hours", "hr", "h", "time-5"}};
  for (unsigned scale = 0; scale < time.size(); ++scale) {
    for (const std::string& word : time[scale]) {
      EXPECT_EQ(ParseUnits(word, PcpVersion::k6_0_3)->units.word, 0x01000000U | scale << 12)
          << word;
    }
  }
  const std::string letters = "?KMGTPEZY";
  const std::vector<std::vector<std::string>> prefixes = {{},
                                                          {"Kibi", "Kilo"},
                                                          {"Mebi", "Mega"},
                                                          {"Gibi", "Giga"},
                                                          {"Tebi", "Tera"},
                                                          {"Pebi", "Peta"},
                                                          {"Exbi", "Exa"},
                                                          {"Zebi", "Zetta"},
                                                          {"Yobi", "Yotta"}};
  for (unsigned scale = 1; scale < prefixes.size(); ++scale) {
    std::vector<std::string> words = {"space-" + std::to_string(scale)};
    for (const char* end : {"B", "iB", "byte", "bytes"})
      words.push_back(letters[scale] + std::string(end));
    for (const std::string& prefix : prefixes[scale]) {
      words.insert(words.end(), {prefix + "byte", prefix + "bytes"});
      EXPECT_EQ(Read(prefix), kBadUnit);
      EXPECT_EQ(Read(prefix + "B"), kBadUnit);
    }
    for (const std::string& word : words) {
      EXPECT_EQ(ParseUnits(word, PcpVersion::k7_2)->units.word, 0x10000000U | scale << 16) << word;
    }
  }
  Check({{"byte", "10000000 1"},
         {"bytes", "10000000 1"},
         {"space-15", "100f0000 1"},
         {"count", "00100000 1"},
         {"counts", "00100000 1"},
         {"time-15", "0100f000 1"},
         {"space-16", kBadUnit},
         {"space-07", kBadUnit},
         {"time-", kBadUnit},
         {"K B", kBadUnit},
         {"b", kBadUnit},
         {"secs", kBadUnit},
         {"mins", kBadUnit},
         {"hrs", kBadUnit},
         {"kibyte", kBadUnit},
         {"counter", kBadUnit},
         {"sec,", kBadUnit},
         {"foo", kBadUnit}});
}

TEST(ReadUnits, WhateverTheirCase) {  // MET-224
  Check({{"KIB", "10010000 1"},
         {"kibibytes", "10010000 1"},
         {"mILLIsEC", "01002000 1"},
         {"COUNT X 10^3", "00100300 1"}});
}

TEST(ReadUnits, ScaledCountsWithBlanksExactlySo) {  // MET-224
  for (int scale = -8; scale <= 7; ++scale) {
    if (scale == 0 || scale == 1) continue;
    const auto parsed = ParseUnits("count x 10^" + std::to_string(scale), PcpVersion::k7_2);
    ASSERT_TRUE(parsed) << scale;
    EXPECT_EQ(parsed->units.dim_count(), 1);
    EXPECT_EQ(parsed->units.scale_count(), scale);
  }
  Check({{"count x 10", "00100100 1"},
         {"count x 10^1", "00100100 1"},
         {"count x 10^0", "00000000 1"},
         {"count x 10^2^3", "00300200 1"},
         {"count  x 10", kBadUnit},
         {"count x  10", kBadUnit},
         {"count x 10^2 ^3", kBadUnit},
         {"count x 10^-9", kBadUnit},
         {"count x 10^8", "count dimension out of bounds"}});
}

TEST(ReadUnits, AnExponentBehindTheKeyword) {  // MET-225
  Check({{"sec^-8", "08003000 1"},
         {"sec^7", "07003000 1"},
         {"sec^0", "00000000 1"},
         {"sec^0 ms", "01002000 1"},
         {"sec^-9", kBadUnit},
         {"sec^16", kBadUnit},
         {"sec^+1", kBadUnit},
         {"sec^02", kBadUnit},
         {"sec^-0", kBadUnit},
         {"sec^1.5", kBadUnit},
         {"sec^ 2", kBadUnit},
         {"sec ^2", kBadUnit},
         {"sec^", kBadUnit}});
}

TEST(ReadUnits, EachDimensionOncePerSide) {  // MET-222, MET-228
  Check({{"sec sec", kBadUnit},
         {"sec^2 ms^0", kBadUnit},
         {"byte sec count KB", kBadUnit},
         {"count sec byte", "11103000 1"}});
}

TEST(ReadUnits, OfADimensionOnBothSidesInItsDefaultScale) {  // MET-227
  Check({{"sec / min", "00000000 60"},
         {"Kbyte^2 / byte", "10000000 9.5367431640625e-07"},
         {"sec^9 / sec^2", "07003000 1"},
         {"us^3 / us", "02003000 1000000000000.0001"},
         {"count x 10^3 / count", "00000000 0.001"},
         {"count x 10^-7 ns / ms count x 10^-5", "00000000 100000000"},
         {"byte / ms^0", "10000000 1"}});
}

TEST(ReadUnits, WithinTheBoundsOfADimension) {  // MET-227, MET-228
  Check({{"sec^15", "time dimension out of bounds"},
         {"byte^8", "space dimension out of bounds"},
         {"/ count^9", "count dimension out of bounds"},
         {"sec^15 byte^15 count^15", "space dimension out of bounds"},
         {"sec^15 count^15", "time dimension out of bounds"},
         {"/ sec^8", "08003000 1"}});
}

TEST(ReadUnits, ExtraUnitsOf72) {  // MET-226
  const PcpVersion v72 = PcpVersion::k7_2;
  for (unsigned unit = 1; unit <= std::size(kExtraUnits); ++unit) {
    for (unsigned scale = 1; scale < 8; ++scale) {
      const std::string_view name = kExtraUnits[unit - 1].scales[scale];
      if (name.empty()) continue;
      const std::string text =
          std::string(kExtraUnits[unit - 1].name) + " (" + std::string(name) + ")";
      EXPECT_EQ(ParseUnits(text, v72)->units.word, unit << 3 | scale) << text;
      EXPECT_EQ(Read(text, PcpVersion::k6_3_8), kBadUnit);
    }
  }
  EXPECT_EQ(Read("power (MW)"), "00000023 1");
  EXPECT_EQ(Read("POWER (w) "), "00000022 1");
  EXPECT_EQ(Read("2power (W)sec"), "01003022 0.5");
  EXPECT_EQ(Read("1 / power (W)"), "000000e2 1");
  EXPECT_EQ(Read("power(W)"), kBadUnit);
  EXPECT_EQ(Read("power  (W)"), kBadUnit);
  EXPECT_EQ(Read("power ( W)"), kBadUnit);
  EXPECT_EQ(Read("power (W) power (W)"), "multiple extra units not allowed");
  EXPECT_EQ(Read("power (W) / temperature (C)"),
            "extra units cannot appear in both dividend and divisor");
}

TEST(ReadUnits, WhatIsUndefinedIsAnError) {  // MET-229
  for (const char* text : {"power (W) foo", "power (W) sec sec", "power (W)^2"}) {
    EXPECT_EQ(Read(text), kBadUnit) << text;
  }
  EXPECT_EQ(Read("time-6 / sec"), kBadUnit);
  EXPECT_EQ(Read("sec / time-15"), kBadUnit);
}

TEST(ReadUnits, ErrorsSayWhere) {  // MET-228
  const auto at = [](std::string_view text) {
    return ParseUnits(text, PcpVersion::k7_2).error().position;
  };
  EXPECT_EQ(at("sec / 3 foo"), 8U);
  EXPECT_EQ(at("sec sec"), 4U);
  EXPECT_EQ(at("2 .x"), 2U);
  EXPECT_EQ(at("power (W) / power (W)"), 12U);
  EXPECT_EQ(at("byte power (W) power (W)"), 15U);
  EXPECT_EQ(at("sec^15"), std::nullopt);
}

TEST(ReadUnits, EndAtANul) { EXPECT_EQ(Read(std::string_view("sec\0foo", 7)), "01003000 1"); }

TEST(ReadUnits, InTimeLinearInTheirSize) {
  std::string text;
  while (text.size() < 20'000'000) text += "1 ";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Read(text), "00000000 1");
  EXPECT_EQ(Read(std::string(20'000'000, '7')), kBadNumber);
  EXPECT_EQ(Read(std::string(20'000'000, ' ')), "00000000 1");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(UnitsText, OfEachVersion) {  // MET-214
  const Units scaled{0x00000300};
  const Units ten{0x00000100};
  EXPECT_EQ(UnitsText(scaled, PcpVersion::k6_0_3), "x 10^3");
  EXPECT_EQ(UnitsText(scaled, PcpVersion::k6_3_8), "x 10^3");
  EXPECT_EQ(UnitsText(scaled, PcpVersion::k7_2), "count x 10^3");
  EXPECT_EQ(UnitsText(ten, PcpVersion::k6_3_8), "x 10");
  EXPECT_EQ(UnitsText(Units{0x00100300}, PcpVersion::k6_0_3), "count x 10^3");
  EXPECT_EQ(UnitsText(Units{0x0f003022}, PcpVersion::k6_3_8), "/ sec");
  EXPECT_EQ(UnitsText(Units{0x0f003022}, PcpVersion::k7_2), "power (W) / sec");
}

// `word` without what its text does not show, without extra units that there are not, and without a
// power of ten counts, whose "count x 10^3" is read as a thousand counts (MET-230).
Units Shown(std::uint32_t word) {
  const Units given{word};
  std::uint32_t shown = word & 0xfff00000;
  if (given.dim_space() != 0) shown |= word & 0x000f0000;
  if (given.dim_time() != 0) shown |= word & 0x0000f000;
  const bool power = given.scale_count() == 1 && std::abs(given.dim_count()) != 1;
  if (given.dim_count() != 0 && !power) shown |= word & 0x00000f00;
  const int extra = given.extra_unit();
  if (extra == 0 || std::abs(extra) > 4) return Units{shown};
  const auto& scales = kExtraUnits[std::abs(extra) - 1].scales;
  return scales[given.extra_scale()].empty() ? Units{shown} : Units{shown | (word & 0xff)};
}

TEST(ReadUnits, APowerOfTenCountsIsNotReadBack) {  // MET-230
  EXPECT_EQ(UnitsText(Units{0x00300100}, PcpVersion::k7_2), "count x 10^3");
  Check({{"count x 10^3", "00100300 1"}});
}

RC_GTEST_PROP(ReadUnits, GiveTheWordOfItsText, (std::uint32_t word)) {  // MET-230
  const Units units = Shown(word);
  const auto parsed = ParseUnits(UnitsText(units, PcpVersion::k7_2), PcpVersion::k7_2);
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->units == units);
  RC_ASSERT(parsed->multiplier == 1.0);
}

RC_GTEST_PROP(ReadUnits, TakeAnyBytes, (const std::string& text)) {
  for (const PcpVersion version : kVersions) ParseUnits(text, version);
}

TEST(ReadUnits, AMultiplierOfZeroGivesInfinity) {  // MET-227: the reciprocal
  EXPECT_EQ(ParseUnits("0 s", PcpVersion::k7_2)->multiplier, kInfinity);
}

}  // namespace
}  // namespace pmproof
