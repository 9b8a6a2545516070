// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_PROCESS_WATCH_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_PROCESS_WATCH_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "reference/pmda/transport/descriptor.h"

namespace pmproof::validator::agent_bench {

// What an agent holds and has used.
struct ProcessUse {
  std::uint64_t resident_bytes = 0;  // pages that processes share count for each of them
  std::chrono::nanoseconds cpu{};    // user and system, of all threads, since it was started
};

// Looks at an agent's process and at all that it has started, so that an agent behind a script or a
// sandbox is seen, too. Looking is cheap, finding the processes is not. What ended counts with the
// CPU time that was seen of it last. Moved, not copied.
class ProcessWatch {
 public:
  explicit ProcessWatch(pid_t agent) : agent_(agent) { Find(); }

  // Finds what the agent has started meanwhile.
  void Find();
  ProcessUse Look();

 private:
  struct Process {
    pid_t number = 0;
    pmda::Descriptor memory{};
    clockid_t clock = 0;
    std::chrono::nanoseconds cpu{};
    bool ended = false;
  };
  void Add(pid_t process);

  pid_t agent_;
  std::vector<Process> processes_{};
};

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_PROCESS_WATCH_H_
