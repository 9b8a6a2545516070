// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_ON_THREADS_H_
#define PMPROOF_REFERENCE_CORE_ON_THREADS_H_

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pmproof {

// Calls `work` on so many threads, this one among them, and returns when all have returned. Where
// calls throw, such as std::bad_alloc, the first exception is thrown here after that: in another
// thread it would end the program.
template <typename Work>
void OnThreads(std::size_t count, const Work& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < count; ++i) others.emplace_back(guarded);
    guarded();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_ON_THREADS_H_
