// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/wait_limits.h"

#include <gtest/gtest.h>

namespace pmproof::validator::agent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLimit{5000};

TEST(WaitLimits, AreWholeForAnAgentThatIsNeverSilent) {
  const WaitLimits limits;
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), kLimit);
  EXPECT_EQ(limits.ForEnd(kLimit), kLimit);
}

TEST(WaitLimits, AreShortAfterTheFirstSilence) {
  WaitLimits limits;
  limits.WasSilent();
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(500));
  for (int i = 0; i < 100; ++i) limits.WasSilent();
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(100));
  EXPECT_EQ(limits.ForAnswer(milliseconds(30), 0), milliseconds(30));
  EXPECT_EQ(limits.ForEnd(kLimit), kLimit);
}

TEST(WaitLimits, OfCredsAreShortAfterAStartWithoutThem) {
  WaitLimits limits;
  limits.WasSilent();
  EXPECT_EQ(limits.ForCreds(kLimit), kLimit);
  limits.GaveNoCreds();
  EXPECT_EQ(limits.ForCreds(kLimit), milliseconds(500));
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(500));
}

TEST(WaitLimits, AreLongerForLargeRequests) {
  WaitLimits limits;
  limits.WasSilent();
  EXPECT_EQ(limits.ForAnswer(kLimit, 65536), milliseconds(1155));
  EXPECT_EQ(limits.ForAnswer(kLimit, 16U << 20), kLimit);
}

TEST(WaitLimits, OfTheEndAreShortForAnAgentThatDidNotEnd) {
  WaitLimits limits;
  limits.DidNotEnd();
  EXPECT_EQ(limits.ForEnd(kLimit), milliseconds(500));
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), kLimit);
}

TEST(WaitLimits, EndWithTheBudget) {
  const WaitLimits none(milliseconds(0));
  EXPECT_TRUE(none.used_up());
  EXPECT_EQ(none.ForAnswer(kLimit, 0), milliseconds(0));
  const WaitLimits long_one(milliseconds(3'600'000));
  EXPECT_FALSE(long_one.used_up());
  EXPECT_EQ(long_one.ForAnswer(kLimit, 0), kLimit);
}

}  // namespace
}  // namespace pmproof::validator::agent
