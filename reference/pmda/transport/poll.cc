// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/poll.h"

#include <cerrno>
#include <ctime>

namespace pmproof::pmda {

int Poll(std::span<pollfd> descriptors, Deadline deadline) {
  for (;;) {
    timespec wait = {};
    if (!deadline.never()) {
      const auto left = std::chrono::nanoseconds(deadline.remaining()).count();
      wait = {.tv_sec = static_cast<time_t>(left / 1'000'000'000),
              .tv_nsec = static_cast<long>(left % 1'000'000'000)};
    }
    const int ready =
        ppoll(descriptors.data(), descriptors.size(), deadline.never() ? nullptr : &wait, nullptr);
    if (ready >= 0 || errno != EINTR) return ready;
  }
}

}  // namespace pmproof::pmda
