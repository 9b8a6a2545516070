// SPDX-License-Identifier: Apache-2.0
#include "reference/core/print_value.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "reference/core/descriptor_text.h"
#include "reference/core/event_summary.h"

namespace pmproof {
namespace {

template <typename Number>
std::string OfNumber(Number number) {
  const Value value = Value::Of(number);
  return AtomText(value.type, Atom{value.type, value, {}});
}

std::string OfBytes(MetricType type, std::string_view bytes) {
  return AtomText(type, Atom{type, {}, std::string(bytes)});
}

TEST(AtomText, OfNumbers) {  // MET-501
  EXPECT_EQ(OfNumber(std::int32_t{-5}), "-5");
  EXPECT_EQ(OfNumber(std::uint32_t{4294967295U}), "4294967295");
  EXPECT_EQ(OfNumber(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(OfNumber(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(OfNumber(0.1F), "1.000000e-01");
  EXPECT_EQ(OfNumber(1e300), "1.000000e+300");
  EXPECT_EQ(OfNumber(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(OfNumber(-std::nan("")), "-nan");
}

TEST(AtomText, CutsStringsOf38CharactersAndMore) {  // MET-501
  const std::string longest(37, 'x');
  EXPECT_EQ(OfBytes(MetricType::kString, longest), '"' + longest + '"');
  EXPECT_EQ(OfBytes(MetricType::kString, longest + "x"), '"' + longest.substr(0, 34) + "...\"");
  EXPECT_EQ(OfBytes(MetricType::kString, "a\"\n"), "\"a\"\n\"");
  EXPECT_EQ(OfBytes(MetricType::kString, std::string_view("ab\0cd", 5)), "\"ab\"");
  EXPECT_EQ(AtomText(MetricType::kString, std::nullopt), "<null>");
}

TEST(AtomText, ShowsTwelveBytesOfAnAggregate) {  // MET-501
  const auto aggregate = [](std::string_view bytes) {
    return OfBytes(MetricType::kAggregate, bytes);
  };
  EXPECT_EQ(aggregate(""), "[type=AGGREGATE len=0]");
  EXPECT_EQ(aggregate("abcde"), "[type=AGGREGATE len=5] 61626364 65");
  EXPECT_EQ(aggregate("abcdefghijkl"), "[type=AGGREGATE len=12] 61626364 65666768 696a6b6c");
  EXPECT_EQ(aggregate("abcdefghijklm"), "[type=AGGREGATE len=13] 61626364 65666768 696a6b6c ...");
  EXPECT_EQ(OfBytes(MetricType::kAggregateStatic, "a"), "[type=AGGREGATE_STATIC len=1] 61");
  EXPECT_EQ(AtomText(MetricType::kAggregate, std::nullopt), "<null>");
}

TEST(AtomText, OfWhatHasNoText) {  // MET-501
  EXPECT_EQ(AtomText(MetricType::kNoSupport, std::nullopt),
            "Error: unexpected type: Not Supported");
  EXPECT_EQ(AtomText(MetricType::kUnknown, std::nullopt), "Error: unexpected type: Unknown");
  EXPECT_EQ(AtomText(static_cast<MetricType>(11), std::nullopt),
            "Error: unexpected type: Illegal type=11");
  EXPECT_EQ(EventAtomText(1), "[1 event record]");
  EXPECT_EQ(EventAtomText(0), "[0 event records]");
}

StoredValue InPlace(std::uint32_t word) { return {ValueFormat::kInPlace, word}; }
StoredValue Block(MetricType type, std::string_view payload) {
  return {ValueFormat::kPointer, 0, type, AsBytes(payload)};
}

// The big-endian bytes of a number.
template <typename Number>
std::string Stored(Number number) {
  std::string bytes(8, '\0');
  StoreU64(reinterpret_cast<std::uint8_t*>(bytes.data()), std::bit_cast<std::uint64_t>(number));
  return bytes;
}

std::string PrintedDouble(double number, int width = 0) {
  return PrintValue(Block(MetricType::kDouble, Stored(number)), MetricType::kDouble, width);
}

TEST(PrintValue, OfNumbersRightJustified) {  // MET-502
  EXPECT_EQ(PrintValue(InPlace(0xfffffffb), MetricType::k32, 5), "   -5");
  EXPECT_EQ(PrintValue(InPlace(0xfffffffb), MetricType::kU32, 5), "4294967291");
  EXPECT_EQ(PrintValue(InPlace(5), MetricType::k32, -5), "5    ");
  EXPECT_EQ(PrintedDouble(0.1), "0.1");
  EXPECT_EQ(PrintedDouble(1.0 / 3, 20), "  0.3333333333333333");
  EXPECT_EQ(PrintedDouble(std::nan("")), "nan");
  EXPECT_EQ(PrintedDouble(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(PrintValue(InPlace(std::bit_cast<std::uint32_t>(0.1F)), MetricType::kFloat, 0), "0.1");
  EXPECT_EQ(PrintValue(InPlace(std::bit_cast<std::uint32_t>(1.0F / 3)), MetricType::kFloat, 0),
            "0.33333334");
  EXPECT_EQ(PrintValue(Block(MetricType::kU64, std::string(8, '\xff')), MetricType::kU64, 0),
            "18446744073709551615");
}

TEST(PrintValue, OfStringsAsTheyAre) {  // MET-503
  const auto string = [](std::string_view bytes, int width, bool squash = false) {
    return PrintValue(Block(MetricType::kString, bytes), MetricType::kString, width, squash);
  };
  EXPECT_EQ(string(std::string_view("hi\0x", 4), 8), "    \"hi\"");
  EXPECT_EQ(string("hi", -8), "\"hi\"");
  EXPECT_EQ(string("a\"b\n", 0), "\"a\"b\n\"");
  EXPECT_EQ(string("a\nb\tc", 0, true), "\"a b c\"");
  EXPECT_EQ(string("", 3), " \"\"");
}

TEST(PrintValue, OfAnAggregateInEveryForm) {  // MET-504
  const auto aggregate = [](std::string_view bytes, int width = 0) {
    return PrintValue(Block(MetricType::kAggregate, bytes), MetricType::kAggregate, width);
  };
  EXPECT_EQ(aggregate("ABCDEFGH"),
            "5208208757389214273 1.583980010380482e+40 \"ABCDEFGH\" [4142434445464748]");
  EXPECT_EQ(aggregate(std::string_view("\0\0\0\0\0\0\xf8\x7f", 8)),
            "9221120237041090560 [000000000000f87f]");
  EXPECT_EQ(aggregate("abcd"), "1.6777999e+22 \"abcd\" [61626364]");
  EXPECT_EQ(aggregate(std::string_view("\0\0\xc0\x7f", 4)), "[0000c07f]");
  EXPECT_EQ(aggregate(""), "\"\" []");
  EXPECT_EQ(aggregate("ab\n"), "[61620a]");
  EXPECT_EQ(aggregate("abc", 12), "       \"abc\"     [616263]");
  EXPECT_EQ(aggregate("abc", -12), "\"abc\" [616263]");
}

TEST(PrintValue, OfWhatCanNotBeExtractedInEveryForm) {  // MET-504
  EXPECT_EQ(PrintValue(InPlace(0x41424344), MetricType::kString, 0),
            "1094861636 12.141422 0x41424344");
  EXPECT_EQ(PrintValue(InPlace(5), MetricType::kAggregate, 12),
            "           5 7.0064923e-45 0x         5");
  EXPECT_EQ(PrintValue(InPlace(5), MetricType::kAggregate, 2), " 5 7.0064923e-45 0x 5");
  EXPECT_EQ(PrintValue(InPlace(5), MetricType::kAggregate, 3), "  5 7.0064923e-45 0x5");
  EXPECT_EQ(PrintValue(InPlace(0x7fc00000), MetricType::kAggregate, 0), "2143289344 0x7fc00000");
  EXPECT_EQ(PrintValue(Block(MetricType::k32, "ABC"), MetricType::k32, 0), "\"ABC\" [414243]");
}

TEST(PrintEvents, CountsAndTimes) {  // MET-505
  EXPECT_EQ(PrintEvents({0, 0, "", ""}), "[0 event records]");
  EXPECT_EQ(PrintEvents({1, 0, "10:00:00.000", ""}), "[1 event record timestamp 10:00:00.000]");
  EXPECT_EQ(PrintEvents({3, 2, "10:00:00.000", "10:00:01.500"}),
            "[3 event records (2 missed) timestamps 10:00:00.000...10:00:01.500]");
}

TEST(PrintEvents, ANumberBelowZeroIsShownAsItIs) {  // MET-501, MET-505
  const std::uint8_t least[] = {0x80, 0, 0, 0};
  const std::uint8_t two[] = {0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 1, 0, 0,
                              0,    0,    0,    0,    0, 1, 0, 0, 0, 0};
  for (const bool highres : {false, true}) {
    EXPECT_EQ(PrintEvents(SummaryOf(least, highres)), "[-2147483648 event records]");
    EXPECT_EQ(PrintEvents(SummaryOf(two, highres)), "[-2 event records]");
  }
  EXPECT_EQ(EventAtomText(-1), "[-1 event records]");
}

TEST(CompactNumber, HasSevenCharacters) {  // MET-506
  const struct {
    double number;
    const char* text;
  } cases[] = {{0, "  0.00 "},        {0.0049, "  0.00 "},   {0.005, "  0.01 "},
               {-0.0049, "  0.00 "},  {-0.005, " -0.01 "},   {999.994, "999.99 "},
               {999.995, "  1.00K"},  {-99.99, "-99.99 "},   {-99.995, " -0.10K"},
               {999995, "  1.00M"},   {-99995, " -0.10M"},   {999995e3, "  1.00G"},
               {999995e6, "  1.00T"}, {1e14, "100.00T"},     {999995e9, " inf?  "},
               {1e15, " inf?  "},     {-99995e9, "-inf?  "}, {-99995e6, " -0.10T"}};
  for (const auto& one : cases) EXPECT_EQ(CompactNumber(one.number), one.text) << one.number;
  EXPECT_EQ(CompactNumber(std::nan("")), "  0.00 ");
  EXPECT_EQ(CompactNumber(std::numeric_limits<double>::infinity()), " inf?  ");
  EXPECT_EQ(CompactNumber(-std::numeric_limits<double>::infinity()), "-inf?  ");
}

TEST(EventFlagsText, NamesTheFlags) {  // MET-507
  EXPECT_EQ(EventFlagsText(0), "");
  EXPECT_EQ(EventFlagsText(0x1f), "point,start,end,id,parent");
  EXPECT_EQ(EventFlagsText(0x9), "point,id");
  EXPECT_EQ(EventFlagsText(0x80000001), "missed");
  EXPECT_EQ(EventFlagsText(0x20), "");
}

TEST(TypeSymbol, OfEachType) {  // MET-111..124
  const char* const symbols[] = {"NO_SUPPORT", "32",
                                 "U32",        "64",
                                 "U64",        "FLOAT",
                                 "DOUBLE",     "STRING",
                                 "AGGREGATE",  "AGGREGATE_STATIC",
                                 "EVENT",      "HIGHRES_EVENT",
                                 "???"};
  for (int type = -1; type <= 11; ++type) {
    EXPECT_EQ(TypeSymbol(static_cast<MetricType>(type)), symbols[type + 1]);
  }
  EXPECT_EQ(TypeSymbol(MetricType::kUnknown), "UNKNOWN");
}

TEST(DescriptorText, HasTwoLines) {  // MET-135, MET-131
  Descriptor metric{Pmid::Of(29, 0, 1), MetricType::kU64, Indom::Null(), Semantics::kCounter,
                    Units{0x10010000}};
  EXPECT_EQ(DescriptorText(metric, PcpVersion::k7_2),
            "    Data Type: 64-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff\n"
            "    Semantics: counter  Units: Kbyte\n");
  metric = {Pmid::Of(29, 0, 1), static_cast<MetricType>(11), Indom::Of(29, 1),
            static_cast<Semantics>(2), Units{}};
  EXPECT_EQ(DescriptorText(metric, PcpVersion::k6_0_3),
            "    Data Type: ??? (11)  InDom: 29.1 0x7400001\n"
            "    Semantics: ??? (2)  Units: none\n");
  metric.type = MetricType::kNoSupport;
  EXPECT_EQ(DescriptorText(metric, PcpVersion::k7_2), "    Data Type: Not Supported\n");
}

}  // namespace
}  // namespace pmproof
