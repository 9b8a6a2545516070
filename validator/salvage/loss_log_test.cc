// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/loss_log.h"

#include <gtest/gtest.h>

#include <utility>

namespace pmproof::validator {
namespace {

Loss Record(std::uint64_t offset, std::int64_t time, Clause clause) {
  return {.kind = Loss::Kind::kRecords,
          .clause = clause,
          .file = "a.0",
          .part = 0,
          .offset = offset,
          .length = 100,
          .count = 1,
          .from = Timestamp{time, 0},
          .until = Timestamp{time, 0}};
}

TEST(LossLog, NeighboursThatAreLostForOneReasonAreOneLoss) {
  LossLog log(1 << 20);
  log.Add(Record(100, 1, "ARC-1702"_clause));
  log.Add(Record(200, 2, "ARC-1702"_clause));
  log.Add(Record(300, 3, "ARC-1703"_clause));
  log.Add(Record(500, 4, "ARC-1703"_clause));
  EXPECT_EQ(log.lost().records, 4U);
  const auto losses = log.Take();
  ASSERT_EQ(losses.size(), 3U);
  EXPECT_EQ(losses[0].length, 200U);
  EXPECT_EQ(losses[0].count, 2U);
  EXPECT_EQ(losses[0].from, (Timestamp{1, 0}));
  EXPECT_EQ(losses[0].until, (Timestamp{2, 0}));
}

TEST(LossLog, AStretchLiesBetweenTheTimesAroundIt) {
  LossLog log(1 << 20);
  log.NoteTime({7, 0});
  log.Add({.kind = Loss::Kind::kBytes, .clause = "ARC-1101"_clause, .file = "a.0", .part = 0});
  log.NoteTime({9, 0});
  log.Add({.kind = Loss::Kind::kBytes, .clause = "ARC-1102"_clause, .file = "a.0", .part = 0});
  log.ForgetTime();
  log.NoteTime({100, 0});
  const auto losses = log.Take();
  EXPECT_EQ(losses[0].from, (Timestamp{7, 0}));
  EXPECT_EQ(losses[0].until, (Timestamp{9, 0}));
  EXPECT_EQ(losses[1].from, (Timestamp{9, 0}));
  EXPECT_FALSE(losses[1].until);
}

TEST(LossLog, ValuesOfOneMetricAreOneLossForEachReason) {
  LossLog log(1 << 20);
  const auto add = [&](Pmid pmid, std::int64_t time, Clause clause) {
    log.AddValues(pmid,
                  {.kind = Loss::Kind::kValues,
                   .clause = clause,
                   .file = {},
                   .part = 0,
                   .count = 1,
                   .values = 3,
                   .from = Timestamp{time, 0},
                   .until = Timestamp{time, 0}},
                  [&](Loss& loss) { loss.subject = ToText(pmid); });
  };
  add(Pmid::Of(1, 2, 3), 5, "ARC-1801"_clause);
  add(Pmid::Of(1, 2, 4), 5, "ARC-1801"_clause);
  add(Pmid::Of(1, 2, 3), 6, "ARC-1801"_clause);
  add(Pmid::Of(1, 2, 3), 7, "ARC-1811"_clause);
  EXPECT_EQ(log.lost().value_sets, 4U);
  EXPECT_EQ(log.lost().values, 12U);
  const auto losses = log.Take();
  ASSERT_EQ(losses.size(), 3U);
  EXPECT_EQ(losses[0].subject, "1.2.3");
  EXPECT_EQ(losses[0].count, 2U);
  EXPECT_EQ(losses[0].until, (Timestamp{6, 0}));
}

TEST(LossLog, BeyondItsBudgetItIsNotComplete) {
  LossLog log(10000);
  for (std::uint64_t i = 0; i < 1000 && log.complete(); ++i) {
    log.Add(Record(1000 * i, 1, "ARC-1702"_clause));
  }
  EXPECT_FALSE(log.complete());
  EXPECT_LT(log.Take().size(), 30U);
}

}  // namespace
}  // namespace pmproof::validator
