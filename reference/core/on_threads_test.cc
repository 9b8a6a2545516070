// SPDX-License-Identifier: Apache-2.0
#include "reference/core/on_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <thread>

namespace pmproof {
namespace {

TEST(OnThreads, CallsTheWorkOnceOnEachThread) {
  std::mutex mutex;
  std::multiset<std::thread::id> seen;
  OnThreads(3, [&] {
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen.count(std::this_thread::get_id()), 1U);
}

TEST(OnThreads, CallsItOnThisThreadWhereNoneIsAskedFor) {
  int calls = 0;
  OnThreads(0, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(OnThreads, ThrowsHereWhatOneOfThemThrowsAfterAllHaveReturned) {
  std::atomic<int> began{0};
  std::atomic<int> ended{0};
  const auto work = [&] {
    if (began++ == 1) throw std::bad_alloc();
    while (began < 3) std::this_thread::yield();
    ++ended;
  };
  EXPECT_THROW(OnThreads(3, work), std::bad_alloc);
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace pmproof
