// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/octets.h"

#include <gtest/gtest.h>

namespace pmproof::validator::agent {
namespace {

using Octets = std::vector<std::uint8_t>;

TEST(Octets, AreWordsOfDigits) {
  const Octets pdu = {0, 0, 0, 16, 0, 0, 0x70, 4, 0, 0, 0, 0, 0x3f, 0x40, 0, 1, 0xab};
  EXPECT_EQ(OctetsText(pdu), "00000010 00007004 00000000 3f400001 ab");
  EXPECT_EQ(ParseOctets("00000010 00007004 00000000 3f400001 ab", 17), pdu);
}

TEST(Octets, LongRunsAreCounted) {
  Octets bytes(5000, 'x');
  bytes.insert(bytes.begin(), {1, 2});
  bytes.insert(bytes.end(), {0, 1});
  EXPECT_EQ(OctetsText(bytes), "0102 78*5000 0001");
  EXPECT_EQ(ParseOctets(OctetsText(bytes), bytes.size()), bytes);
}

TEST(Octets, MayBeNone) {
  EXPECT_EQ(OctetsText({}), "");
  EXPECT_EQ(ParseOctets("", 0), Octets());
}

TEST(Octets, AreNoMoreThanIsTaken) {
  EXPECT_EQ(ParseOctets("000000", 2), std::nullopt);
  EXPECT_EQ(ParseOctets("00 78*18446744073709551615", 1000), std::nullopt);
  EXPECT_EQ(ParseOctets("78*99999999999999999999999", 1000), std::nullopt);
  EXPECT_EQ(ParseOctets("78*1001", 1000), std::nullopt);
}

TEST(Octets, AreNothingElse) {
  for (const char* const text :
       {"0", "xy", "0x10", "-1", "78*", "*5", "7*5", "78*-1", "78*5x", "+1"}) {
    EXPECT_EQ(ParseOctets(text, 1000), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace pmproof::validator::agent
