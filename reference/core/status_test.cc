// SPDX-License-Identifier: Apache-2.0
#include "reference/core/status.h"

#include <gtest/gtest.h>

namespace pmproof {
namespace {

TEST(Status, IsOneLineWithFileOffsetAndClause) {
  const Status status{
      .file = "a.meta", .offset = 132, .clause = "ARC-083"_clause, .message = "cut"};
  EXPECT_EQ(status.ToText(), "a.meta: offset 132: cut [ARC-083]");
}

TEST(Status, LeavesOutWhatItDoesNotConcern) {
  const Status status{.kind = Status::Kind::kUsage, .message = "no archive given"};
  EXPECT_EQ(status.ToText(), "no archive given");
}

}  // namespace
}  // namespace pmproof
