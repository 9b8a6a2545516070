// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_WORK_POOL_H_
#define PMPROOF_VALIDATOR_CHECK_WORK_POOL_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pmproof::validator {

// Threads that do work ahead of somebody who needs its outcome, with that one's thread among them.
// One thread puts jobs in and takes them back. A resource: not copied. Where a thread cannot be
// started, std::system_error.
class WorkPool {
 public:
  // Long: nobody who waits for another job is to begin with it.
  enum class Length : std::uint8_t { kShort, kLong };

  // A piece of work. Its outcome is for whoever called Finish().
  class Job {
   public:
    virtual ~Job() = default;
    // Once, on any thread. May throw std::bad_alloc, and nothing else.
    virtual void Run() = 0;

   private:
    friend class WorkPool;
    enum class State : std::uint8_t { kWaiting, kRunning, kDone };
    State state_ = State::kWaiting;
    bool out_of_memory_ = false;
    Length length_ = Length::kShort;
  };

  // `threads` beside the caller's. Without any, jobs run in Finish().
  explicit WorkPool(unsigned threads);
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  std::size_t threads() const { return threads_.size(); }

  // Jobs begin in their order, long ones first. `job` lives until Finish() or Cancel() returns.
  void Put(Job* job, Length length = Length::kShort);

  // Returns when the job, which was put in, has run; this thread works meanwhile. False: there was
  // no memory for it.
  bool Finish(Job* job);

  // When this returns the job has run, or never does.
  void Cancel(Job* job);

  // No more jobs are put in. The threads end as soon as none waits: they need not be waited for
  // then.
  void Close();

 private:
  Job* Next(bool also_long);  // under mutex_
  void Work(Job* job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job*> short_;  // that wait
  std::deque<Job*> long_;
  bool closed_ = false;
  bool ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_WORK_POOL_H_
