// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_PROCESS_INFO_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_PROCESS_INFO_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/transport/descriptor.h"

namespace pmproof::pmda {

// A line about a process from /proc. A value.
struct ProcessInfo {
  pid_t process = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = '?';    // as /proc has it: R S D T Z ...
  std::string name{};  // the kernel's, at most 15 bytes

  bool zombie() const { return state == 'Z' || state == 'X'; }
  std::string ToText() const;  // "4711 (pmdasimple), zombie"
};

// From the content of /proc/PID/stat, which the process itself can influence by its name.
std::optional<ProcessInfo> ParseProcessStat(std::string_view content);

// All processes that this one can see. Error: /proc is not there.
Result<std::vector<ProcessInfo>> ListProcesses();

// Those below `ancestor`, which itself is not one of them.
std::vector<ProcessInfo> DescendantsOf(pid_t ancestor, const std::vector<ProcessInfo>& all);

// What a process holds (CKA-156).
struct ProcessResources {
  std::size_t descriptors = 0;
  std::uint64_t resident_bytes = 0;
};

// How long the threads of those processes, as many as still run, have been ready to run and had no
// processor; without processes, this thread. 0 where the kernel does not count it.
std::chrono::nanoseconds WaitedForProcessor(const std::vector<pid_t>& processes);
std::chrono::nanoseconds WaitedForProcessor();

// Stays with one process: once that has ended, reading is an error, even if its number is in use
// again. A resource, moved, not copied.
class ProcessHandle {
 public:
  ProcessHandle() = default;
  static Result<ProcessHandle> Open(pid_t process);

  Result<ProcessResources> Resources() const;

 private:
  explicit ProcessHandle(Descriptor directory) : directory_(std::move(directory)) {}

  Descriptor directory_{};
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_PROCESS_INFO_H_
