// SPDX-License-Identifier: Apache-2.0
// BUILD makes an error of it where g++ does not take what is precompiled for tests: what this file
// shows is that it compiles.
#include <gtest/gtest.h>

namespace pmproof {
namespace {

TEST(PrecompiledTest, Compiles) { EXPECT_GT(__GNUC__, 0); }

}  // namespace
}  // namespace pmproof
