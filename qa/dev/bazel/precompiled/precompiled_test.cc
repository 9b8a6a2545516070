// SPDX-License-Identifier: Apache-2.0
// Does not compile unless g++ takes what is precompiled for tests: BUILD makes a warning of it.
#include <gtest/gtest.h>

namespace pmproof {
namespace {

TEST(PrecompiledTest, TestsHaveMatchersWithoutIncludingThem) { EXPECT_THAT(1, testing::Eq(1)); }

}  // namespace
}  // namespace pmproof
