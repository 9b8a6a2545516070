// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/process_info.h"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <vector>

namespace pmproof::pmda {
namespace {

TEST(ProcessInfoTest, ReadsNamesThatLookLikeSomethingElse) {
  const auto info = ParseProcessStat("12 (a) R 1 (b)) S 34 56 78 0 -1");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, "a) R 1 (b)");
  EXPECT_EQ(info->state, 'S');
  EXPECT_EQ(info->parent, 34);
  EXPECT_EQ(info->group, 56);
  EXPECT_EQ(info->session, 78);
  for (const char* const text : {"", "x", "12", "12 (a", "12 a) S 1 2 3 ", "12 (a) S 1 2"})
    EXPECT_FALSE(ParseProcessStat(text)) << text;
}

TEST(ProcessInfoTest, FindsDescendantsInAnyOrder) {
  const std::vector<ProcessInfo> all = {{.process = 5, .parent = 4}, {.process = 4, .parent = 2},
                                        {.process = 3, .parent = 2}, {.process = 2, .parent = 1},
                                        {.process = 6, .parent = 1}, {.process = 7, .parent = 7}};
  std::vector<pid_t> found;
  for (const ProcessInfo& info : DescendantsOf(2, all)) found.push_back(info.process);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<pid_t>{3, 4, 5}));
}

}  // namespace
}  // namespace pmproof::pmda
