// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/when.h"

#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

TEST(ParseDuration, TakesANumberAndAUnit) {
  EXPECT_EQ(ParseDuration("10s"), 10'000'000'000);
  EXPECT_EQ(ParseDuration("10"), 10'000'000'000);
  EXPECT_EQ(ParseDuration("250ms"), 250'000'000);
  EXPECT_EQ(ParseDuration("1.5min"), 90'000'000'000);
  EXPECT_EQ(ParseDuration("0.000000001"), 1);
  EXPECT_EQ(ParseDuration("1d"), 86'400'000'000'000);
  EXPECT_EQ(ParseDuration("7ns"), 7);
  EXPECT_EQ(ParseDuration("0.10us"), 100);
}

TEST(ParseDuration, RefusesTheRest) {
  for (const char* text : {"", "s", ".", "1.2.3s", "-1s", "1 s", "1week", "0.5ns", "1e3s",
                           "9223372037s", "99999999999999999999s", "0.0000000001s"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(ParseWhen, TakesTimesAndOffsets) {
  const Timestamp start{100, 500'000'000};
  EXPECT_EQ(ParseWhen("+10s", start), (Timestamp{110, 500'000'000}));
  EXPECT_EQ(ParseWhen("@7.25", start), (Timestamp{7, 250'000'000}));
  EXPECT_EQ(ParseWhen("1970-01-01T00:01:40Z", start), (Timestamp{100, 0}));
  EXPECT_EQ(ParseWhen("+", start), std::nullopt);
  EXPECT_EQ(ParseWhen("yesterday", start), std::nullopt);
}

}  // namespace
}  // namespace pmproof::validator
