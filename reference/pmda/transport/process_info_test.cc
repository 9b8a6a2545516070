// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/process_info.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace pmproof::pmda {
namespace {

using namespace std::chrono_literals;

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

TEST(ProcessInfoTest, CountsHowLongThreadsWaitForAProcessor) {
  if (WaitedForProcessor({getpid()}) == 0ns) GTEST_SKIP() << "the kernel does not count it";
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int processor = 0;
  while (!CPU_ISSET(processor, &allowed)) ++processor;
  // Each of two threads that have one processor between them waits while the other has it.
  const auto before = WaitedForProcessor({getpid()});
  std::atomic<int> waiting{2};
  const auto spin = [&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    const auto own = WaitedForProcessor();
    while (WaitedForProcessor() < own + 20ms) continue;
    if (--waiting == 0) {
      EXPECT_GE(WaitedForProcessor({getpid()}), before + 40ms);
    }
    while (waiting > 0) continue;
  };
  std::thread other(spin);
  std::thread(spin).join();
  other.join();
  EXPECT_EQ(WaitedForProcessor({-1}), 0ns);
}

}  // namespace
}  // namespace pmproof::pmda
