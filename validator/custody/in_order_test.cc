// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <vector>

namespace pmproof::validator {
namespace {

class InOrderTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(InOrderTest, ResultsComeInTheOrderOfTheWork) {
  std::vector<int> taken;
  InOrder<int> work(GetParam(), [&](int number) { taken.push_back(number); });
  for (int i = 0; i < 200; ++i) {
    work.Submit([i] {
      std::this_thread::sleep_for(std::chrono::microseconds(i % 7 * 50));
      return i;
    });
  }
  work.Finish();
  std::vector<int> expected(200);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(taken, expected);
}

TEST_P(InOrderTest, OnlyAFewAreOnTheirWay) {
  std::atomic<int> held = 0;
  int most = 0;
  InOrder<int> work(GetParam(), [&](int) { --held; });
  for (int i = 0; i < 100; ++i) {
    work.Submit([&] { return ++held; });
    most = std::max(most, held.load());
  }
  work.Finish();
  EXPECT_EQ(held, 0);
  EXPECT_LE(most, static_cast<int>(2 * GetParam() + 1));
}

TEST_P(InOrderTest, WhatWorkThrowsComesOutAndNothingHangs) {
  InOrder<int> work(GetParam(), [](int) {});
  const auto all = [&] {
    for (int i = 0; i < 20; ++i) {
      work.Submit([i]() -> int {
        if (i == 5) throw std::bad_alloc();
        return i;
      });
    }
    work.Finish();
  };
  EXPECT_THROW(all(), std::bad_alloc);
}

INSTANTIATE_TEST_SUITE_P(Jobs, InOrderTest, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace pmproof::validator
