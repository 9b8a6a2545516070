// SPDX-License-Identifier: Apache-2.0
#include "validator/check/work_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;

class Doing final : public WorkPool::Job {
 public:
  explicit Doing(std::function<void()> what) : what_(std::move(what)) {}
  void Run() override { what_(); }

 private:
  std::function<void()> what_;
};

TEST(WorkPool, WithoutThreadsJobsRunWhereTheyAreWaitedFor) {
  WorkPool pool(0);
  std::vector<int> order;
  Doing first([&] { order.push_back(1); });
  Doing second([&] { order.push_back(2); });
  pool.Put(&first);
  pool.Put(&second);
  EXPECT_TRUE(pool.Finish(&second));
  EXPECT_THAT(order, ElementsAre(2));
  EXPECT_TRUE(pool.Finish(&first));
  EXPECT_THAT(order, ElementsAre(2, 1));
}

TEST(WorkPool, AnotherThreadBeginsAtOnce) {
  WorkPool pool(1);
  std::promise<std::thread::id> by;
  Doing job([&] { by.set_value(std::this_thread::get_id()); });
  pool.Put(&job);
  EXPECT_NE(by.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(pool.Finish(&job));
}

// The other thread is busy until it is told to go on.
class BusyPool : public ::testing::Test {
 protected:
  void SetUp() override {
    pool_.Put(&busy_);
    begun_.get_future().wait();
  }
  void TearDown() override {
    LetGo();
    pool_.Cancel(&busy_);
  }
  void LetGo() {
    if (!std::exchange(let_go_, true)) go_.set_value();
  }

  std::promise<void> begun_;
  std::promise<void> go_;
  bool let_go_ = false;
  Doing busy_{[this] {
    begun_.set_value();
    go_.get_future().wait();
  }};
  WorkPool pool_{1};
};

TEST_F(BusyPool, WhoWaitsForARunningJobDoesOthersMeanwhile) {
  Doing other([this] { LetGo(); });
  pool_.Put(&other);
  EXPECT_TRUE(pool_.Finish(&busy_));
  EXPECT_TRUE(pool_.Finish(&other));
}

TEST_F(BusyPool, WhoWaitsForAJobDoesNotBeginWithALongOne) {
  std::vector<int> order;
  Doing long_one([&] { order.push_back(2); });
  pool_.Put(&long_one, WorkPool::Length::kLong);
  Doing short_one([&] {
    order.push_back(1);
    LetGo();
  });
  pool_.Put(&short_one);
  EXPECT_TRUE(pool_.Finish(&busy_));
  EXPECT_TRUE(pool_.Finish(&short_one));
  EXPECT_TRUE(pool_.Finish(&long_one));
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST_F(BusyPool, ALongJobComesFirstAndIsDoneByWhoNeedsIt) {
  std::vector<int> order;
  Doing short_one([&] { order.push_back(1); });
  Doing long_one([&] { order.push_back(2); });
  pool_.Put(&short_one);
  pool_.Put(&long_one, WorkPool::Length::kLong);
  EXPECT_TRUE(pool_.Finish(&long_one));
  EXPECT_THAT(order, ElementsAre(2));
  LetGo();
  EXPECT_TRUE(pool_.Finish(&short_one));
}

TEST_F(BusyPool, AJobThatIsCancelledDoesNotRun) {
  bool ran = false;
  Doing job([&] { ran = true; });
  pool_.Put(&job);
  pool_.Cancel(&job);
  LetGo();
  EXPECT_TRUE(pool_.Finish(&busy_));
  EXPECT_FALSE(ran);
}

// A thread of a pool has ended when what is its own is destroyed.
TEST(WorkPool, ThreadsOfAClosedPoolEndWhenNoJobWaits) {
  struct Ending {
    ~Ending() {
      if (ended != nullptr) ended->set_value();
    }
    std::promise<void>* ended = nullptr;
  };
  std::promise<void> ended;
  std::promise<void> go;
  bool ran = false;
  Doing first([&] {
    thread_local Ending ending;
    ending.ended = &ended;
    go.get_future().wait();
  });
  Doing second([&] { ran = true; });
  WorkPool pool(1);
  pool.Put(&first, WorkPool::Length::kLong);
  pool.Put(&second);
  pool.Close();
  go.set_value();
  EXPECT_EQ(ended.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_TRUE(ran);
  EXPECT_TRUE(pool.Finish(&first));
  EXPECT_TRUE(pool.Finish(&second));
}

TEST(WorkPool, CancelWaitsForAJobThatRuns) {
  WorkPool pool(1);
  std::promise<void> begun;
  bool done = false;
  Doing job([&] {
    begun.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
  });
  pool.Put(&job);
  begun.get_future().wait();
  pool.Cancel(&job);
  EXPECT_TRUE(done);
}

TEST(WorkPool, LackOfMemoryIsTold) {
  for (const unsigned threads : {0U, 1U}) {
    WorkPool pool(threads);
    Doing job([] { throw std::bad_alloc(); });
    pool.Put(&job);
    EXPECT_FALSE(pool.Finish(&job));
  }
}

}  // namespace
}  // namespace pmproof::validator
