// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/pmid_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pmproof::replay {
namespace {

void ExpectFound(const std::vector<std::uint32_t>& pmids, std::uint32_t other) {
  PmidTable table(pmids.size());
  for (std::size_t i = 0; i < pmids.size(); ++i) table.Add(Pmid{pmids[i]}, i);
  for (std::size_t i = 0; i < pmids.size(); ++i) ASSERT_EQ(table.Find(Pmid{pmids[i]}), i);
  EXPECT_EQ(table.Find(Pmid{other}), PmidTable::kNone);
}

TEST(PmidTable, FindsWhatWasAddedAndNothingElse) {
  std::vector<std::uint32_t> pmids;
  for (std::uint32_t item = 0; item < 1000; ++item) pmids.push_back(Pmid::Of(60, 3, item).value);
  ExpectFound(pmids, Pmid::Of(60, 4, 0).value);
  ExpectFound({}, 7);
}

TEST(PmidTable, FindsMetricsWhoseIdentifiersCollide) {
  // Odd factors have an inverse modulo 2^32: products that differ in their low bits alone.
  std::uint32_t inverse = 1;
  for (int i = 0; i < 5; ++i) inverse *= 2 - 0x9e3779b9U * inverse;
  std::vector<std::uint32_t> pmids;
  for (std::uint32_t k = 0; k < 300; ++k) pmids.push_back(k * inverse);
  ExpectFound(pmids, 300 * inverse);
}

}  // namespace
}  // namespace pmproof::replay
