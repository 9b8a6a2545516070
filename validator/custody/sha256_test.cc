// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof::validator {
namespace {

// Of FIPS 180-4's examples.
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(ToHex(Sha256Of({})), kEmpty);
  EXPECT_EQ(ToHex(Sha256Of(AsBytes("abc"))), kAbc);
}

TEST(Sha512, IsThatOfTheStandard) {
  EXPECT_EQ(ToHex(Sha512Of(AsBytes("abc"))),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

TEST(Sha256, DoesNotDependOnHowTheBytesCome) {
  Sha256 hash;
  for (const char* piece : {"a", "", "bc"}) hash.Add(AsBytes(piece));
  EXPECT_EQ(ToHex(hash.Finish()), kAbc);
}

TEST(Sha256, IsReadBack) { EXPECT_EQ(ParseSha256(kAbc), Sha256Of(AsBytes("abc"))); }

TEST(Sha256, AnythingElseIsNoDigest) {
  const std::string digits = kAbc;
  EXPECT_EQ(ParseSha256(""), std::nullopt);
  EXPECT_EQ(ParseSha256(digits.substr(1)), std::nullopt);
  EXPECT_EQ(ParseSha256(digits + "0"), std::nullopt);
  EXPECT_EQ(ParseSha256("B" + digits.substr(1)), std::nullopt);
  EXPECT_EQ(ParseSha256(digits.substr(1) + "g"), std::nullopt);
}

}  // namespace
}  // namespace pmproof::validator
