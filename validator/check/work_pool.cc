// SPDX-License-Identifier: Apache-2.0
#include "validator/check/work_pool.h"

#include <algorithm>
#include <new>

namespace pmproof::validator {

WorkPool::WorkPool(unsigned threads) {
  threads_.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this] {
      std::unique_lock lock(mutex_);
      while (!ending_) {
        if (Job* job = Next(/*also_long=*/true)) {
          Work(job, lock);
        } else if (closed_) {
          break;
        } else {
          changed_.wait(lock);
        }
      }
    });
  }
}

WorkPool::~WorkPool() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  changed_.notify_all();
}

void WorkPool::Put(Job* job, Length length) {
  const std::lock_guard lock(mutex_);
  job->length_ = length;
  (length == Length::kLong ? long_ : short_).push_back(job);
  changed_.notify_one();
}

bool WorkPool::Finish(Job* job) {
  std::unique_lock lock(mutex_);
  while (job->state_ != Job::State::kDone) {
    if (job->state_ == Job::State::kWaiting) {
      std::erase(job->length_ == Length::kLong ? long_ : short_, job);
      Work(job, lock);
    } else if (Job* other = Next(/*also_long=*/false)) {
      Work(other, lock);
    } else {
      changed_.wait(lock);
    }
  }
  return !job->out_of_memory_;
}

void WorkPool::Cancel(Job* job) {
  std::unique_lock lock(mutex_);
  if (job->state_ == Job::State::kWaiting) {
    std::erase(job->length_ == Length::kLong ? long_ : short_, job);
    job->state_ = Job::State::kDone;
  }
  while (job->state_ != Job::State::kDone) changed_.wait(lock);
}

void WorkPool::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

WorkPool::Job* WorkPool::Next(bool also_long) {
  std::deque<Job*>& jobs = also_long && !long_.empty() ? long_ : short_;
  if (jobs.empty()) return nullptr;
  Job* const job = jobs.front();
  jobs.pop_front();
  return job;
}

void WorkPool::Work(Job* job, std::unique_lock<std::mutex>& lock) {
  job->state_ = Job::State::kRunning;
  lock.unlock();
  bool out_of_memory = false;
  try {
    job->Run();
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  lock.lock();
  job->out_of_memory_ = out_of_memory;
  job->state_ = Job::State::kDone;
  changed_.notify_all();
}

}  // namespace pmproof::validator
