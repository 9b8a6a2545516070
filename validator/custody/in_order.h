// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_IN_ORDER_H_
#define PMPROOF_VALIDATOR_CUSTODY_IN_ORDER_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pmproof::validator {

// Work that several threads do, and that is taken over in the order in which it was submitted,
// whatever ends first. Only so many pieces are on their way, so that memory does not grow with
// their number. All calls come from one thread, which also takes the results over.
template <typename T>
class InOrder {
 public:
  using Work = std::function<T()>;

  // With one job the work is done by the thread that submits it.
  InOrder(unsigned jobs, std::function<void(T)> take) : take_(std::move(take)) {
    for (unsigned i = 0; jobs > 1 && i < jobs; ++i) {
      threads_.emplace_back([this] { Serve(); });
    }
  }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;
  // What was submitted and not taken over is lost.
  ~InOrder() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      waiting_.clear();
    }
    more_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // May wait for earlier work, and take its results over. Passes on what that throws.
  void Submit(Work work) {
    if (threads_.empty()) return take_(work());
    while (results_.size() >= 2 * threads_.size()) TakeFirst();
    std::packaged_task<T()> task(std::move(work));
    results_.push_back(task.get_future());
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(task));
    }
    more_.notify_one();
  }

  // Takes over what is still on its way.
  void Finish() {
    while (!results_.empty()) TakeFirst();
  }

 private:
  void TakeFirst() {
    std::future<T> first = std::move(results_.front());
    results_.pop_front();
    take_(first.get());
  }

  void Serve() {
    while (true) {
      std::packaged_task<T()> task;
      {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        task = std::move(waiting_.front());
        waiting_.pop_front();
      }
      task();
    }
  }

  std::function<void(T)> take_;
  std::deque<std::future<T>> results_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::packaged_task<T()>> waiting_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_IN_ORDER_H_
