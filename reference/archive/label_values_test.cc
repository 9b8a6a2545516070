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

}  // namespace
}  // namespace pmproof::archive
