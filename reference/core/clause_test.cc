// SPDX-License-Identifier: Apache-2.0
#include "reference/core/clause.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace pmproof {
namespace {

TEST(Clause, IsWrittenAsTheSpecificationWritesIt) {
  EXPECT_EQ(("ARC-019"_clause).ToString(), "ARC-019");
  EXPECT_EQ(("ARC-1102"_clause).ToString(), "ARC-1102");
  EXPECT_EQ(("MET-211"_clause).ToString(), "MET-211");
}

TEST(Clause, OfNothingIsEmpty) {
  EXPECT_TRUE(Clause().empty());
  EXPECT_EQ(Clause().ToString(), "");
}

TEST(Clause, NeedsAKnownChapterAndANumber) {
  for (const char* text : {"", "ARC", "ARC-", "ARC_12", "XYZ-12", "arc-12", "ARC-1x", "ARC--1",
                           "ARC-65536", "ARC-123456", "-12"}) {
    EXPECT_FALSE(Clause::Parse(text)) << text;
  }
}

TEST(Clause, OrdersByChapterAndNumber) {
  EXPECT_LT("ARC-002"_clause, "ARC-010"_clause);
  EXPECT_LT("ARC-1999"_clause, "MET-001"_clause);
}

RC_GTEST_PROP(Clause, ReadsWhatItWrites, (std::uint16_t number)) {
  const Clause clause(Clause::Chapter::kPdu, number);
  RC_ASSERT(Clause::Parse(clause.ToString()) == clause);
}

}  // namespace
}  // namespace pmproof
