// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_values.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof::archive {
namespace {

TEST(LabelValues, NumbersThatEveryReaderReadsAlike) {  // ARC-1529
  for (const char* const number :
       {"0", "-0", "1", "-17", "9007199254740991", "-9007199254740991", "0.1", "1.50e3", "1e308",
        "1E-307", "0e999", "0.0", "3.141592653589793238462643383279", "123456789012345678.5",
        "1e17"}) {
    EXPECT_TRUE(FitsDouble(number)) << number;
  }
}

TEST(LabelValues, NumbersThatADoubleDoesNotHold) {
  for (const char* const number :
       {"9007199254740992", "-9007199254740993", "18446744073709551615", "18446744073709551616",
        "123456789012345678901234567890", "1e999", "-1e309", "1e-999", "0.1e-400"}) {
    EXPECT_FALSE(FitsDouble(number)) << number;
  }
}

TEST(LabelValues, NumbersOfAnyLength) {
  EXPECT_FALSE(FitsDouble(std::string(65000, '9')));
  EXPECT_FALSE(FitsDouble("0." + std::string(65000, '0') + "1"));
  EXPECT_TRUE(FitsDouble("0." + std::string(65000, '9')));
}

TEST(LabelValues, TextIsNotOdd) {  // ARC-1530
  for (const char* const string :
       {R"("")", R"("x")", R"("a\n\tb")", R"("a\u000ab\u0009")", R"("\"\\\/")", R"("\\u001b")",
        R"("\u00e9")", R"("\ud83d\ude00")", "\"b\u00fccher \u4e2d\""}) {
    EXPECT_FALSE(FirstOddCharacter(string)) << string;
  }
}

TEST(LabelValues, CharactersThatActAreFoundAsTheyAreAndEscaped) {
  for (const char* const string :
       {"\"ab\x7f\"", "\"ab\u009b\"", "\"ab\u202e\"", "\"ab\ufeff\"", R"("ab\u001b[2J")",
        R"("ab\u0000")", R"("ab\r")", R"("ab\b")", R"("ab\f")", R"("ab\u202E")", R"("ab\u009B")"}) {
    const auto odd = FirstOddCharacter(string);
    ASSERT_TRUE(odd) << string;
    EXPECT_EQ(odd->at, 3U) << string;
    EXPECT_FALSE(odd->half_a_pair) << string;
  }
}

TEST(LabelValues, TheFirstOfBothKindsIsFound) {
  EXPECT_EQ(FirstOddCharacter("\"\\u001b\u202e\"")->at, 1U);
  EXPECT_EQ(FirstOddCharacter("\"\u202e\\u001b\"")->at, 1U);
  EXPECT_EQ(FirstOddCharacter("\"\u202e\\u001b\"")->size, 3U);
}

TEST(LabelValues, HalfOfAPairIsFound) {
  for (const char* const string : {R"("\ud800")", R"("\ude00")", R"("\ud83d\u0041")",
                                   R"("\ud83dx")", R"("\ud83d\ud83d\ude00")"}) {
    const auto odd = FirstOddCharacter(string);
    ASSERT_TRUE(odd) << string;
    EXPECT_EQ(odd->at, 1U) << string;
    EXPECT_TRUE(odd->half_a_pair) << string;
  }
}

}  // namespace
}  // namespace pmproof::archive
