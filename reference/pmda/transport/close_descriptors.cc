// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/close_descriptors.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace pmproof::pmda {
namespace {

unsigned HighestDescriptor() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<unsigned>(std::min<rlim_t>(limit.rlim_cur, 1u << 20));
}

}  // namespace

void CloseDescriptors(unsigned first, unsigned last) {
  if (close_range(first, last, 0) == 0) return;
  for (unsigned i = first; i <= std::min(last, HighestDescriptor()); ++i)
    close(static_cast<int>(i));
}

void CloseDescriptorsOnExec(unsigned first) {
  if (close_range(first, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (unsigned i = first; i <= HighestDescriptor(); ++i)
    fcntl(static_cast<int>(i), F_SETFD, FD_CLOEXEC);
}

}  // namespace pmproof::pmda
