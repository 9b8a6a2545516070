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
  limits.WasSilent(kLimit);
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(500));
  for (int i = 0; i < 100; ++i) limits.WasSilent(milliseconds(100));
  EXPECT_EQ(limits.silence(), kLimit);
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(100));
  EXPECT_EQ(limits.ForAnswer(milliseconds(30), 0), milliseconds(30));
  EXPECT_EQ(limits.ForEnd(kLimit), kLimit);
}

TEST(WaitLimits, OfCredsAreShortAfterAStartWithoutThem) {
  WaitLimits limits;
  limits.WasSilent(kLimit);
  EXPECT_EQ(limits.ForCreds(kLimit), kLimit);
  limits.GaveNoCreds(kLimit);
  EXPECT_EQ(limits.ForCreds(kLimit), milliseconds(500));
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), milliseconds(500));
}

TEST(WaitLimits, AreLongerForLargeRequests) {
  WaitLimits limits;
  limits.WasSilent(kLimit);
  EXPECT_EQ(limits.ForAnswer(kLimit, 65536), milliseconds(1155));
  EXPECT_EQ(limits.ForAnswer(kLimit, 16U << 20), kLimit);
}

TEST(WaitLimits, OfTheEndAreShortForAnAgentThatDidNotEnd) {
  WaitLimits limits;
  limits.DidNotEnd();
  EXPECT_EQ(limits.ForEnd(kLimit), milliseconds(500));
  EXPECT_EQ(limits.ForAnswer(kLimit, 0), kLimit);
}

TEST(WaitLimits, OfCleanUpsAreShortForAnAgentThatIsSilent) {
  const WaitLimits limits;
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).by_itself, milliseconds(300));
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/true).by_itself, milliseconds(20));
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/true).terminated, milliseconds(200));
}

TEST(WaitLimits, OfCleanUpsAreShortWhereAgentsDoNotEndByThemselves) {
  using By = pmda::Ending::By;
  WaitLimits limits;
  for (const By by : {By::kItself, By::kItself, By::kItself, By::kTerminate}) limits.WasEnded(by);
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).by_itself, milliseconds(300));
  limits.WasEnded(By::kTerminate);
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).by_itself, milliseconds(20));
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).terminated, milliseconds(200));
  limits.WasEnded(By::kKill);
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).terminated, milliseconds(20));
}

TEST(WaitLimits, OfCleanUpsAreShortForAnAgentThatDidNotEnd) {
  WaitLimits limits;
  limits.DidNotEnd();
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).by_itself, milliseconds(20));
  EXPECT_EQ(limits.ForCleanUp(/*silent=*/false).terminated, milliseconds(20));
}

TEST(WaitLimits, AfterASilenceAreOfTheirOwn) {
  const WaitLimits limits(milliseconds(0));
  const auto others = limits.AfterASilence();
  EXPECT_TRUE(others->used_up());
  const WaitLimits unlimited;
  EXPECT_EQ(unlimited.AfterASilence()->ForAnswer(kLimit, 0), milliseconds(500));
  EXPECT_EQ(unlimited.ForAnswer(kLimit, 0), kLimit);
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
